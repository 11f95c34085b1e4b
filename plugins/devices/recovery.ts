/**
 * The recovery phrase: twelve words (128 random bits and a checksum, BIP-39) that identify a device when its cookie is lost. It
 * is stored as a hash only, and works once.
 */
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** Number of words that encode 128 bits. */
export const PHRASE_WORDS = 12;
const BITS = 128;

/** Normalizes a phrase as typed from paper: any case, with spaces, commas or numbers in between. */
export const plainPhrase = (typed: string): string =>
  typed
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
    .join(' ');

/** Hashes a phrase. With 128 random bits no slow hash is needed. */
const hashOf = (phrase: string): string => createHash('sha256').update(`recovery\0${phrase}`).digest('hex');

/** Returns whether the input can be a phrase: the words are in the list and the checksum is correct. */
export const isPhrase = (typed: string): boolean => validateMnemonic(plainPhrase(typed), wordlist);

/** Creates a phrase that replaces the previous one; it is never shown again. */
export const makePhrase = async (em: EntityManager, device: string): Promise<string> => {
  const phrase = generateMnemonic(wordlist, BITS);
  await em.execute(
    `insert into device_recovery (device, phrase_hash) values (?, ?)
     on conflict (device) do update set phrase_hash = excluded.phrase_hash, made_at = now()`,
    [device, hashOf(phrase)],
  );
  return phrase;
};

/** Returns when the current phrase was created, as an RFC 3339 timestamp; null if there is none. */
export const phraseMadeAt = async (em: EntityManager, device: string): Promise<string | null> => {
  const [row] = (await em.execute('select made_at from device_recovery where device = ?', [device])) as unknown as {
    made_at: Date | string;
  }[];
  return row ? new Date(row.made_at).toISOString() : null;
};

/** Returns the device of a phrase, and deletes the phrase; null if the phrase is unknown. */
export const takePhrase = async (em: EntityManager, typed: string): Promise<string | null> => {
  const [row] = (await em.execute('delete from device_recovery where phrase_hash = ? returning device', [
    hashOf(plainPhrase(typed)),
  ])) as unknown as { device: string }[];
  return row?.device ?? null;
};
