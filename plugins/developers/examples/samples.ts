/** Values for examples, asked of this very base: an example with them finds something. */
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

/** Asks a route that lists: from within, or over HTTP. */
export type AskList = (routeId: string, query: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** A GTIN of any length: its last digit follows from the others. */
const isBarcode = (code: string): boolean => {
  const sum = [...code].reverse().reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
  return [8, 12, 13, 14].includes(code.length) && sum % 10 === 0;
};

/** Names of parameters with a value that this base knows; one without a value here is a placeholder on the page. */
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
