/** Exports every product as a file. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Dataset } from '#core/plugin.ts';
import { toProduct } from './product-view.ts';
import { ProductReply } from './schemas.ts';
import type { ProductServices } from './services.ts';

/** Products per query. It is small because exports are not urgent and must not delay the readers of the same process. */
const PAGE = 100;

/** Pages by key alone, with ids above the last one. */
const idsAfter = async (em: EntityManager, after: number): Promise<number[]> => {
  const rows = (await em.execute('select dsld_id as id from product where dsld_id > ? order by dsld_id limit ?', [
    after,
    PAGE,
  ])) as unknown as { id: number }[];
  return rows.map(({ id }) => id);
};

export const productDataset: Dataset<ProductServices> = {
  name: 'products',
  title: 'Products',
  description:
    'Every product label: what is in it and how much, brand, form, what the label says, and whether it was on the market when last seen.',
  licence: {
    id: 'CC-PDM-1.0',
    name: 'Public Domain Mark 1.0',
    url: 'https://creativecommons.org/publicdomain/mark/1.0/',
    terms:
      'Facts of labels come from the Dietary Supplement Label Database of the US National Institutes of Health, in the public domain of the United States. Which supplement an ingredient is, is our own reading: CC BY 4.0. A picture that `image` names is not in the file and stands under the licence that it names. Names of products and brands belong to their owners.',
  },
  row: ProductReply,
  key: 'dsld_id',
  tables: ['product', 'label_image'],
  rows: async function* ({ services, db }) {
    for (let after: number | undefined = -1; after !== undefined; ) {
      const from: number = after;
      const ids = await db.read((em) => idsAfter(em, from));
      const [rows, images] = [await services.rows(ids), await services.primaryImages(ids)];
      yield rows.map((row) => toProduct(row, images.get(row.dsldId) ?? null));
      after = ids.at(-1);
    }
  },
};
