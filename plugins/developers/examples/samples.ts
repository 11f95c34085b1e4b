/** Reads parameter values for the examples from this instance, so that every example finds data. */
export type Samples = Readonly<Record<string, string | number>>;

const FIXED: Samples = {
  q: 'magnesium sleep',
  question: 'Does magnesium help people sleep?',
  supplement: 'st johns wort',
  supplement_slug: 'magnesium',
  drug: 'warfarin',
  name: 'turmeric',
  vertical: 'magnesium-sleep',
  direction: 'up',
};

type Listed = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Calls a list route, in process or over HTTP. */
export type AskList = (routeId: string, query: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** Returns whether a code is a GTIN (8, 12, 13 or 14 digits) with a valid check digit. */
const isBarcode = (code: string): boolean => {
  const sum = [...code].reverse().reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
  return [8, 12, 13, 14].includes(code.length) && sum % 10 === 0;
};

/** Returns sample values by parameter name. A parameter without a value here becomes a placeholder on the page. */
export const readSamples = async (ask: AskList): Promise<Samples> => {
  const { products = [] } = (await ask('products.list', { on_market: 0, page_size: 200 })) as Listed;
  const { sources = [] } = (await ask('sources.list', { vertical: FIXED.vertical, page_size: 1 })) as Listed;
  const barcode = products.map(({ upc }) => String(upc ?? '').replace(/\D/g, '')).find(isBarcode);
  return {
    ...FIXED,
    ...(products[0] && { dsld_id: Number(products[0].dsld_id) }),
    ...(sources[0] && { source_id: String(sources[0].source_id) }),
    ...(barcode && { barcode }),
  };
};
