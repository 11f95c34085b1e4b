/** Applies a batch of label patches to the tables: reads the current rows, merges, and writes the differences. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { type Change, recordChanges } from '#core/db/change-log.ts';
import type { LabelPatch, MarketStatus } from './label.ts';
import type { LabelMatcher } from './matching/matcher.ts';
import { applyPatch, type LabelState, stateOf, toldValue } from './merging.ts';
import { type ProductFields, type ProductRow, productRow, toldByRow } from './product-row.ts';

export interface ApplyCounts {
  added: number;
  changed: number;
  unchanged: number;
  /** Products whose market status was changed by a newer file. */
  status_changed: number;
}

/** A stored product as the merge requires it. */
export type Stored = ProductRow;

const COLUMNS = `dsld_id as "dsldId", name, brand, brand_slug as "brandSlug", upc, upc_printed as "upcPrinted", form,
  form_code as "formCode", product_type as "productType", type_code as "typeCode", serving_size as "servingSize",
  servings_per_container as "servingsPerContainer", net_contents as "netContents", on_market as "onMarket",
  to_char(status_as_of, 'YYYY-MM-DD') as "statusAsOf",
  to_char(market_status_changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "marketStatusChangedAt",
  to_char(entry_date, 'YYYY-MM-DD') as "entryDate", label_version as "labelVersion", target_groups as "targetGroups",
  claims, contacts, other_ingredients as "otherIngredients", statements, ingredients,
  ingredients_extent as "ingredientsExtent", label_relations as "labelRelations", supplements, origins, digest`;

/** Returns whole products by where clause; `?` marks a parameter. Days are strings, as in a label. */
export const readStored = async (em: EntityManager, where: string, parameters: readonly unknown[]): Promise<Stored[]> =>
  (await em.execute(`select ${COLUMNS} from product where ${where}`, [...parameters])) as Stored[];

const storedByIds = async (em: EntityManager, ids: readonly number[]): Promise<ReadonlyMap<number, Stored>> => {
  const rows = await readStored(em, 'dsld_id in (select value::int from jsonb_array_elements_text(?::jsonb))', [
    JSON.stringify(ids),
  ]);
  return new Map(rows.map((row) => [row.dsldId, row]));
};

/** Writes rows with the next change numbers. The caller must hold the lease, so that the numbers become visible in order. */
export const saveRows = async (em: EntityManager, rows: readonly ProductRow[]): Promise<void> => {
  if (!rows.length) return;
  const numbers = (await em.execute("select nextval('product_change')::int as number from generate_series(1, ?)", [
    rows.length,
  ])) as { number: number }[];
  const updatedAt = new Date().toISOString();
  await bulkUpsert(
    em,
    'product',
    ['dsldId'],
    rows.map((row, at) => ({ ...row, changeNumber: numbers[at]?.number, updatedAt, removedAt: null })),
  );
};

interface Merged {
  readonly before: Stored | null;
  readonly state: LabelState;
  readonly rival: MarketStatus | undefined;
}

/** Returns the market status of the patch that lost the merge, when it has one. */
const rivalOf = (before: LabelState, after: LabelState, { told }: LabelPatch): MarketStatus | undefined => {
  if (!told.market) return undefined;
  return after.get('market') === before.get('market') ? told.market : toldValue(before, 'market');
};

const merge = (patches: readonly LabelPatch[], stored: ReadonlyMap<number, Stored>): ReadonlyMap<number, Merged> => {
  const merged = new Map<number, Merged>();
  for (const patch of patches) {
    const before = stored.get(patch.dsldId) ?? null;
    const known = merged.get(patch.dsldId);
    const from = known?.state ?? (before ? stateOf(before.origins, toldByRow(before)) : new Map());
    const state = applyPatch(from, patch);
    merged.set(patch.dsldId, { before, state, rival: rivalOf(from, state, patch) ?? known?.rival });
  }
  return merged;
};

const UNKNOWN = { onMarket: null, statusAsOf: null, marketStatusChangedAt: null };

const STATUSES = `select dsld_id || ' ' || as_of::text || ' ' || source as status, on_market from product_status
  where dsld_id in (select value::int from jsonb_array_elements_text(?::jsonb))`;

/** Writes market statuses. Returns the ids of the products with a new or changed status. */
const saveStatuses = async (em: EntityManager, patches: readonly LabelPatch[]): Promise<ReadonlySet<number>> => {
  const rows = new Map<string, { dsldId: number; onMarket: boolean; asOf: string; source: string }>();
  for (const { dsldId, told, asOf, origin } of patches) {
    if (told.market)
      rows.set(`${dsldId} ${asOf} ${origin}`, { dsldId, onMarket: told.market.onMarket, asOf, source: origin });
  }
  const ids = [...new Set([...rows.values()].map(({ dsldId }) => dsldId))];
  const known = (await em.execute(STATUSES, [JSON.stringify(ids)])) as unknown as {
    status: string;
    on_market: boolean;
  }[];
  for (const { status, on_market: onMarket } of known) if (rows.get(status)?.onMarket === onMarket) rows.delete(status);
  await bulkUpsert(em, 'product_status', ['dsldId', 'asOf', 'source'], [...rows.values()]);
  return new Set([...rows.values()].map(({ dsldId }) => dsldId));
};

const isStatusChange = (row: ProductFields, before: Stored | null): before is Stored =>
  before !== null && before.onMarket !== null && row.onMarket !== null && before.onMarket !== row.onMarket;

const statusChange = (row: ProductFields, before: Stored): Change => ({
  kind: 'product.market_status_changed',
  subjectType: 'product',
  subjectId: String(row.dsldId),
  data: { name: row.name, brand: row.brand, from: before.onMarket, to: row.onMarket, as_of: row.statusAsOf },
});

const creation = ({ dsldId, name, brand }: ProductFields): Change => ({
  kind: 'product.created',
  subjectType: 'product',
  subjectId: String(dsldId),
  data: { name, brand },
});

/**
 * Applies a batch in the transaction of `em`. At most `mostEvents` changes of market status are logged individually; new
 * products are logged individually when there are at most `mostNews`, otherwise the import logs only their number.
 */
export const applyBatch = async (
  em: EntityManager,
  patches: readonly LabelPatch[],
  options: { readonly matcher: LabelMatcher; readonly mostEvents: number; readonly mostNews: number },
): Promise<ApplyCounts> => {
  const counts: ApplyCounts = { added: 0, changed: 0, unchanged: 0, status_changed: 0 };
  if (!patches.length) return counts;
  const stored = await storedByIds(em, [...new Set(patches.map(({ dsldId }) => dsldId))]);
  const told = await saveStatuses(em, patches);
  const rows: ProductRow[] = [];
  const changes: Change[] = [];
  const news: Change[] = [];
  for (const [dsldId, { before, state, rival }] of merge(patches, stored)) {
    const row = productRow(dsldId, state, { matcher: options.matcher, before: before ?? UNKNOWN, rival });
    if (before?.digest === row.digest) {
      counts.unchanged += 1;
      // The page of the product shows every recorded status, so the product counts as changed for its page.
      if (told.has(dsldId)) rows.push(row);
      continue;
    }
    counts[before ? 'changed' : 'added'] += 1;
    if (isStatusChange(row, before)) {
      counts.status_changed += 1;
      changes.push(statusChange(row, before));
    }
    if (!before) news.push(creation(row));
    rows.push(row);
  }
  await saveRows(em, rows);
  await recordChanges(em, [...(news.length <= options.mostNews ? news : []), ...changes.slice(0, options.mostEvents)]);
  return counts;
};
