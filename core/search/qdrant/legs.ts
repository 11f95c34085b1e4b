/** One batch request for both legs of a search, and what comes back as ranked lists. */
import type { Schemas } from '@qdrant/js-client-rest';
import type { Ranked } from '../bm25.ts';
import type { QdrantConnection } from './connection.ts';
import { SEMANTIC, TEXT } from './document-point.ts';
import type { Filter } from './filter.ts';
import { SEARCH } from './settings.ts';
import { queryVector } from './sparse.ts';

/** Candidates of HNSW beyond the 200 that are asked for, so that few of the true nearest are missed. */
const EFFORT = 400;

/** Documents by small numbers, as the fusion takes them; numbers are given in the order of first sight. */
export class References {
  readonly ids: string[] = [];
  private readonly known = new Map<string, number>();

  of(id: string): number {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    this.known.set(id, this.ids.length);
    return this.ids.push(id) - 1;
  }

  readonly comesFirst = (a: number, b: number): boolean => this.ids[a]! < this.ids[b]!;
}

export interface LegRequest {
  readonly terms: readonly string[];
  readonly vector: Float32Array | null;
  readonly filter: Filter;
  readonly depth: number;
}

/** Both lists, best first; equal scores by id, since Qdrant leaves their order open. */
export async function askLegs(
  connection: QdrantConnection,
  collection: string,
  request: LegRequest,
): Promise<{ references: References; lexical: Ranked[]; semantic: Ranked[] }> {
  const { terms, vector, filter, depth } = request;
  const shared = { filter, with_payload: ['id'], with_vector: false };
  const searches: Schemas['QueryRequest'][] = [{ ...shared, query: queryVector(terms), using: TEXT, limit: depth }];
  if (vector) {
    searches.push({
      ...shared,
      query: [...vector],
      using: SEMANTIC,
      limit: SEARCH.semanticDepth,
      score_threshold: SEARCH.semanticFloor,
      params: { hnsw_ef: EFFORT },
    });
  }
  const answers = await connection.ask((client) => client.queryBatch(collection, { searches }));
  const references = new References();
  const [lexical = [], semantic = []] = answers.map(({ points }) => rank(points, references));
  return { references, lexical, semantic };
}

/** Points as ranked references. */
export function rank(points: readonly Schemas['ScoredPoint'][], references: References): Ranked[] {
  return points
    .map(({ payload, score }) => ({ ref: references.of(String(payload?.id)), score }))
    .sort((a, b) => b.score - a.score || (references.comesFirst(a.ref, b.ref) ? -1 : 1));
}
