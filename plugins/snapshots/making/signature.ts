/** Ed25519, with a key that is made from the installation's secret: nothing more has to be kept or backed up. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

/** PKCS #8 (RFC 8410) of an ed25519 key is these bytes and then the seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Signer {
  /** PEM. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Buffer;
}

/** Another secret is another key; what was signed before is checked with the key that lies beside it. */
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
