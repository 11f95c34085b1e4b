/** Stores connections: one row per device and vendor, with tokens that are sealed and bound to that row. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { SealBroken, type Secrets } from '#core/secrets.ts';
import type { VendorSlug } from '../vitals.ts';
import type { Grant } from './client.ts';
import type { Whose } from './states.ts';

export interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
  /** The vendor's identifier of the user. */
  readonly user: string | null;
}

export interface Connection {
  readonly device: string;
  readonly vendor: VendorSlug;
  readonly status: 'connected' | 'needs_reauth';
  /** Incremented with each change of the tokens, including a new connection. */
  readonly revision: number;
  readonly tokens: Tokens;
  readonly scopes: readonly string[];
  readonly connectedAt: Date;
  readonly expiresAt: Date | null;
  readonly lastSyncAt: Date | null;
  /** Last day that was fetched, `YYYY-MM-DD`. */
  readonly syncedTo: string | null;
  readonly failures: number;
  /** No request is sent to the vendor before this time. */
  readonly blockedUntil: Date | null;
  /** Until this time, a process holds the lease to refresh the tokens. */
  readonly claimedUntil: Date | null;
}

interface Row {
  readonly device: string;
  readonly vendor: VendorSlug;
  readonly status: Connection['status'];
  readonly token_revision: number;
  readonly sealed: Uint8Array;
  readonly scopes: readonly string[];
  readonly connected_at: Date | string;
  readonly expires_at: Date | string | null;
  readonly last_sync_at: Date | string | null;
  readonly synced_to: string | null;
  readonly failures: number;
  readonly blocked_until: Date | string | null;
  readonly refresh_claimed_until: Date | string | null;
}

const COLUMNS = `device, vendor, status, token_revision, sealed, to_jsonb(scopes) as scopes, connected_at, expires_at,
  last_sync_at, to_char(synced_to, 'YYYY-MM-DD') as synced_to, failures, blocked_until, refresh_claimed_until`;
const PURPOSE = 'wearable_token';
const USER_PURPOSE = 'wearable_vendor_user';

export interface TokenShelf {
  readonly em: EntityManager;
  readonly secrets: Secrets;
}

const placeOf = ({ device, vendor }: Whose) => ({ purpose: PURPOSE, id: `${device}/${vendor}` });
const timeOf = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));

/** Placeholder for tokens that cannot be unsealed because the installation lost its secret. */
export const LOST: Tokens = { access: '', refresh: null, user: null };

const tokensOf = (secrets: Secrets, row: Row): Tokens => {
  try {
    return JSON.parse(secrets.open(placeOf(row), row.sealed).toString()) as Tokens;
  } catch (error) {
    if (error instanceof SealBroken) return LOST;
    throw error;
  }
};

const opened = (secrets: Secrets, row: Row): Connection => {
  const tokens = tokensOf(secrets, row);
  return { ...plainly(row), tokens, status: tokens === LOST ? 'needs_reauth' : row.status };
};

const plainly = (row: Row): Omit<Connection, 'tokens' | 'status'> => ({
  device: row.device,
  vendor: row.vendor,
  revision: row.token_revision,
  scopes: row.scopes,
  connectedAt: new Date(row.connected_at),
  expiresAt: timeOf(row.expires_at),
  lastSyncAt: timeOf(row.last_sync_at),
  syncedTo: row.synced_to,
  failures: row.failures,
  blockedUntil: timeOf(row.blocked_until),
  claimedUntil: timeOf(row.refresh_claimed_until),
});

const sealed = (secrets: Secrets, whose: Whose, tokens: Tokens): Buffer =>
  secrets.seal(placeOf(whose), Buffer.from(JSON.stringify(tokens)));

/** Returns the connection, or null if there is none. With `lock`, the row is locked until the transaction ends. */
export const readConnection = async (
  { em, secrets }: TokenShelf,
  { device, vendor }: Whose,
  { lock = false } = {},
): Promise<Connection | null> => {
  const [row] = (await em.execute(
    `select ${COLUMNS} from wearable_connection where device = ? and vendor = ? ${lock ? 'for update' : ''}`,
    [device, vendor],
  )) as unknown as Row[];
  return row ? opened(secrets, row) : null;
};

/** Returns all connections of a device. */
export const readConnections = async ({ em, secrets }: TokenShelf, device: string): Promise<readonly Connection[]> => {
  const rows = (await em.execute(`select ${COLUMNS} from wearable_connection where device = ? order by vendor`, [
    device,
  ])) as unknown as Row[];
  return rows.map((row) => opened(secrets, row));
};

/**
 * Returns pseudonyms that recognise a vendor's user without identifying the person: that of the current secret first, then those
 * of earlier secrets.
 */
export const userKeys = (secrets: Secrets, vendor: VendorSlug, user: string): readonly [string, ...string[]] =>
  secrets.pseudonyms(USER_PURPOSE, `${vendor}\0${user}`);

export interface NewConnection {
  readonly tokens: Tokens;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly now: Date;
}

/** Adds the connection or replaces the existing one. Returns false if the device no longer exists. */
export const putConnection = async (
  { em, secrets }: TokenShelf,
  whose: Whose,
  { tokens, scopes, expiresAt, now }: NewConnection,
): Promise<boolean> => {
  const { device, vendor } = whose;
  const known = (await em.execute('select 1 from device where hash = ? for key share', [device])) as unknown[];
  if (!known.length) return false;
  await em.execute(
    `insert into wearable_connection (device, vendor, status, sealed, scopes, connected_at, expires_at, next_sync_at, vendor_user)
     values (?, ?, 'connected', ?, array(select jsonb_array_elements_text(?::jsonb)), ?, ?, ?, ?)
     on conflict (device, vendor) do update set status = 'connected', sealed = excluded.sealed, scopes = excluded.scopes,
       token_revision = wearable_connection.token_revision + 1, connected_at = excluded.connected_at,
       expires_at = excluded.expires_at, next_sync_at = excluded.next_sync_at, vendor_user = excluded.vendor_user,
       synced_to = null, failures = 0, blocked_until = null, refresh_claimed_until = null`,
    [
      device,
      vendor,
      sealed(secrets, whose, tokens),
      JSON.stringify(scopes),
      now,
      expiresAt,
      now,
      tokens.user === null ? null : userKeys(secrets, vendor, tokens.user)[0],
    ],
  );
  return true;
};

/** Stores new tokens of the same connection. The caller must hold the row lock. */
export const renewTokens = async (
  { em, secrets }: TokenShelf,
  { device, vendor, tokens, scopes }: Connection,
  { grant, expiresAt }: { readonly grant: Grant; readonly expiresAt: Date | null },
): Promise<void> => {
  const next = { access: grant.access, refresh: grant.refresh ?? tokens.refresh, user: grant.user ?? tokens.user };
  await em.execute(
    `update wearable_connection set sealed = ?, scopes = array(select jsonb_array_elements_text(?::jsonb)), expires_at = ?,
       token_revision = token_revision + 1, refresh_claimed_until = null where device = ? and vendor = ?`,
    [sealed(secrets, { device, vendor }, next), JSON.stringify(grant.scopes ?? scopes), expiresAt, device, vendor],
  );
};

/** Marks the connection as requiring a new authorisation by the person. */
export const markDead = async (em: EntityManager, { device, vendor }: Whose): Promise<void> => {
  await em.execute(
    `update wearable_connection set status = 'needs_reauth', refresh_claimed_until = null where device = ? and vendor = ?`,
    [device, vendor],
  );
};

/** Sets the expiry of the refresh lease; null releases it. */
export const setClaim = async (em: EntityManager, { device, vendor }: Whose, until: Date | null): Promise<void> => {
  await em.execute('update wearable_connection set refresh_claimed_until = ? where device = ? and vendor = ?', [
    until,
    device,
    vendor,
  ]);
};

/**
 * Moves connections to another device and seals them anew, because they are bound to their device. Existing connections of the
 * target device are preserved.
 */
export const moveConnections = async (
  shelf: TokenShelf,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const { em, secrets } = shelf;
  const own = new Set((await readConnections(shelf, to)).map(({ vendor }) => vendor));
  for (const { vendor, tokens } of await readConnections(shelf, from)) {
    if (own.has(vendor)) continue;
    await em.execute('update wearable_connection set device = ?, sealed = ? where device = ? and vendor = ?', [
      to,
      sealed(secrets, { device: to, vendor }, tokens),
      from,
      vendor,
    ]);
  }
};
