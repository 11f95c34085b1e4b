/** Fetches the days of one connection, and records the outcome in its row. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Log } from '#core/log.ts';
import { plusDays } from '../vendors/reading.ts';
import type { Span } from '../vendors/vendor.ts';
import { VendorError, type VendorErrorKind } from '../vendors/vendor-error.ts';
import type { DailyRow } from '../vitals.ts';
import type { Programme } from './programme.ts';
import { freshConnection, type Refreshing } from './refreshing.ts';
import type { Whose } from './states.ts';
import { type Connection, readConnection } from './tokens.ts';
import { vendorApi } from './vendor-api.ts';

export type SyncResult =
  | { readonly outcome: 'synced'; readonly days: number }
  /** `why` is a key of TROUBLE_WORDS. */
  | { readonly outcome: 'failed'; readonly why: VendorErrorKind; readonly retryAt: Date }
  /** The vendor requested a pause or failed recently, so no request was sent. */
  | { readonly outcome: 'waiting'; readonly retryAt: Date }
  | { readonly outcome: 'needs_reauth' | 'not-connected' | 'not-configured' };

/** Stores the days in the transaction that records the success. */
export type KeepDays = (em: EntityManager, rows: readonly DailyRow[]) => Promise<void>;

export interface Syncing extends Refreshing {
  readonly log: Log;
}

/** Number of days of the first synchronisation. */
const BACKFILL_DAYS = 180;
/**
 * Number of days to fetch again, because vendors correct days later: a watch that was synchronised late, a night that was scored
 * again.
 */
const AGAIN_DAYS = 5;
const EVERY_MS = 6 * 3_600_000;
const FIRST_RETRY_MS = 15 * 60_000;
const LONGEST_RETRY_MS = 24 * 3_600_000;
/** Maximum pause, even if the vendor requests a longer one. */
const LONGEST_PAUSE_MS = 7 * 24 * 3_600_000;

/** Returns the span to fetch. It extends one day beyond today in UTC, because it is already tomorrow in some time zones. */
const spanOf = ({ syncedTo }: Connection, { vendor }: Programme, now: number): Span => {
  const today = new Date(now).toISOString().slice(0, 10);
  const oldest = plusDays(today, 1 - Math.min(BACKFILL_DAYS, vendor.reachesBackDays ?? BACKFILL_DAYS));
  const from = syncedTo ? plusDays(syncedTo, -AGAIN_DAYS) : oldest;
  return { from: from > oldest ? from : oldest, to: plusDays(today, 1) };
};

/**
 * Returns the time of the next attempt: 15 minutes, doubled with each failure, and never before the time that the vendor
 * requested.
 */
const retryAt = (failures: number, { retryAfterSeconds }: VendorError, now: number): Date => {
  const backOff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
  const asked = Math.min(LONGEST_PAUSE_MS, (retryAfterSeconds ?? 0) * 1_000);
  return new Date(now + Math.max(backOff, asked));
};

interface Fetched {
  readonly rows: readonly DailyRow[];
  readonly keep: KeepDays;
  /** Whether the vendor only pushes data. A fetch without days then does not update the time of the last synchronisation. */
  readonly isPushed: boolean;
}

const succeed = (parts: Syncing, before: Connection, { rows, keep, isPushed }: Fetched) =>
  parts.db.write(async (em): Promise<SyncResult> => {
    const row = await readConnection({ em, secrets: parts.secrets }, before, { lock: true });
    // The connection was removed or replaced during the fetch, perhaps by another person's account, so nothing is stored.
    if (row?.connectedAt.getTime() !== before.connectedAt.getTime()) return { outcome: 'not-connected' };
    const now = parts.now();
    const today = new Date(now).toISOString().slice(0, 10);
    await keep(em, rows);
    await em.execute(
      `update wearable_connection set last_sync_at = coalesce(?, last_sync_at), synced_to = ?, next_sync_at = ?, failures = 0, blocked_until = null
       where device = ? and vendor = ?`,
      [isPushed ? null : new Date(now), today, new Date(now + EVERY_MS), before.device, before.vendor],
    );
    return { outcome: 'synced', days: rows.length };
  });

const fail = async (parts: Syncing, { device, vendor }: Whose, trouble: VendorError): Promise<SyncResult> => {
  const until = await parts.db.write(async (em) => {
    const row = await readConnection({ em, secrets: parts.secrets }, { device, vendor }, { lock: true });
    const at = retryAt(row?.failures ?? 0, trouble, parts.now());
    await em.execute(
      `update wearable_connection set failures = failures + 1, blocked_until = ?, next_sync_at = ?
       where device = ? and vendor = ?`,
      [at, at, device, vendor],
    );
    return at;
  });
  parts.log.warn('wearable_sync_failed', { vendor, why: trouble.kind, status: trouble.status });
  return { outcome: 'failed', why: trouble.kind, retryAt: until };
};

/**
 * Converts an error to a VendorError. Vendor responses must not appear in the log, so only the name and the location of an
 * adapter's own error are logged.
 */
const troubleIn = (parts: Syncing, { vendor }: Whose, error: unknown): VendorError => {
  if (error instanceof VendorError) return error;
  parts.signal?.throwIfAborted();
  const { name, stack = '' } = error instanceof Error ? error : new Error('unknown');
  const place = /\/plugins\/wearables\/\S+:\d+/.exec(stack)?.[0] ?? '';
  parts.log.error('wearable_sync_broken', { vendor, name, place });
  return new VendorError('unreadable');
};

/** Fetches the days. A rejected token is refreshed once, regardless of its expiry. */
const fetchDays = async (parts: Syncing, programme: Programme, first: Connection) => {
  let connection = first;
  for (let attempt = 1; ; attempt += 1) {
    const api = vendorApi(programme, parts.fetch, connection);
    try {
      return { connection, rows: await programme.vendor.fetchDays(api, spanOf(connection, programme, parts.now())) };
    } catch (error) {
      const isRefused = error instanceof VendorError && error.kind === 'unauthorized';
      if (!isRefused || attempt > 1) throw error;
      const fresh = await freshConnection(parts, programme, { whose: connection, refused: connection.revision });
      if (fresh === 'gone' || fresh === 'dead') return fresh;
      connection = fresh;
    }
  }
};

export const syncConnection = async (
  parts: Syncing,
  programme: Programme,
  { whose, keep }: { readonly whose: Whose; readonly keep: KeepDays },
): Promise<SyncResult> => {
  const row = await parts.db.read((em) => readConnection({ em, secrets: parts.secrets }, whose));
  if (!row) return { outcome: 'not-connected' };
  if (row.blockedUntil && row.blockedUntil.getTime() > parts.now())
    return { outcome: 'waiting', retryAt: row.blockedUntil };
  let fetched: Awaited<ReturnType<typeof fetchDays>>;
  try {
    const fresh = await freshConnection(parts, programme, { whose });
    fetched = fresh === 'gone' || fresh === 'dead' ? fresh : await fetchDays(parts, programme, fresh);
  } catch (error) {
    return fail(parts, whose, troubleIn(parts, whose, error));
  }
  if (fetched === 'gone') return { outcome: 'not-connected' };
  if (fetched === 'dead') return { outcome: 'needs_reauth' };
  const isPushed = programme.vendor.isPushed ?? false;
  return succeed(parts, fetched.connection, { rows: fetched.rows, keep, isPushed });
};
