/**
 * The secret of the installation and the keys derived from it. The secret is APP_SECRET, or is generated once and stored in
 * DATA_DIR.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { OperatorError } from './errors.ts';

export interface Secrets {
  /** Returns a keyed hash of a value that must be recognizable but not readable, such as an address: 256 bits in hex. */
  pseudonym(purpose: string, value: string): string;
  /**
   * Returns the pseudonym with the current secret, then with each APP_SECRET_PREVIOUS, to find records that were stored with one
   * of them.
   */
  pseudonyms(purpose: string, value: string): readonly [string, ...string[]];
  /**
   * Encrypts data (AES-256-GCM) that must not be readable with access to the database alone. It can be decrypted only with the
   * same purpose and id: bytes that were copied into another row are rejected.
   */
  seal(place: Sealing, bytes: Uint8Array): Buffer;
  /** Encrypts a file into a new one as a stream: at most some hundred kilobytes are in memory. `open` decrypts it. */
  sealFile(place: Sealing, file: SealedFile): Promise<void>;
  /**
   * Decrypts sealed bytes.
   * @throws SealBroken when the bytes were modified or belong to another place, or when their key derives from none of the
   *   secrets.
   */
  open(place: Sealing, sealed: Uint8Array): Buffer;
  /** Returns whether the bytes are sealed with the current secret instead of an APP_SECRET_PREVIOUS. */
  isCurrent(sealed: Uint8Array): boolean;
  /** Returns the signing keys for this purpose in hex, the current one first. */
  signingKeys(purpose: string): readonly string[];
}

export interface SealedFile {
  readonly from: string;
  readonly to: string;
  /** Called with each chunk before it is encrypted, in order. */
  onPiece?(piece: Buffer): void;
}

export interface Sealing {
  /** The kind of data, such as `lab_report`. */
  readonly purpose: string;
  /** The id of the item. */
  readonly id: string;
}

export class SealBroken extends Error {
  constructor({ purpose, id }: Sealing, cause?: unknown) {
    super(`What is sealed as ${purpose} ${id} does not open with our secrets`, { cause });
    this.name = 'SealBroken';
  }
}

/** Format: one byte with the version, then the key id, the nonce, the authentication tag and the ciphertext. */
const VERSION = 1;
const NAME_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NAME_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * Returns the stored secret and creates it if necessary. Creating a hard link is atomic, so processes that start concurrently
 * agree on one secret.
 */
const kept = async (path: string): Promise<string> => {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporary, { force: true });
  return readFile(path, 'utf8');
};

const derived = (secret: string, info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', info, 32));

/** Returns a key id, which distinguishes keys but does not reveal the secret. */
const nameOf = (secret: string): Buffer => derived(secret, 'key-name').subarray(0, NAME_BYTES);

const boundTo = ({ purpose, id }: Sealing): Buffer => Buffer.from(`${purpose}\0${id}`);

const unlock = (secret: string, place: Sealing, sealed: Buffer): Buffer => {
  const nonce = sealed.subarray(1 + NAME_BYTES, 1 + NAME_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', derived(secret, `seal:${place.purpose}`), nonce);
  decipher.setAAD(boundTo(place));
  decipher.setAuthTag(sealed.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
};

const hashed = (secret: string, purpose: string, value: string): string =>
  createHmac('sha256', secret).update(`${purpose}\0${value}`).digest('hex');

const PIECE_BYTES = 262_144;

/** Encrypts the file. The tag is known only at the end but belongs at the beginning, so it is written last. */
const sealFile = async (secret: string, place: Sealing, { from, to, onPiece }: SealedFile): Promise<void> => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derived(secret, `seal:${place.purpose}`), nonce);
  cipher.setAAD(boundTo(place));
  const file = await open(to, 'wx', 0o600);
  try {
    await file.writeFile(Buffer.concat([Buffer.of(VERSION), nameOf(secret), nonce, Buffer.alloc(TAG_BYTES)]));
    for await (const piece of createReadStream(from, { highWaterMark: PIECE_BYTES })) {
      onPiece?.(piece as Buffer);
      await file.writeFile(cipher.update(piece as Buffer));
    }
    await file.writeFile(cipher.final());
    await file.write(cipher.getAuthTag(), 0, TAG_BYTES, HEAD_BYTES - TAG_BYTES);
  } finally {
    await file.close();
  }
};

/**
 * Builds the functions for a list of secrets.
 * @param secrets the current one first, then the previous ones.
 */
export const secretsOf = (secrets: readonly [string, ...string[]]): Secrets => {
  const [current] = secrets;
  return {
    pseudonym: (purpose, value) => hashed(current, purpose, value),
    pseudonyms: (purpose, value) => [
      hashed(current, purpose, value),
      ...secrets.slice(1).map((secret) => hashed(secret, purpose, value)),
    ],
    seal: (place, bytes) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derived(current, `seal:${place.purpose}`), nonce);
      cipher.setAAD(boundTo(place));
      const body = [cipher.update(bytes), cipher.final()];
      return Buffer.concat([Buffer.of(VERSION), nameOf(current), nonce, cipher.getAuthTag(), ...body]);
    },
    sealFile: (place, file) => sealFile(current, place, file),
    open: (place, sealed) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const secret = secrets.find((one) => nameOf(one).equals(bytes.subarray(1, 1 + NAME_BYTES)));
      if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION || !secret) throw new SealBroken(place);
      try {
        return unlock(secret, place, bytes);
      } catch (error) {
        throw new SealBroken(place, error);
      }
    },
    isCurrent: (sealed) => nameOf(current).equals(sealed.subarray(1, 1 + NAME_BYTES)),
    signingKeys: (purpose) =>
      secrets.map((secret) =>
        createHash('sha256')
          .update(derived(secret, `sign:${purpose}`))
          .digest('hex'),
      ),
  };
};

const LEAST_LENGTH = 32;
/** Minimum number of distinct characters in a secret: with fewer it is a word or a pattern. */
const LEAST_VARIETY = 12;

export const isStrongSecret = (secret: string): boolean =>
  secret.length >= LEAST_LENGTH && new Set(secret).size >= LEAST_VARIETY;

/** Parses APP_SECRET_PREVIOUS. An older secret may contain commas, so the whole value is a candidate, too. */
const previousSecrets = (setting: string): readonly string[] => {
  const all = setting.split(',').map((secret) => secret.trim());
  const whole = setting.trim();
  return [...new Set(all.length > 1 ? [...all, whole] : all)].filter(Boolean);
};

/**
 * Loads the secrets. A secret that was generated before the operator set APP_SECRET still decrypts older data.
 * @throws OperatorError when APP_SECRET could be guessed
 */
export const loadSecrets = async (config: Config): Promise<Secrets> => {
  const file = join(config.text('DATA_DIR'), 'app-secret');
  const previous = previousSecrets(config.text('APP_SECRET_PREVIOUS'));
  const set = config.text('APP_SECRET');
  if (!set) return secretsOf([await kept(file), ...previous]);
  if (!isStrongSecret(set))
    throw new OperatorError(
      `APP_SECRET is shorter than ${LEAST_LENGTH} characters or repeats itself: set the output of \`openssl rand -base64 32\`, and add the current value to APP_SECRET_PREVIOUS, so that what it sealed still opens (content/docs/deployment.md, "Change APP_SECRET").`,
    );
  const made = await readFile(file, 'utf8').catch(() => null);
  return secretsOf([set, ...previous, ...(made ? [made] : [])]);
};
