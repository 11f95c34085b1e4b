/**
 * Returns valid tokens. One process at a time refreshes the tokens of a connection: it takes a lease in the row, and others wait
 * and read the row again. The row lock is held only for reading and writing, never during a request to the vendor: the embedded
 * database has one session, and a slow vendor would block the site.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#core/plugin.ts';
import type { Secrets } from '#core/secrets.ts';
import { VendorError } from '../vendors/vendor-error.ts';
import { type Grant, refreshGrant } from './client.ts';
import type { VendorFetch } from './fetching.ts';
import type { Programme } from './programme.ts';
import type { Whose } from './states.ts';
import { type Connection, markDead, readConnection, renewTokens, setClaim } from './tokens.ts';

/** A token that expires within this time is refreshed first. */
const MARGIN_MS = 60_000;
/** Duration of the lease. It exceeds the longest refresh, and ends the lease of a killed server. */
const CLAIM_MS = 60_000;
const LOOK_AGAIN_MS = 100;

export interface Refreshing {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly fetch: VendorFetch;
  /** Fetch that `signal` does not abort, because a refresh that was sent may already have changed the token. */
  readonly patientFetch: VendorFetch;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/** `gone`: no longer connected. `dead`: the person has to connect again. */
export type Fresh = Connection | 'gone' | 'dead';

/** Maximum lifetime of a token. Ten years count as "never", and longer values exceed the range of a date. */
const LONGEST_MS = 10 * 366 * 86_400_000;

export const expiryOf = ({ expiresInSeconds }: Grant, now: number): Date | null =>
  expiresInSeconds === null ? null : new Date(now + Math.min(LONGEST_MS, expiresInSeconds * 1_000));

const isEnding = ({ expiresAt }: Connection, now: number): boolean =>
  expiresAt !== null && expiresAt.getTime() - now < MARGIN_MS;

type Look = { readonly is: 'fresh' | 'claimed'; readonly connection: Connection } | 'busy' | 'gone' | 'dead';

interface Known {
  /** Revision that the vendor rejected. */
  readonly refused: number | null;
  /** Revision that was refreshed just now. Its successor is used even if it expires soon. */
  readonly replaced: number;
}

/** Reads the row under its lock, and takes the lease if a refresh is needed. */
const look = (parts: Refreshing, whose: Whose, { refused, replaced }: Known): Promise<Look> =>
  parts.db.write(async (em) => {
    const now = parts.now();
    const connection = await readConnection({ em, secrets: parts.secrets }, whose, { lock: true });
    if (!connection) return 'gone';
    if (connection.status === 'needs_reauth') {
      await markDead(em, whose);
      return 'dead';
    }
    const isNew = connection.revision > replaced || !isEnding(connection, now);
    if (connection.revision !== refused && isNew) return { is: 'fresh', connection };
    if (connection.tokens.refresh === null) {
      const isOver = connection.revision === refused || (connection.expiresAt?.getTime() ?? now) <= now;
      if (!isOver) return { is: 'fresh', connection };
      await markDead(em, whose);
      return 'dead';
    }
    if (connection.claimedUntil && connection.claimedUntil.getTime() > now) return 'busy';
    await setClaim(em, whose, new Date(now + CLAIM_MS));
    return { is: 'claimed', connection };
  });

/**
 * Returns whether the row is unchanged since it was claimed. Otherwise the person connected again, and the new connection takes
 * precedence.
 */
const isStill = (before: Connection, now: Connection | null): now is Connection =>
  now !== null && now.revision === before.revision && now.tokens.refresh === before.tokens.refresh;

const settle = (parts: Refreshing, before: Connection, result: Grant | VendorError): Promise<void> =>
  parts.db.write(async (em) => {
    const shelf = { em, secrets: parts.secrets };
    const row = await readConnection(shelf, before, { lock: true });
    if (!isStill(before, row)) return;
    if (!(result instanceof VendorError)) {
      await renewTokens(shelf, row, { grant: result, expiresAt: expiryOf(result, parts.now()) });
    } else if (result.kind === 'invalid_grant') {
      await markDead(em, before);
    } else {
      await setClaim(em, before, null);
    }
  });

/**
 * Returns a connection with a valid token.
 * @param refused the revision that the vendor rejected, or null
 * @throws VendorError when the vendor cannot be reached now; the connection is unchanged
 */
export const freshConnection = async (
  parts: Refreshing,
  programme: Programme,
  { whose, refused = null }: { readonly whose: Whose; readonly refused?: number | null },
): Promise<Fresh> => {
  let replaced = Number.POSITIVE_INFINITY;
  for (;;) {
    parts.signal?.throwIfAborted();
    const found = await look(parts, whose, { refused, replaced });
    if (found === 'gone' || found === 'dead') return found;
    if (found === 'busy') {
      await sleep(LOOK_AGAIN_MS);
      continue;
    }
    const { is, connection } = found;
    if (is === 'fresh') return connection;
    const result = await refreshGrant(programme, connection.tokens.refresh ?? '', parts.patientFetch).catch(
      async (error) => {
        if (error instanceof VendorError) return error;
        await parts.db.write((em) => setClaim(em, whose, null));
        throw error;
      },
    );
    await settle(parts, connection, result);
    // All other results are recorded in the row, which the next iteration reads.
    if (result instanceof VendorError && result.kind !== 'invalid_grant') throw result;
    replaced = connection.revision;
  }
};
