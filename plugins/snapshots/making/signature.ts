/**
 * Signs with Ed25519; the key is derived from the installation's secret, so that no further secret must be stored or backed up.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

/** PKCS #8 (RFC 8410) of an Ed25519 key consists of these bytes followed by the seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Signer {
  /** Public key in PEM format. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Buffer;
}

/**
 * Builds the signer. Another secret gives another key; earlier signatures are verified with the public key in their own snapshot.
 */
export const signerOf = (secrets: Secrets): Signer => {
  const [seed = ''] = secrets.signingKeys('snapshots');
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, Buffer.from(seed, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    publicKey: createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(),
    sign: (bytes) => sign(null, bytes, key),
  };
};
