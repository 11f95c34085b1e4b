/** Parses one label of openFDA's `drug/label`, from an API response or a download file. */
import { Parser } from 'htmlparser2';
import { type DrugLabel, dayOf, type LabelSection, SECTIONS, SET_ID, UnusableLabel } from './label.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the strings of a field. openFDA gives nearly every field as a list; values that are not strings are omitted. */
const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string' && item !== '');

const fields = (value: unknown): Fields => (value && typeof value === 'object' ? (value as Fields) : {});

const DEEPEST = 500;

/** Returns the rows of the tables in a piece of HTML. */
const tableRows = (html: string): readonly string[] => {
  const rows: string[] = [];
  let cells: string[] = [];
  let cell = '';
  const endCell = (): void => {
    const text = cell.replace(/\s+/g, ' ').trim();
    if (text) cells.push(text);
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    if (cells.length) rows.push(cells.join(' | '));
    cells = [];
  };
  let depth = 0;
  const parser = new Parser({
    onopentag: (name) => {
      depth += 1;
      // The parser moves all open elements for each element that opens, so deep nesting is slow.
      if (depth > DEEPEST)
        throw new UnusableLabel(`has a table in which elements are nested more than ${DEEPEST} deep`);
      if (name === 'td' || name === 'th') endCell();
      else if (name === 'tr' || name === 'table') endRow();
      else cell += ' ';
    },
    ontext: (text) => {
      cell += text;
    },
    onclosetag: (name) => {
      depth -= 1;
      if (name === 'tr' || name === 'table' || name === 'caption') endRow();
      else cell += ' ';
    },
  });
  parser.end(html);
  endRow();
  return rows;
};

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Maximum number of characters searched for the tables of one section. Sixty tables in the longest section take a tenth of it.
 */
const MOST_SEARCHED = 200_000_000;

/**
 * Removes the running text of tables. openFDA gives a table twice, as markup and as running text: if the running text is found,
 * only the rows are used. If there are so many tables that the search would take quadratic time in the length of the text, the
 * rest stays duplicated.
 */
export const withoutTables = (
  text: string,
  tables: readonly (readonly string[])[],
  mostSearched = MOST_SEARCHED,
): string => {
  let [rest, searched] = [plain(text), 0];
  for (const rows of tables) {
    searched += rest.length;
    if (searched > mostSearched) break;
    rest = rest.replace(plain(rows.join(' ').replaceAll(' | ', ' ')), () => ' ');
  }
  return rest;
};

const sectionsOf = (record: Fields): LabelSection[] =>
  SECTIONS.flatMap(([name]) => {
    const tables = texts(record[`${name}_table`]).map(tableRows);
    const text = withoutTables(texts(record[name]).join(' '), tables);
    const rows = tables.flat();
    return text || rows.length ? [{ name, text, rows }] : [];
  });

/**
 * Parses a label.
 * @throws UnusableLabel if it is not a label.
 */
export const parseOpenFdaLabel = (json: string): DrugLabel => {
  let record: Fields;
  try {
    record = fields(JSON.parse(json));
  } catch {
    throw new UnusableLabel('is no JSON object');
  }
  const openfda = fields(record.openfda);
  const setId = (texts(record.set_id)[0] ?? texts(openfda.spl_set_id)[0] ?? '').trim().toLowerCase();
  if (!SET_ID.test(setId)) throw new UnusableLabel('is no drug label: it has no set_id');
  const generics = texts(openfda.generic_name);
  const substances = texts(openfda.substance_name);
  return {
    setId,
    version: Number(texts(record.version)[0] ?? 0) || 0,
    effective: dayOf(texts(record.effective_time)[0] ?? ''),
    productType: (texts(openfda.product_type)[0] ?? '').toUpperCase(),
    // The substances of several products are in one list, which does not show which product contains which.
    products: (generics.length ? generics : substances.length ? [''] : []).map((generic) => ({ generic, substances })),
    elements: texts(record.spl_product_data_elements).join(' '),
    brands: texts(openfda.brand_name),
    routes: texts(openfda.route),
    classes: texts(openfda.pharm_class_epc),
    sections: sectionsOf(record),
  };
};
