/** Finds the names in a question: supplements, substances, conditions, topics and medicines, longest name first. */
import { foldName, joinWords } from '#core/search/name-fold.ts';
import type { DrugBook } from '#plugins/interactions/index.ts';
import { pagelessSubstances, statusNamesOf, type Terms } from '#plugins/vocabulary/index.ts';
import { CLASS_WORDS, EVERYDAY, EVERYDAY_NAMES, TOPIC_WORDS } from './medicine-words.ts';

export type MentionKind = 'supplement' | 'substance' | 'condition' | 'topic' | 'drug' | 'class';
export type MentionMatch = 'exact' | 'synonym' | 'latin' | 'brand' | 'typo';

/** One name in a text. `end` is exclusive. */
export interface Mention {
  readonly kind: MentionKind;
  readonly slug: string;
  readonly name: string;
  readonly input: string;
  readonly match: MentionMatch;
  readonly start: number;
  readonly end: number;
}

interface Meaning extends Pick<Mention, 'kind' | 'slug' | 'name' | 'match'> {
  /** True for a substance that was found hidden in products. A medicine with the same name takes precedence. */
  readonly hidden?: boolean;
  /** True for short words that count as a name only in capitals: EPA, NR. */
  readonly capitals: boolean;
}

type NameTable = ReadonlyMap<string, readonly Meaning[]>;

const LONGEST_NAME = 6;
const keyOf = (text: string): string => joinWords(foldName(text));
const needsCapitals = (text: string): boolean => /^[A-Z]{2,3}$|^Rue$/.test(text);

const tableOf = (entries: Iterable<readonly [text: string, meaning: Omit<Meaning, 'capitals'>]>): NameTable => {
  const table = new Map<string, Meaning[]>();
  for (const [text, meaning] of entries) {
    const key = keyOf(text);
    if (key.length < 2) continue;
    const known = table.get(key) ?? [];
    table.set(key, known);
    if (!known.some(({ kind, slug }) => kind === meaning.kind && slug === meaning.slug))
      known.push({ ...meaning, capitals: needsCapitals(text) });
  }
  return table;
};

function* termEntries(terms: Terms): Generator<readonly [string, Omit<Meaning, 'capitals'>]> {
  for (const { slug, name, latinName, synonyms } of terms.supplements.values()) {
    yield [name, { kind: 'supplement', slug, name, match: 'exact' }];
    for (const text of [slug, ...synonyms, ...statusNamesOf(terms, slug)])
      yield [text, { kind: 'supplement', slug, name, match: 'synonym' }];
    if (latinName) yield [latinName, { kind: 'supplement', slug, name, match: 'latin' }];
  }
  for (const { slug, name, synonyms, kind } of pagelessSubstances(terms)) {
    const hidden = kind === 'adulterant';
    yield [name, { kind: 'substance', slug, name, match: 'exact', hidden }];
    for (const text of [slug, ...synonyms]) yield [text, { kind: 'substance', slug, name, match: 'synonym', hidden }];
  }
  for (const { slug, name, synonyms } of terms.conditions.values()) {
    yield [name, { kind: 'condition', slug, name, match: 'exact' }];
    for (const text of [slug, ...synonyms]) yield [text, { kind: 'condition', slug, name, match: 'synonym' }];
  }
  for (const { slug, name, terms: words } of terms.topics.values()) {
    yield [name, { kind: 'topic', slug, name, match: 'exact' }];
    for (const text of words) yield [text, { kind: 'topic', slug, name, match: 'synonym' }];
  }
  for (const [words, slug] of TOPIC_WORDS) {
    const topic = terms.topics.get(slug);
    if (topic)
      for (const text of words.split('; ')) yield [text, { kind: 'topic', slug, name: topic.name, match: 'synonym' }];
  }
}

function* drugEntries(book: DrugBook): Generator<readonly [string, Omit<Meaning, 'capitals'>]> {
  for (const { slug, name, brands } of book.all()) {
    if (!EVERYDAY_NAMES.has(name.toLowerCase())) yield [name, { kind: 'drug', slug, name, match: 'exact' }];
    for (const brand of brands)
      if (brand.length > 3 && !EVERYDAY.has(brand.toLowerCase()))
        yield [brand, { kind: 'drug', slug, name, match: 'brand' }];
  }
  for (const { slug, name } of book.classes.values()) {
    yield [name, { kind: 'class', slug, name, match: 'exact' }];
    yield [name.replace(/s$/, ''), { kind: 'class', slug, name, match: 'exact' }];
  }
  for (const [words, slug] of CLASS_WORDS) {
    const found = book.classes.get(slug);
    if (!found) continue;
    for (const text of words.split('; ')) yield [text, { kind: 'class', slug, name: found.name, match: 'synonym' }];
  }
}

/** Precedence of kinds that share a name: the first is the subject of the question. */
const RANK: readonly MentionKind[] = ['supplement', 'substance', 'drug', 'class', 'condition', 'topic'];

const tables = new WeakMap<object, NameTable>();
const kept = <K extends object>(key: K, make: (key: K) => NameTable): NameTable => {
  const known = tables.get(key) ?? make(key);
  tables.set(key, known);
  return known;
};

const singulars = (key: string): string[] =>
  [
    /[^s]s$/.test(key) ? key.slice(0, -1) : '',
    /ies$/.test(key) ? `${key.slice(0, -3)}y` : '',
    /(?:x|ch|sh|s)es$/.test(key) ? key.slice(0, -2) : '',
  ].filter((form) => form.length > 3);

export interface NameBook {
  readonly terms: Terms;
  readonly drugs: DrugBook;
}

const meaningsOf = ({ terms, drugs }: NameBook, input: string): readonly Meaning[] => {
  const named = kept(terms, (of) => tableOf(termEntries(of)));
  const medicines = kept(drugs, (of) => tableOf(drugEntries(of)));
  const key = keyOf(input);
  // "UTIs" is the plural of the abbreviation UTI.
  const short = /^[A-Z]{2,5}s$/.test(input) ? input.slice(0, -1) : '';
  for (const form of [key, ...singulars(key), ...(short ? [keyOf(short)] : [])]) {
    const found = [...(named.get(form) ?? []), ...(medicines.get(form) ?? [])].filter(
      ({ capitals }) => !capitals || (short || input) === (short || input).toUpperCase(),
    );
    if (found.length) return found;
  }
  return [];
};

/**
 * Returns the preferred meanings of a name. A supplement takes precedence over a medicine of the same name; a condition and
 * its topic are both returned.
 */
const preferred = (all: readonly Meaning[]): readonly Meaning[] => {
  const medicines = all.some(({ kind }) => kind === 'drug' || kind === 'class');
  const found = medicines ? all.filter(({ hidden }) => !hidden) : all;
  const best = RANK.find((kind) => found.some((meaning) => meaning.kind === kind));
  if (best === 'condition' || best === 'topic') return found;
  return found.filter(({ kind }) => kind === best);
};

/** Returns every name in the text, in order. Names do not overlap, but one name may have two meanings (ZMA). */
export const namesInText = (book: NameBook, text: string): readonly Mention[] => {
  const words = [...text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)];
  const found: Mention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    for (let length = Math.min(LONGEST_NAME, words.length - at); length > 0; length -= 1) {
      const last = words[at + length - 1]!;
      const [start, end] = [words[at]!.index, last.index + last[0].length];
      const input = text.slice(start, end);
      if (length > 1 && /[.;?!]\s/.test(input)) continue;
      const meanings = preferred(meaningsOf(book, input));
      if (!meanings.length) continue;
      for (const { kind, slug, name, match } of meanings) found.push({ kind, slug, name, match, input, start, end });
      at += length - 1;
      break;
    }
  }
  return found;
};
