/** Updates the product index from the table: reads the rows with a higher change number than the index, in order. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Database } from '#core/plugin.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { Ingredient } from '../label.ts';
import type { IndexedProduct, StatedAmount } from './product-columns.ts';
import { ProductIndex } from './product-index.ts';

/** Batch size, small enough that concurrent requests wait some ten milliseconds at most. */
const BATCH = 2_000;

interface FeedRow {
  readonly dsld_id: number;
  readonly name: string;
  readonly brand: string;
  readonly brand_slug: string;
  readonly form: string;
  readonly on_market: boolean | null;
  readonly supplements: readonly string[];
  readonly ingredients: readonly Ingredient[];
  readonly number: string;
  readonly gone: boolean;
}

/**
 * Empty lists of ingredients are not sent, because most products of the large list have none. Deleted rows are read only by
 * an index that may contain them.
 */
const ROWS = `select dsld_id, name, brand, brand_slug, form, on_market, supplements,
  case when ingredients = '[]'::jsonb then null else ingredients end as ingredients,
  change_number::text as number, removed_at is not null as gone
  from product where (change_number, dsld_id) > (?, ?) and (removed_at is null or ?) order by change_number, dsld_id limit ${BATCH}`;

const walk = function* (rows: readonly Ingredient[]): Iterable<Ingredient> {
  for (const row of rows) {
    yield row;
    yield* walk(row.children);
  }
};

const amountsOf = (rows: readonly Ingredient[]): StatedAmount[] =>
  [...walk(rows)].flatMap(({ supplement_slug: slug, amount, unit, source, is_blend: isBlend }) =>
    slug && amount !== null && amount > 0 && unit && !isBlend ? [{ slug, amount, unit, source }] : [],
  );

const toIndexed = (row: FeedRow, { supplements }: Terms): IndexedProduct => {
  const ingredients = row.ingredients ?? [];
  const names = row.supplements.map((slug) => supplements.get(slug)?.name ?? slug);
  return {
    dsldId: row.dsld_id,
    name: row.name,
    brand: row.brand,
    brandSlug: row.brand_slug,
    form: row.form,
    onMarket: row.on_market,
    supplements: row.supplements,
    amounts: amountsOf(ingredients),
    more: [...names, ...[...walk(ingredients)].map(({ name }) => name)].join(' '),
  };
};

/** The index and the change number up to which it is current. */
export interface ProductFeed {
  readonly index: ProductIndex;
  readonly changeNumber: number;
  /** Reads new rows; concurrent calls share one run. Returns the number of rows read. */
  catchUp(): Promise<number>;
  /** Resolves when no reading is in progress. */
  settled(): Promise<void>;
}

interface FeedParts {
  readonly db: Database;
  readonly terms: () => Promise<Terms>;
  /** Whether words are indexed with each batch instead of at the first search. */
  readonly readsWords: boolean;
}

export const createProductFeed = ({ db, terms, readsWords }: FeedParts): ProductFeed => {
  let [index, changeNumber, lastId] = [new ProductIndex(), 0, -1];
  let running: Promise<number> | null = null;
  const readOn = async (): Promise<number> => {
    if (index.isWorn) [index, changeNumber, lastId] = [new ProductIndex(), 0, -1];
    const [names, isFilled] = [await terms(), changeNumber > 0];
    const read = async (after: readonly [number, number]): Promise<readonly FeedRow[]> => {
      const rows = await db.read((em) => em.execute(ROWS, [...after, isFilled]));
      return rows as unknown as FeedRow[];
    };
    for (let [done, coming] = [0, read([changeNumber, lastId])]; ; ) {
      const rows = await coming;
      // Many products of one batch share a change number.
      const last = [Number(rows.at(-1)?.number ?? changeNumber), rows.at(-1)?.dsld_id ?? lastId] as const;
      const isLast = rows.length < BATCH;
      // The next batch is read while this one is indexed.
      if (!isLast) coming = read(last);
      coming.catch(() => undefined);
      for (const row of rows) {
        if (row.gone) index.remove(row.dsld_id);
        else index.add(toIndexed(row, names));
      }
      if (readsWords) index.readWords();
      [changeNumber, lastId] = last;
      done += rows.length;
      if (isLast) return done;
      await breathe();
    }
  };
  return {
    get index() {
      return index;
    },
    get changeNumber() {
      return changeNumber;
    },
    catchUp: () => {
      running ??= readOn().finally(() => {
        running = null;
      });
      return running;
    },
    settled: async () => {
      await running?.catch(() => undefined);
    },
  };
};
