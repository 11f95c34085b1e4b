/** Interprets a query: the names in it, its spelling correction, and the sources that it finds. */
import { foldName } from '#core/search/name-index.ts';
import type { EvidenceAnswer, EvidenceServices } from '#plugins/evidence/index.ts';
import type { InteractionBook } from '#plugins/interactions/index.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { Slice } from './hits.ts';
import { namesInQuery, type QueryName } from './query-names.ts';
import type { SearchView } from './search-view.ts';
import { findSources } from './source-hits.ts';

export interface Reading {
  /** The query after spelling correction. */
  readonly text: string;
  readonly names: readonly QueryName[];
  readonly corrected: SearchView['corrected'];
  /** Supplements whose main names were added to the search, because the query uses another name. */
  readonly also: readonly string[];
  readonly sources: EvidenceAnswer;
  /** Whether the search of sources is currently unavailable. */
  readonly isAway: boolean;
}

interface Readers {
  readonly vocabulary: VocabularyServices;
  readonly book: InteractionBook;
  readonly evidence: EvidenceServices;
}

/** Returns the main names of supplements that the query calls by another name, because most sources use the main name. */
const otherNamesOf = (query: string, names: readonly QueryName[]): string[] =>
  names
    .filter(({ kind, sure, name }) => kind === 'supplement' && sure && !foldName(query).includes(foldName(name)))
    .map(({ name }) => name);

/** Interprets the query as typed and as corrected. Names that only the corrected query contains are marked as guesses. */
export const readSearch = async (query: string, readers: Readers, slice: Slice): Promise<Reading> => {
  const { evidence } = readers;
  const sources = { ...readers, frequency: (word: string): number => evidence.index.frequency(word) };
  const typed = await namesInQuery(query, sources);
  const also = otherNamesOf(query, typed);
  const behind = also.map((name) => ` ${name}`).join('');
  const { answer, isAway } = await findSources(evidence, `${query}${behind}`, slice);
  const corrected = answer.corrected && {
    query: answer.corrected.query.slice(0, answer.corrected.query.length - behind.length),
    words: answer.corrected.words.map(({ from, to }) => ({ from, to })),
  };
  const text = corrected?.query ?? query;
  const known = new Set(typed.map(({ kind, slug }) => `${kind} ${slug}`));
  const guessed = (corrected ? await namesInQuery(text, sources) : [])
    .filter(({ kind, slug }) => !known.has(`${kind} ${slug}`))
    .map((name) => ({ ...name, sure: false }));
  return { text, names: [...typed, ...guessed], corrected, also, sources: answer, isAway };
};
