import { jsonObjects } from '#core/import/json-objects.ts';
import { plainName, substancesIn } from '../drugs/active-moiety.ts';
import { membersAt, placeOf, textOf } from './members.ts';
import type { NameFile, NameSink } from './name-sink.ts';

type Product = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Returns the ingredients from the list of active ingredients, or from the generic name if there is no list. */
const ingredientsOf = (product: Product): readonly string[] => {
  const listed = Array.isArray(product.active_ingredients) ? product.active_ingredients : [];
  const names = listed.map((item) => plainName(text((item as Product | null)?.name))).filter((name) => name !== '');
  return names.length ? [...new Set(names)].sort() : substancesIn(text(product.generic_name).replaceAll(', ', ';'));
};

/** Returns whether a product is not a medicine: remedies without a relevant amount of their ingredients, allergens, cosmetics. */
const isOther = (product: Product): boolean =>
  /homeopathic|cosmetic|allergenic|dietary|bulk/i.test(
    `${text(product.marketing_category)} ${text(product.product_type)}`,
  );

const takeProduct = (product: Product, sink: NameSink, at: string): void => {
  const ingredients = ingredientsOf(product);
  const brand = text(product.brand_name) || text(product.brand_name_base);
  if (!ingredients.length) {
    sink.problem(at, 'names no active ingredient');
    return;
  }
  sink.row();
  const key = ingredients.join('; ');
  // A product without a trade name still shows which ingredients are combined.
  const name = brand || key;
  sink.name({ nameKey: `${key}|${name}`.slice(0, 1_000), name, kind: 'brand', ingredients, rxcui: '', onMarket: true });
};

const parse = (json: string): Product | null => {
  try {
    return JSON.parse(json) as Product;
  } catch {
    return null;
  }
};

/** FDA's National Drug Code directory, as openFDA publishes it. */
export const ndc: NameFile = {
  id: 'ndc',
  summary: 'openFDA NDC directory (drug-ndc JSON, plain, .gz or .zip)',
  async read(path, sink, signal) {
    let other = 0;
    for (const member of await membersAt(path, /\.json(?:\.gz)?$/i)) {
      const chunks = textOf(member, { format: 'json', wanted: "openFDA's NDC directory" }, signal);
      for await (const { json, line } of jsonObjects(chunks, 'results')) {
        const at = `${placeOf(path, member)} › line ${line}`;
        const product = parse(json);
        if (!product) sink.problem(at, 'is no JSON object');
        else if (!('active_ingredients' in product || 'generic_name' in product || 'product_ndc' in product))
          sink.problem(at, 'is no product of the NDC directory');
        else if (isOther(product)) other += 1;
        else takeProduct(product, sink, at);
      }
    }
    if (other) sink.notes.push(`${other} homeopathic, allergenic, cosmetic and bulk products were left out`);
  },
};
