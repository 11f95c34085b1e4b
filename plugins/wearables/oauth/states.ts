/** Stores OAuth states: 32 random bytes, stored as a hash for 15 minutes, each valid once, for one device and vendor. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { SealBroken, type Secrets } from '#core/secrets.ts';
import type { VendorSlug } from '../vitals.ts';

const STATE_BYTES = 32;
export const STATE_MINUTES = 15;
/** Maximum number of states per device, for a person who opens the page in several tabs. */
const MOST_STATES = 10;
const PURPOSE = 'wearable_oauth_state';

const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex');

/** Compares two texts in constant time. */
const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
};

export interface Whose {
  readonly device: string;
  readonly vendor: VendorSlug;
}

interface Shelf {
  readonly em: EntityManager;
  readonly secrets: Secrets;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Stores the verifier of a flow. Returns its state. The device must exist. */
export const addState = async ({ em, secrets, now }: Shelf, { device, vendor }: Whose, verifier: string) => {
  const state = randomBytes(STATE_BYTES).toString('base64url');
  const hash = hashOf(state);
  await em.execute('delete from wearable_oauth_state where expires_at <= ?', [new Date(now)]);
  await em.execute(
    `delete from wearable_oauth_state where device = ? and state_hash not in
     (select state_hash from wearable_oauth_state where device = ? order by expires_at desc limit ${MOST_STATES - 1})`,
    [device, device],
  );
  await em.execute(
    'insert into wearable_oauth_state (state_hash, device, vendor, sealed, expires_at) values (?, ?, ?, ?, ?)',
    [
      hash,
      device,
      vendor,
      secrets.seal({ purpose: PURPOSE, id: hash }, Buffer.from(verifier)),
      new Date(now + STATE_MINUTES * 60_000),
    ],
  );
  return state;
};

/**
 * Consumes a state, whoever presents it. Returns its verifier if it belongs to this device and vendor and has not expired,
 * otherwise null.
 */
export const takeState = async (
  { em, secrets, now }: Shelf,
  state: string,
  { device, vendor }: { readonly device: string | null; readonly vendor: VendorSlug },
): Promise<string | null> => {
  const hash = hashOf(state);
  const [row] = (await em.execute(
    'delete from wearable_oauth_state where state_hash = ? returning device, vendor, sealed, expires_at',
    [hash],
  )) as unknown as { device: string; vendor: string; sealed: Uint8Array; expires_at: Date | string }[];
  const isOurs = isSame(row?.device ?? '', device ?? '') && isSame(row?.vendor ?? '', vendor);
  if (!row || device === null || !isOurs || new Date(row.expires_at).getTime() <= now) return null;
  try {
    return secrets.open({ purpose: PURPOSE, id: hash }, row.sealed).toString();
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
};

/** Returns the vendors for which this device has a pending flow. */
export const pendingVendors = async (em: EntityManager, device: string, now: number): Promise<ReadonlySet<string>> => {
  const rows = (await em.execute(
    'select distinct vendor from wearable_oauth_state where device = ? and expires_at > ?',
    [device, new Date(now)],
  )) as unknown as { vendor: string }[];
  return new Set(rows.map(({ vendor }) => vendor));
};
