/**
 * The recovery phrase: twelve words (128 random bits and a checksum, BIP-39) that stand for a device where its cookie is
 * lost. Kept as a hash only; used once.
 */
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** As many words as 128 bits need. */
export const PHRASE_WORDS = 12;
const BITS = 128;

/** As typed from paper: any case, blanks, commas or numbers in between. */
export const plainPhrase = (typed: string): string =>
  typed
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
    .join(' ');

/** So many random bits need no slow hash. */
const hashOf = (phrase: string): string => createHash('sha256').update(`recovery\0${phrase}`).digest('hex');

/** Whether it can be a phrase at all: the words are of the list and the checksum fits. */
export const isPhrase = (typed: string): boolean => validateMnemonic(plainPhrase(typed), wordlist);

/** A new phrase, in the place of the one before; it is never shown again. */
export const makePhrase = async (em: EntityManager, device: string): Promise<string> => {
  const phrase = generateMnemonic(wordlist, BITS);
  await em.execute(
    `insert into device_recovery (device, phrase_hash) values (?, ?)
     on conflict (device) do update set phrase_hash = excluded.phrase_hash, made_at = now()`,
    [device, hashOf(phrase)],
  );
  return phrase;
};

/** When the phrase in use was made, RFC 3339; null without one. */
export const phraseMadeAt = async (em: EntityManager, device: string): Promise<string | null> => {
  const [row] = (await em.execute('select made_at from device_recovery where device = ?', [device])) as unknown as {
    made_at: Date | string;
  }[];
  return row ? new Date(row.made_at).toISOString() : null;
};

/** The device that a phrase stands for; the phrase is used up by it. Null when it is nobody's. */
export const takePhrase = async (em: EntityManager, typed: string): Promise<string | null> => {
  const [row] = (await em.execute('delete from device_recovery where phrase_hash = ? returning device', [
    hashOf(plainPhrase(typed)),
  ])) as unknown as { device: string }[];
  return row?.device ?? null;
};
