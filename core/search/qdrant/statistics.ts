/**
 * Corpus-wide word statistics. No counters are maintained: the figures are facets of the points themselves, so that they
 * are correct whichever node wrote the points, and however often.
 */
import { inverseFrequency, type WeightedTerm } from '../bm25.ts';
import { affordable, gramBudget } from '../gram-retriever.ts';
import { buildGrams, type GramTable, gramsOf, wordsWith } from '../grams.ts';
import { SETTINGS } from '../settings.ts';
import type { QdrantConnection } from './connection.ts';

/** Maximum number of terms read; rarer ones count as unknown in typo correction, and as the rarest in coverage. */
const MOST_TERMS = 500_000;
/** Maximum number of words in the table of n-grams; rarer ones are left out, but a query's n-grams still match them. */
const MOST_GRAM_WORDS = 200_000;
/** Maximum number of distinct lengths; lengths are whole quarters, so that there are some thousands of them. */
const MOST_LENGTHS = 100_000;

export interface Statistics {
  readonly documents: number;
  /** Mean weighted length in quarters; 1 when there is no text. */
  readonly meanLength: number;
  /** Document frequency of each term, most frequent first. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** Document frequency of each word as written, most frequent first. */
  readonly words: ReadonlyMap<string, number>;
  readonly grams: GramStatistics;
}

/** The words that contain an n-gram, and the document frequency of each word. */
interface GramStatistics {
  readonly table: GramTable;
  readonly frequencies: Uint32Array;
}

export const NO_STATISTICS: Statistics = {
  documents: 0,
  meanLength: 1,
  frequencies: new Map(),
  words: new Map(),
  grams: gramStatistics(new Map()),
};

/** Reads the number of documents and their mean length; the response is small at any size. */
export async function readLengths(
  connection: QdrantConnection,
  collection: string,
): Promise<Pick<Statistics, 'documents' | 'meanLength'>> {
  const request = { key: 'length', limit: MOST_LENGTHS, exact: true };
  const { hits } = await connection.tell((client) => client.facet(collection, request));
  const documents = hits.reduce((sum, { count }) => sum + count, 0);
  const whole = hits.reduce((sum, { value, count }) => sum + Number(value) * count, 0);
  return { documents, meanLength: documents === 0 ? 1 : whole / documents || 1 };
}

/** Reads all terms and words with their document frequencies: about 30 bytes each on the wire. */
export async function readFrequencies(
  connection: QdrantConnection,
  collection: string,
): Promise<Pick<Statistics, 'frequencies' | 'words' | 'grams'>> {
  const read = async (key: string): Promise<Map<string, number>> => {
    const request = { key, limit: MOST_TERMS, exact: true };
    const { hits } = await connection.tell((client) => client.facet(collection, request));
    // Qdrant also returns values that only deleted points had.
    return new Map(hits.flatMap(({ value, count }) => (count > 0 ? [[String(value), count]] : [])));
  };
  const frequencies = await read('terms');
  const words = await read('words');
  return { frequencies, words, grams: gramStatistics(words) };
}

/** Returns the terms with their IDF; a term that no document contains has the highest. */
export function weigh({ documents, frequencies }: Statistics, terms: readonly string[]): WeightedTerm[] {
  return terms.map((term) => ({ term, weight: inverseFrequency(frequencies.get(term) ?? 0, documents) }));
}

/** Returns the n-grams of the words to query, and the sum of their weights as core/search/gram-retriever.ts computes it. */
export function askedGrams(statistics: Statistics, words: readonly string[]): { grams: number[]; weight: number } {
  const { documents, grams } = statistics;
  const known = [...new Set(words.flatMap(gramsOf))].map((gram) => ({
    gram,
    postings: wordsWith(grams.table, gram).reduce((sum, word) => sum + grams.frequencies[word]!, 0),
  }));
  const chosen = affordable(known, gramBudget(documents, SETTINGS));
  return {
    grams: chosen.map(({ gram }) => gram),
    weight: chosen.reduce((sum, gram) => sum + inverseFrequency(Math.min(gram.postings, documents), documents), 0),
  };
}

function gramStatistics(words: ReadonlyMap<string, number>): GramStatistics {
  const most = [...words].slice(0, MOST_GRAM_WORDS);
  return {
    table: buildGrams(most.map(([word]) => word)),
    frequencies: Uint32Array.from(most, ([, documents]) => documents),
  };
}
