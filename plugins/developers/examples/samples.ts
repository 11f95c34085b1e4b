/** Values for examples, asked of this very base: an example with them finds something. */
import type { Context } from '#core/plugin.ts';

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

const first = async (context: Context, routeId: string, member: string, query: object = {}): Promise<object> => {
  const { body } = await context.api.call(null, routeId, { query: { ...query } });
  const list = (body as Readonly<Record<string, readonly object[]>>)[member];
  return list?.[0] ?? {};
};

/** Names of parameters with a value that this base knows; one without a value here is a placeholder on the page. */
export const readSamples = async (context: Context): Promise<Samples> => {
  const [product, source, image] = await Promise.all([
    first(context, 'products.list', 'products', { supplement: 'magnesium', limit: 1 }),
    first(context, 'sources.list', 'sources', { vertical: 'magnesium-sleep', page_size: 1 }),
    context.api.call(null, 'products.list', { query: { q: 'vitamin d', limit: 20 } }),
  ]);
  const { dsld_id = 1 } = product as { dsld_id?: number };
  const { source_id = '' } = source as { source_id?: string };
  const listed = (image.body as { products: readonly { upc: string }[] }).products;
  const barcode = listed.map(({ upc }) => upc.replace(/\D/g, '')).find((code) => code.length === 12) ?? '';
  return { ...FIXED, dsld_id, source_id, ...(barcode && { barcode }) };
};
