/**
 * What the corpus as a whole says of its words. Nothing is counted up and down: the figures are facets of the points
 * themselves, so they are right whoever wrote the points, and however often.
 */
import { inverseFrequency, type WeightedTerm } from '../bm25.ts';
import type { QdrantConnection } from './connection.ts';

/** Rarer terms beyond this many count as unknown: to typo correction, and as the rarest in coverage. */
const MOST_TERMS = 500_000;
/** Lengths are whole quarters, so there are some thousands of them. */
const MOST_LENGTHS = 100_000;

export interface Statistics {
  readonly documents: number;
  /** Mean weighted length in quarters; 1 when there is no text. */
  readonly meanLength: number;
  /** In how many documents each term is found, most frequent first. */
  readonly frequencies: ReadonlyMap<string, number>;
}

export const NO_STATISTICS: Statistics = { documents: 0, meanLength: 1, frequencies: new Map() };

/** Number of documents and mean length: a small answer at any size. */
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

/** All terms with their document frequencies: about 30 bytes a term on the wire. */
export async function readFrequencies(
  connection: QdrantConnection,
  collection: string,
): Promise<Statistics['frequencies']> {
  const request = { key: 'terms', limit: MOST_TERMS, exact: true };
  const { hits } = await connection.tell((client) => client.facet(collection, request));
  return new Map(hits.map(({ value, count }) => [String(value), count]));
}

/** The terms with their IDF; one that no document has is the rarest. */
export function weigh({ documents, frequencies }: Statistics, terms: readonly string[]): WeightedTerm[] {
  return terms.map((term) => ({ term, weight: inverseFrequency(frequencies.get(term) ?? 0, documents) }));
}
