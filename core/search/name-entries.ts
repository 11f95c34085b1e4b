/** Builds the entries of an index of names: one for each spelling of each name. */
import { foldLetters, foldSpelling, joinWords } from './name-fold.ts';

export type MatchType = 'exact' | 'synonym' | 'brand' | 'latin' | 'typo';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly { readonly text: string; readonly type: 'synonym' | 'brand' | 'latin' }[];
}

/**
 * A match of a name. `matched` is the name or alias as listed. Confidence is 0 to 1: exact 1, synonym and latin 0.95, brand
 * 0.9, typo 0.5 to 0.85 by distance and length; only `near` returns hits below 0.5.
 */
export interface NameHit {
  readonly id: string;
  readonly matched: string;
  readonly matchType: MatchType;
  readonly confidence: number;
}

export const CONFIDENCE = { exact: 1, synonym: 0.95, latin: 0.95, brand: 0.9 } as const;
export const RANK = { exact: 0, latin: 1, synonym: 2, brand: 3 } as const;

export interface Entry {
  readonly id: string;
  readonly text: string;
  readonly type: keyof typeof RANK;
  /** Folded name, with spaces. */
  readonly key: string;
  /** Folded name, without spaces. */
  readonly joined: string;
}

export const hitOf = ({ id, text, type }: Entry): NameHit => ({
  id,
  matched: text,
  matchType: type,
  confidence: CONFIDENCE[type],
});

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const byLength = (a: Entry, b: Entry): number =>
  a.joined.length - b.joined.length || RANK[a.type] - RANK[b.type] || byText(a.joined, b.joined) || byText(a.id, b.id);

/** Returns a text folded as it is spelt and, if that differs, in American spelling. */
export const keysOf = (text: string): readonly string[] => {
  const letters = foldLetters(text);
  return [...new Set([foldSpelling(letters), letters])].filter((key) => key !== '');
};

/** Builds the entries in order of suggestion, so that positions are ranks. */
export const entriesOf = (things: Iterable<NamedThing>): Entry[] => {
  const entries: Entry[] = [];
  for (const { id, name, aliases = [] } of things) {
    const texts = [{ text: name, type: 'exact' as const }, ...aliases];
    for (const { text, type } of texts) {
      for (const key of keysOf(text)) entries.push({ id, text, type, key, joined: joinWords(key) });
    }
  }
  return entries.sort(byLength);
};
