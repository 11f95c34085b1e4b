/** Matches all products again when the vocabulary or the matcher changes, in batches in the background. */
import { setImmediate as turn } from 'node:timers/promises';
import { Fact } from '#core/db/entities.ts';
import { withLease } from '#core/db/lease.ts';
import type { Database } from '#core/plugin.ts';
import { CATALOGUE_LEASE } from './importing.ts';
import type { LabelMatcher } from './matching/matcher.ts';
import { stateOf } from './merging.ts';
import { productRow, toldByRow } from './product-row.ts';
import { readStored, saveRows } from './store.ts';

const BATCH = 1_000;
/**
 * Name of the stored progress. Its value is `<version> <dsld_id>` when products up to this id are matched with this version,
 * and `<version> done` when all are.
 */
const FACT = 'products.matched';

const readProgress = async (db: Database): Promise<string> =>
  (await db.read((em) => em.findOne(Fact, { name: FACT })))?.value ?? '';

/** Records that every product is matched with `version`. */
export const markMatched = (db: Database, version: string): Promise<unknown> =>
  db.write((em) => em.upsert(Fact, { name: FACT, value: `${version} done` }));

/** Matches one batch. Returns the last id of the batch, or null at the end. Only rows with a different result are written. */
const rematchBatch = (db: Database, after: number, options: { version: string; matcher: LabelMatcher }) =>
  db.write(async (em): Promise<{ last: number | null; changed: number }> => {
    const rows = await readStored(em, 'dsld_id > ? order by dsld_id limit ?', [after, BATCH]);
    const fresh = rows.flatMap((stored) => {
      const state = stateOf(stored.origins, toldByRow(stored));
      const row = productRow(stored.dsldId, state, { matcher: options.matcher, before: stored });
      return row.digest === stored.digest ? [] : [row];
    });
    await saveRows(em, fresh);
    const last = rows.length === BATCH ? (rows.at(-1)?.dsldId ?? null) : null;
    await em.upsert(Fact, { name: FACT, value: `${options.version} ${last ?? 'done'}` });
    return { last, changed: fresh.length };
  });

/**
 * Resumes where an earlier run with the same version stopped. Returns the number of changed products, or null while an import
 * holds the lease.
 */
export const rematchProducts = async (
  db: Database,
  options: { readonly version: string; readonly matcher: LabelMatcher; readonly signal: AbortSignal },
): Promise<number | null> => {
  const [version, place] = (await readProgress(db)).split(' ');
  if (version === options.version && place === 'done') return 0;
  let after: number | null = version === options.version ? Number(place) : 0;
  let changed = 0;
  while (after !== null) {
    options.signal.throwIfAborted();
    const from: number = after;
    const done = await withLease(db, CATALOGUE_LEASE, { waitSeconds: 0 }, () => rematchBatch(db, from, options));
    if (!done) return null;
    after = done.result.last;
    changed += done.result.changed;
    await turn();
  }
  return changed;
};
