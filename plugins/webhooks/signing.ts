/**
 * Signs messages according to Standard Webhooks 1.0.0: secrets `whsec_…` for `v1` (HMAC-SHA256), and an ed25519 pair for
 * `v1a` whose public key is shown.
 */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

export const SECRET_PREFIX = 'whsec_';
const PUBLIC_PREFIX = 'whpk_';
const SECRET_BYTES = 32;
const SEED_BYTES = 32;
const SHORTEST = 24;
const LONGEST = 64;
/** Rotation grace period: time for which a replaced secret still signs, in milliseconds. */
export const OVERLAP_MS = 24 * 3_600_000;
/**
 * Maximum number of previous generations of an endpoint whose secret is replaced repeatedly, so that the header remains
 * small.
 */
const MOST_PREVIOUS = 3;

/** One generation of signing keys of an endpoint: the secret and the ed25519 seed, in base64. */
interface Keys {
  readonly secret: string;
  readonly seed: string;
  /** Expiry in milliseconds; null for the current keys. */
  readonly until: number | null;
}

/** All generations, the current one first. */
export type KeyRing = readonly [Keys, ...Keys[]];

/** Parses a `whsec_` text to base64. Returns null when it has another form or does not have 24 to 64 bytes. */
export const readSecret = (given: string): string | null => {
  if (!given.startsWith(SECRET_PREFIX)) return null;
  const text = given.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(text, 'base64');
  const isSame = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isSame && bytes.length >= SHORTEST && bytes.length <= LONGEST ? bytes.toString('base64') : null;
};

const newKeys = (secret: string | null): Keys => ({
  secret: secret ?? randomBytes(SECRET_BYTES).toString('base64'),
  seed: randomBytes(SEED_BYTES).toString('base64'),
  until: null,
});

/**
 * Creates a key ring.
 * @param secret base64; generated when null.
 */
export const newRing = (secret: string | null): KeyRing => [newKeys(secret)];

/** Rotates a key ring: the new secret signs from now on, and the previous one signs too for a day. */
export const rotate = ([current, ...previous]: KeyRing, secret: string | null, now: number): KeyRing => {
  const kept = previous.filter(({ until }) => until !== null && until > now);
  return [newKeys(secret), ...[{ ...current, until: now + OVERLAP_MS }, ...kept].slice(0, MOST_PREVIOUS)];
};

export const shownSecret = ([{ secret }]: KeyRing): string => `${SECRET_PREFIX}${secret}`;

/** The PKCS #8 encoding (RFC 8410) of an ed25519 key consists of these bytes followed by the seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKeyOf = (seed: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, Buffer.from(seed, 'base64')]),
    format: 'der',
    type: 'pkcs8',
  });

/** Returns the public key: `whpk_` and its 32 bytes in base64. */
export const publicKeyOf = ([{ seed }]: KeyRing): string => {
  const der = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return `${PUBLIC_PREFIX}${der.subarray(-32).toString('base64')}`;
};

export interface Message {
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the signature header: one `v1` and one `v1a` signature for each generation that is still valid. */
export const signatureOf = (ring: KeyRing, { id, timestamp, body }: Message): string => {
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  return ring
    .filter(({ until }) => until === null || until > timestamp * 1000)
    .flatMap(({ secret, seed }) => [
      `v1,${createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('base64')}`,
      `v1a,${sign(null, signed, privateKeyOf(seed)).toString('base64')}`,
    ])
    .join(' ');
};

/** Purpose under which the secrets of endpoints are sealed. */
export const SEAL_PURPOSE = 'webhook_endpoint';

export const sealRing = (secrets: Secrets, id: string, ring: KeyRing): Buffer =>
  secrets.seal({ purpose: SEAL_PURPOSE, id }, Buffer.from(JSON.stringify(ring)));

export const openRing = (secrets: Secrets, id: string, sealed: Uint8Array): KeyRing =>
  JSON.parse(secrets.open({ purpose: SEAL_PURPOSE, id }, sealed).toString()) as KeyRing;
