/** Maps each table of the CSV download to fields of a label. */
import { readCoded, readCodedList } from '../codes.ts';
import type { Contact, Ingredient, Origin, Statement, Told } from '../label.ts';
import { dayOf, isNotPrinted, numberOf, textOf, unitOf } from './values.ts';

/** Returns the cell of a row by the name of its column. */
export type Cells = (column: string) => string;

export interface TableKind {
  readonly id: string;
  readonly origin: Origin;
  /** Columns that identify the table. */
  readonly marks: readonly string[];
  /** Converts all rows of one label, which are consecutive. */
  told(rows: readonly Cells[], extra: readonly (readonly string[])[]): Told;
}

const orNothing = <T>(value: T | null): { readonly value: T } | null => (value === null ? null : { value });

/** Parses "On Market", "On Market in DSLD and NHANES" and similar. Returns null when the text has neither status. */
const marketOf = (text: string): boolean | null =>
  /\bon market\b/i.test(text) ? true : /\boff market\b/i.test(text) ? false : null;

const overview: TableKind = {
  id: 'ProductOverview',
  origin: 'dsld-csv',
  marks: ['Brand Name', 'Market Status'],
  told: ([cell]) => {
    if (!cell) return {};
    const market = orNothing(marketOf(cell('Market Status')));
    const entry = dayOf(cell('Date Entered into DSLD'));
    const form = readCoded('form', cell('Supplement Form [LanguaL]'));
    const type = readCoded('type', cell('Product Type [LanguaL]'));
    const use = cell('Suggested Use');
    return {
      name: cell('Product Name'),
      brand: cell('Brand Name'),
      upc_printed: cell('Bar Code'),
      net_contents: cell('Net Contents'),
      serving_size: cell('Serving Size'),
      ...(form && { form }),
      ...(type && { product_type: type }),
      ...(entry && { entry_date: entry }),
      ...(market && { market: { onMarket: market.value, leftOn: null } }),
      ...(use && { suggested_use: use }),
    };
  },
};

const amountOf = (text: string, unit: string): { amount: number | null; operator: string } => {
  const [, operator = '', digits = ''] = /^([<>≤≥]?)\s*(.*)$/s.exec(text.trim()) ?? [];
  const amount = isNotPrinted(unit) ? null : numberOf(digits);
  return amount === null ? { amount: null, operator: '' } : { amount, operator: operator || '=' };
};

const factOf = (cell: Cells): Ingredient => {
  const unit = cell('Amount Per Serving Unit');
  const { amount, operator } = amountOf(cell('Amount Per Serving'), unit);
  const category = cell('DSLD Ingredient Categories');
  return {
    name: cell('Ingredient'),
    amount,
    unit: amount === null ? '' : unitOf(unit),
    operator,
    dv_percent: numberOf(cell('% Daily Value per Serving').replace(/^[<>]?\s*|\s*%$/g, '')),
    is_blend: category === 'blend',
    category,
    group: '',
    unii: '',
    form: '',
    supplement_slug: null,
    source: 'label',
    children: [],
  };
};

const facts: TableKind = {
  id: 'DietarySupplementFacts',
  origin: 'dsld-csv',
  marks: ['Ingredient', 'Amount Per Serving'],
  told: (rows) => {
    const named = rows.filter((cell) => cell('Ingredient') !== '');
    // There is one row per population group of the daily value; the first one is the label's own.
    const seen = new Set<string>();
    const ingredients: Ingredient[] = [];
    for (const cell of named) {
      const key = `${cell('Ingredient')}\0${cell('Amount Per Serving')}\0${cell('Amount Per Serving Unit')}`;
      if (cell('Daily Value Target Group') !== '' && seen.has(key)) continue;
      seen.add(key);
      ingredients.push(factOf(cell));
    }
    const serving = rows[0]?.('Serving Size') ?? '';
    return { name: rows[0]?.('Product Name') ?? '', ingredients, ...(serving && { serving_size: serving }) };
  },
};

const others: TableKind = {
  id: 'OtherIngredients',
  origin: 'dsld-csv',
  marks: ['Other Ingredients'],
  told: ([cell]) => {
    const list = cell?.('Other Ingredients') ?? '';
    const named = list.split(/;\s*/).filter((name) => name !== '' && name.toLowerCase() !== 'none');
    return { name: cell?.('Product Name') ?? '', ...(list && { other_ingredients: named }) };
  },
};

const statements: TableKind = {
  id: 'LabelStatements',
  origin: 'dsld-csv',
  marks: ['Statement Type', 'Statement'],
  told: (rows) => {
    const told = rows.map((cell): Statement => ({ type: cell('Statement Type'), text: cell('Statement') }));
    return { name: rows[0]?.('Product Name') ?? '', statements: told.filter(({ text }) => text !== '') };
  },
};

const ROLES = ['Manufacturer', 'Distributor', 'Packager', 'Reseller', 'Other'] as const;

const companies: TableKind = {
  id: 'CompanyInformation',
  origin: 'dsld-csv',
  marks: ['Company Name', 'Manufacturer'],
  told: (rows) => {
    const contacts = rows.map(
      (cell): Contact => ({
        name: cell('Company Name'),
        roles: ROLES.filter((role) => cell(role).toLowerCase() === 'yes').map((role) => role.toLowerCase()),
        address: cell('Address'),
        city: cell('City'),
        state: cell('State'),
        zip: cell('ZIP'),
        country: cell('Country'),
        phone: '',
        email: '',
        web: '',
      }),
    );
    return { name: rows[0]?.('Product Name') ?? '', contacts };
  },
};

/**
 * Parses a history: "On Market in DSLD", "Date - Entered into DSLD: April 25, 2019", "…;; Date - Off Market: June 2, 2016".
 */
const historyOf = (cells: readonly string[]) => {
  const history = cells.join(';;');
  const entered = /Date - Entered into DSLD: ([A-Z][a-z]+ \d{1,2}, \d{4})/.exec(history)?.[1] ?? '';
  const left = /Date - Off Market: ([A-Z][a-z]+ \d{1,2}, \d{4})/.exec(history)?.[1] ?? '';
  const onMarket = marketOf(history.replace(/Date - [^:]{0,100}: /g, ''));
  return { entered: dayOf(entered), left: dayOf(left), onMarket };
};

const unlessNotGiven = (text: string): string => (/^NP$/i.test(text) ? '' : text);

const list2019: TableKind = {
  id: 'the list of 2019',
  origin: 'dsld-list',
  marks: ['Tracking History', 'LanguaL - Product Type'],
  told: ([cell], [tracking]) => {
    if (!cell) return {};
    const { entered, left, onMarket } = historyOf(tracking ?? []);
    const form = readCoded('form', cell('LanguaL - Supplement Form'));
    const type = readCoded('type', cell('LanguaL - Product Type'));
    const joined = (...columns: string[]): string =>
      columns
        .map((column) => unlessNotGiven(cell(column)))
        .join(' ')
        .trim();
    return {
      name: cell('Product Name'),
      brand: cell('Brand Name'),
      net_contents: joined('Net Contents', 'Net Content Unit'),
      serving_size: joined('Serving Size Quantity', 'Serving Size Unit'),
      claims: readCodedList('claim', cell('LanguaL - Dietary Claim(s) or Use(s)')),
      target_groups: readCodedList('group', cell('LanguaL - Intended Target Group(s)')),
      ...(form && { form }),
      ...(type && { product_type: type }),
      ...(entered && { entry_date: entered }),
      ...(onMarket !== null && { market: { onMarket, leftOn: onMarket ? null : left } }),
    };
  },
};

export const TABLE_KINDS: readonly TableKind[] = [list2019, overview, facts, others, statements, companies];

/** Returns the table of a header, or null. */
export const tableOf = (header: readonly string[]): TableKind | null =>
  TABLE_KINDS.find(({ marks }) => ['DSLD ID', ...marks].every((mark) => header.includes(mark))) ?? null;

/** Returns the columns of a header, without the byte order mark that some exports have. */
export const headerOf = (cells: readonly string[]): string[] =>
  cells.map((cell) => textOf(cell.replace(/^\ufeff/, '')));
