/**
 * What is known of a medicine that decides whether a mechanism can work in it: how the body gets rid of it, and by which routes
 * it is given. Rows stand in content/drugs/properties.tsv; what nobody has read is unknown, and an unknown rules nothing out.
 */
import type { Reviewed } from '#core/content-check/reviewed.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import type { PropertyData, PropertyRow } from '../rules/entries.ts';
import type { MECHANISMS } from '../rules/words.ts';

export const DRUG_PROPERTIES = ['elimination', 'routes'] as const;
export type DrugProperty = (typeof DRUG_PROPERTIES)[number];

/** `proteolysis`, `no_enzymes` and `esterases`: no enzyme that a supplement speeds up or slows down takes part. */
export const ELIMINATIONS = ['proteolysis', 'no_enzymes', 'esterases'] as const;

const HEAD = 'medicine\tproperty\tvalue\tbasis\tset_id';
const VALUES: Readonly<Record<DrugProperty, RegExp>> = {
  elimination: new RegExp(`^(${ELIMINATIONS.join('|')})$`),
  routes: /^[a-z ]+(,[a-z ]+)*$/,
};

interface PlacedProperty {
  readonly line: number;
  readonly medicine: string;
  readonly data: PropertyData;
}

/** @throws ContentError with the line that is wrong. */
export const readProperties = (file: ContentFile): readonly PlacedProperty[] => {
  const [head, ...lines] = file.text.split(/\r?\n/);
  if (head !== HEAD) throw new ContentError(file.path, 1, `the columns are ${HEAD.replaceAll('\t', ', ')}`);
  return lines.flatMap((text, at) => {
    if (!text) return [];
    const [medicine = '', name, value = '', basis = '', setId = ''] = text.split('\t');
    const property = DRUG_PROPERTIES.find((one) => one === name);
    if (!property) throw new ContentError(file.path, at + 2, `"${name}" is none of ${DRUG_PROPERTIES.join(', ')}`);
    if (!VALUES[property].test(value))
      throw new ContentError(file.path, at + 2, `"${value}" is no value of ${property}`);
    if (!basis) throw new ContentError(file.path, at + 2, 'a property needs its basis');
    return [{ line: at + 2, medicine, data: { property, value, basis, setId } }];
  });
};

export const reviewProperties = (file: ContentFile): Reviewed => ({
  kind: 'drug-properties',
  entries: readProperties(file).length,
  offers: [],
  names: [],
  reviewedAt: [],
  toldDays: [],
  passages: [],
});

/** By medicine, then by property. */
export type DrugProperties = ReadonlyMap<string, Readonly<Partial<Record<DrugProperty, string>>>>;

export const propertiesOf = (rows: readonly PropertyRow[]): DrugProperties => {
  const byDrug = new Map<string, Partial<Record<DrugProperty, string>>>();
  for (const { subject, data } of rows) byDrug.set(subject, { ...byDrug.get(subject), [data.property]: data.value });
  return byDrug;
};

/**
 * Whether a mechanism that holds for a class can work in this member. What changes enzymes or uptake does not touch a protein;
 * what binds in the gut does not touch what is only given into a vein.
 */
export const canWork = (
  mechanism: (typeof MECHANISMS)[number],
  known: Readonly<Partial<Record<DrugProperty, string>>> | undefined,
): boolean => {
  if (!known || (mechanism !== 'pharmacokinetic' && mechanism !== 'absorption')) return true;
  if (mechanism === 'pharmacokinetic') return known.elimination === undefined;
  const isSwallowed = known.routes === undefined || known.routes.split(',').includes('oral');
  return isSwallowed && known.elimination !== 'proteolysis';
};
