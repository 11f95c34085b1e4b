/** Queue of grants to be revoked at their vendor. Their rows name no device and remain until the vendor has responded. */
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { SealBroken, type Secrets } from '#core/secrets.ts';
import { vendorOf } from '../vendors/index.ts';
import { isPassing, VendorError } from '../vendors/vendor-error.ts';
import type { VendorSlug } from '../vitals.ts';
import { refreshGrant } from './client.ts';
import type { Programme, Programmes } from './programme.ts';
import { expiryOf } from './refreshing.ts';
import type { Syncing } from './syncing.ts';
import type { TokenShelf, Tokens } from './tokens.ts';
import { readConnections } from './tokens.ts';
import { vendorApi } from './vendor-api.ts';

/** Data needed to revoke a grant. */
export interface OldGrant {
  readonly tokens: Tokens;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970; null when unknown. */
  readonly expiresAt: number | null;
}

interface Row {
  readonly id: string;
  readonly vendor: VendorSlug;
  readonly sealed: Uint8Array;
  readonly attempts: number;
}

const PURPOSE = 'wearable_revocation';
const FIRST_RETRY_MS = 5 * 60_000;
const LONGEST_RETRY_MS = 24 * 3_600_000;
/** Age after which an unanswered revocation is abandoned. */
const KEPT_MS = 400 * 24 * 3_600_000;
/** Maximum number of grants per run of the job. */
const MOST_AT_ONCE = 200;

const sealed = (secrets: Secrets, id: string, grant: OldGrant): Buffer =>
  secrets.seal({ purpose: PURPOSE, id }, Buffer.from(JSON.stringify(grant)));

/** Queues a revocation. Returns the id of its row. */
export const addRevocation = async (
  { em, secrets }: TokenShelf,
  vendor: VendorSlug,
  { grant, now }: { readonly grant: OldGrant; readonly now: number },
): Promise<string> => {
  const id = randomBytes(16).toString('hex');
  await em.execute('insert into wearable_revocation (id, vendor, sealed, next_at) values (?, ?, ?, ?)', [
    id,
    vendor,
    sealed(secrets, id, grant),
    new Date(now),
  ]);
  return id;
};

/** Deletes one or all connections of a device and queues their grants for revocation. Returns the ids of the queued rows. */
export const releaseConnections = async (
  shelf: TokenShelf,
  {
    device,
    vendor = null,
    now,
  }: { readonly device: string; readonly vendor?: VendorSlug | null; readonly now: number },
): Promise<readonly string[]> => {
  await shelf.em.execute('select 1 from wearable_connection where device = ? for update', [device]);
  const ids: string[] = [];
  for (const connection of await readConnections(shelf, device)) {
    if (vendor !== null && connection.vendor !== vendor) continue;
    const { tokens, scopes, expiresAt } = connection;
    const grant = { tokens, scopes, expiresAt: expiresAt?.getTime() ?? null };
    const id = await addRevocation(shelf, connection.vendor, { grant, now });
    ids.push(id);
    await shelf.em.execute('delete from wearable_connection where device = ? and vendor = ?', [
      device,
      connection.vendor,
    ]);
  }
  const ofVendor = vendor === null ? '' : 'and vendor = ?';
  await shelf.em.execute(
    `delete from wearable_oauth_state where device = ? ${ofVendor}`,
    vendor === null ? [device] : [device, vendor],
  );
  return ids;
};

/** Claims a due row. The next attempt is scheduled before this one is made, so that a killed server does not retry faster. */
const claim = async (parts: Syncing, only: string | null): Promise<Row | null> => {
  const now = parts.now();
  const wait = `least(${LONGEST_RETRY_MS}, ${FIRST_RETRY_MS} * power(2, least(attempts, 20))) * interval '1 millisecond'`;
  const rows = (await parts.db.write((em: EntityManager) =>
    em.execute(
      `update wearable_revocation set attempts = attempts + 1, next_at = ?::timestamptz + ${wait}
       where id = (select id from wearable_revocation where next_at <= ? and (?::text is null or id = ?)
         order by next_at limit 1 for update skip locked) returning id, vendor, sealed, attempts`,
      [new Date(now), new Date(now), only, only],
    ),
  )) as unknown as Row[];
  return rows[0] ?? null;
};

/**
 * Returns a grant with a valid access token, because some vendors revoke a grant only with one. Refreshed tokens are stored in
 * case the revocation fails.
 */
const alive = async (parts: Syncing, programme: Programme, { row, grant }: { row: Row; grant: OldGrant }) => {
  const isOver = grant.expiresAt !== null && grant.expiresAt <= parts.now() + 30_000;
  if (!isOver || grant.tokens.refresh === null) return grant;
  const next = await refreshGrant(programme, grant.tokens.refresh, parts.patientFetch);
  const renewed: OldGrant = {
    tokens: { ...grant.tokens, access: next.access, refresh: next.refresh ?? grant.tokens.refresh },
    scopes: grant.scopes,
    expiresAt: expiryOf(next, parts.now())?.getTime() ?? null,
  };
  await parts.db.write((em) =>
    em.execute('update wearable_revocation set sealed = ? where id = ?', [
      sealed(parts.secrets, row.id, renewed),
      row.id,
    ]),
  );
  return renewed;
};

/**
 * Returns whether the revocation is finished. A permanent refusal also finishes it, because there is nothing left to revoke or
 * nothing that we could do.
 */
const revoke = async (parts: Syncing, programme: Programme, row: Row): Promise<boolean> => {
  const place = { purpose: PURPOSE, id: row.id };
  try {
    const grant = JSON.parse(parts.secrets.open(place, row.sealed).toString()) as OldGrant;
    // A grant without a readable token cannot be revoked.
    if (!grant.tokens.access) return true;
    const { tokens, scopes } = await alive(parts, programme, { row, grant });
    await programme.vendor.revoke(vendorApi(programme, parts.fetch, { tokens, scopes }));
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return true;
    if (!(error instanceof VendorError)) throw error;
    const { vendor } = row;
    parts.log.warn('wearable_revocation_failed', {
      vendor,
      why: error.kind,
      status: error.status,
      attempts: row.attempts,
    });
    return !isPassing(error);
  }
};

/** Revokes the due grants, or a single one. Returns how many are finished. */
export const revokeDue = async (
  parts: Syncing,
  programmes: Programmes,
  only: string | null = null,
): Promise<number> => {
  let ended = 0;
  await parts.db.write((em) =>
    em.execute('delete from wearable_revocation where created_at < ?', [new Date(parts.now() - KEPT_MS)]),
  );
  for (let count = 0; count < (only === null ? MOST_AT_ONCE : 1); count += 1) {
    parts.signal?.throwIfAborted();
    const row = await claim(parts, only);
    if (!row) return ended;
    // Without the operator's client no grant can be revoked; it waits until a client is configured again.
    const programme = programmes.of(vendorOf(row.vendor));
    if (!programme || !(await revoke(parts, programme, row))) continue;
    await parts.db.write((em) => em.execute('delete from wearable_revocation where id = ?', [row.id]));
    ended += 1;
  }
  return ended;
};
