/** Standard Webhooks 1.0.0: secrets `whsec_…` for `v1` (HMAC-SHA256), and an ed25519 pair for `v1a` whose public half is shown. */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

export const SECRET_PREFIX = 'whsec_';
const PUBLIC_PREFIX = 'whpk_';
const SECRET_BYTES = 32;
const SEED_BYTES = 32;
const SHORTEST = 24;
const LONGEST = 64;
/** How long a secret that was replaced still signs. */
export const OVERLAP_MS = 24 * 3_600_000;
/** Of an endpoint whose secret is replaced again and again, so that the header stays small. */
const MOST_PREVIOUS = 3;

/** One generation of what an endpoint signs with: base64 of the secret and of the ed25519 seed. */
interface Keys {
  readonly secret: string;
  readonly seed: string;
  /** Milliseconds; null for those in use. */
  readonly until: number | null;
}

/** All generations, the one in use first. */
export type KeyRing = readonly [Keys, ...Keys[]];

/** The bytes of a `whsec_` text as base64; null when it is none, or not of 24 to 64 bytes. */
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

/** @param secret base64; made here when null. */
export const newRing = (secret: string | null): KeyRing => [newKeys(secret)];

/** The new secret signs from now on, and the one of before beside it for a day. */
export const rotate = ([current, ...previous]: KeyRing, secret: string | null, now: number): KeyRing => {
  const kept = previous.filter(({ until }) => until !== null && until > now);
  return [newKeys(secret), ...[{ ...current, until: now + OVERLAP_MS }, ...kept].slice(0, MOST_PREVIOUS)];
};

export const shownSecret = ([{ secret }]: KeyRing): string => `${SECRET_PREFIX}${secret}`;

/** PKCS #8 (RFC 8410) of an ed25519 key is these bytes and then the seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKeyOf = (seed: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, Buffer.from(seed, 'base64')]),
    format: 'der',
    type: 'pkcs8',
  });

/** `whpk_` and the 32 bytes of the public key in base64. */
export const publicKeyOf = ([{ seed }]: KeyRing): string => {
  const der = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return `${PUBLIC_PREFIX}${der.subarray(-32).toString('base64')}`;
};

export interface Message {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The header: one `v1` and one `v1a` signature for each generation that still counts. */
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

/** As an endpoint's secrets are sealed. */
export const SEAL_PURPOSE = 'webhook_endpoint';

export const sealRing = (secrets: Secrets, id: string, ring: KeyRing): Buffer =>
  secrets.seal({ purpose: SEAL_PURPOSE, id }, Buffer.from(JSON.stringify(ring)));

export const openRing = (secrets: Secrets, id: string, sealed: Uint8Array): KeyRing =>
  JSON.parse(secrets.open({ purpose: SEAL_PURPOSE, id }, sealed).toString()) as KeyRing;
