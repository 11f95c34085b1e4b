/** Reads a query before the search: its corrections, the names in it, and whether to rerank. */
import type { SearchIndex } from '#core/search/port.ts';
import type { Resolved, Terms } from '#plugins/vocabulary/index.ts';
import type { VocabularyMatcher } from '../matching/matcher.ts';
import { emptyRecord } from '../source-record.ts';
import { type CorrectedQuery, type QueryReading, readQuery, type WordKnowledge } from './corrector.ts';
import { hasInteractionPattern, hasMedicineStem } from './interaction-pattern.ts';
import { knownWords } from './known-names.ts';
import type { NearWords } from './near-words.ts';
import { countWords, foldWord, wordsIn } from './query-words.ts';
import { type RerankTrigger, rerankTrigger, SHORT_QUERY } from './triggers.ts';

/** A name found in a query or a filter, and the entry that it refers to. */
export interface ResolvedName {
  readonly input: string;
  readonly id: string;
  readonly type: 'supplement' | 'spelling';
  /** `name` when the text contains a name of the entry. */
  readonly match_type: 'name' | Resolved['match_type'];
  readonly confidence: number;
}

export interface QueryInWords {
  /** The text to search for. */
  readonly text: string;
  readonly corrected: CorrectedQuery | null;
  readonly trigger: RerankTrigger | null;
  readonly resolved: readonly ResolvedName[];
}

export interface ReaderParts {
  readonly index: Pick<SearchIndex, 'frequency'>;
  readonly terms: Terms;
  readonly matcher: VocabularyMatcher;
  /** Returns whether a folded word is a medicine's name. */
  isMedicine(word: string): boolean;
  /** Called only when a word is unknown. */
  near(): Promise<NearWords | null>;
  /** Returns the supplement that a name, synonym or misspelling refers to; null when there is none or several. */
  resolve(text: string): Promise<Resolved | null>;
}

const namedIn = (matcher: VocabularyMatcher, text: string): string[] =>
  matcher.match({ ...emptyRecord('content'), title: text }).supplements.map(({ slug }) => slug);

const resolvedOf = (typed: string, text: string, corrected: CorrectedQuery | null, matcher: VocabularyMatcher) => {
  const after = namedIn(matcher, text);
  const before = new Set(corrected ? namedIn(matcher, typed) : after);
  const sureness = Math.min(1, ...(corrected?.words ?? []).map(({ confidence }) => confidence));
  const supplements = after.map((slug): ResolvedName => {
    const sure = before.has(slug);
    return {
      input: typed,
      id: slug,
      type: 'supplement',
      match_type: sure ? 'name' : 'typo',
      confidence: sure ? 1 : sureness,
    };
  });
  const spellings = (corrected?.words ?? []).map(
    ({ from, to, confidence }): ResolvedName => ({
      input: from,
      id: to,
      type: 'spelling',
      match_type: 'typo',
      confidence,
    }),
  );
  return [...supplements, ...spellings];
};

/**
 * Resolves a short query with a word that no document contains. It may name a supplement in other words, or its misspelling may
 * be too far from the words of the index. The supplement's own name is then searched for, if documents contain it.
 */
const namedOtherwise = async (typed: string, { index, terms, isMedicine, resolve }: ReaderParts) => {
  const words = wordsIn(typed).map(({ text }) => foldWord(text));
  if (countWords(typed) > SHORT_QUERY || words.some((word) => isMedicine(word) || hasMedicineStem(word))) return null;
  const meant = await resolve(typed);
  const name = meant && terms.supplements.get(meant.slug)?.name;
  if (!name || wordsIn(name).every(({ text }) => index.frequency(text) === 0)) return null;
  const { confidence } = meant;
  const corrected: CorrectedQuery = { query: name, words: [{ from: typed, to: name, confidence }] };
  const resolved: ResolvedName = {
    input: typed,
    id: meant.slug,
    type: 'supplement',
    match_type: meant.match_type,
    confidence,
  };
  return { corrected, resolved: [resolved], misspelt: meant.match_type === 'typo' };
};

const correctedWords = async (typed: string, plain: QueryReading, knowledge: WordKnowledge, parts: ReaderParts) => {
  const { corrected } = plain.unknown > 0 ? readQuery(typed, { ...knowledge, near: await parts.near() }) : plain;
  const otherwise = !corrected && plain.absent > 0 ? await namedOtherwise(typed, parts) : null;
  return (
    otherwise ?? {
      corrected,
      resolved: resolvedOf(typed, corrected?.query ?? typed, corrected, parts.matcher),
      misspelt: plain.unknown > 0,
    }
  );
};

/** Reads a query. When `correct` is false, the query is not changed, but a typo still counts as a sign for reranking. */
export const readTyped = async (typed: string, correct: boolean, parts: ReaderParts): Promise<QueryInWords> => {
  const { index, terms, matcher, isMedicine } = parts;
  const known = knownWords(terms);
  const knowledge: WordKnowledge = {
    frequency: (word) => index.frequency(word),
    isName: (word) => known.all.has(word) || isMedicine(word),
    isSubstance: (word) => known.substances.has(word),
    near: null,
  };
  const plain = readQuery(typed, knowledge);
  const { corrected, resolved, misspelt } = correct
    ? await correctedWords(typed, plain, knowledge, parts)
    : { corrected: null, resolved: resolvedOf(typed, typed, null, matcher), misspelt: plain.unknown > 0 };
  const text = corrected?.query ?? typed;
  const interaction = hasInteractionPattern(text, {
    supplements: resolved.filter(({ type }) => type === 'supplement').length,
    substances: known.substances,
    // Niacin and caffeine are both supplements and medicines.
    isMedicine: (word) => isMedicine(word) && !known.supplements.has(word),
  });
  return { text, corrected, resolved, trigger: rerankTrigger(typed, { typo: misspelt, interaction }) };
};
