/** A cache of the documents that one search has read: each is requested once, and early if it is likely to be needed. */
import type { Schemas } from '@qdrant/js-client-rest';
import type { Candidates } from './candidates.ts';
import { type DocumentPayload, pointId, SEMANTIC } from './document-point.ts';
import type { CollectionView } from './query.ts';

/** Terms, counts and vector of a document; all empty for one that has been deleted. */
export interface Whole extends Pick<DocumentPayload, 'terms' | 'counts'> {
  readonly vector: Float32Array | null;
}

const GONE: Whole = { terms: [], counts: [], vector: null };

export class DocumentsRead {
  private readonly view: CollectionView;
  private readonly candidates: Candidates;
  private readonly whole = new Map<number, Whole>();
  private readonly terms = new Map<number, ReadonlySet<string>>();

  constructor(view: CollectionView, candidates: Candidates) {
    this.view = view;
    this.candidates = candidates;
  }

  /** Reads terms, counts and vectors of the documents for which they have not been read yet. */
  async readWhole(refs: readonly number[]): Promise<void> {
    const missing = refs.filter((ref) => !this.whole.has(ref));
    const points = await this.retrieve(missing, ['terms', 'counts'], [SEMANTIC]);
    for (const ref of missing) this.keep(ref, wholeOf(points.get(this.pointOf(ref))));
  }

  /** Reads the terms of the documents for which they have not been read yet. */
  async readTerms(refs: readonly number[]): Promise<void> {
    const missing = refs.filter((ref) => !this.terms.has(ref));
    const points = await this.retrieve(missing, ['terms'], false);
    for (const ref of missing) this.terms.set(ref, new Set(wholeOf(points.get(this.pointOf(ref))).terms));
  }

  wholeOf(ref: number): Whole {
    return this.whole.get(ref) ?? GONE;
  }

  holds(ref: number, term: string): boolean {
    return this.terms.get(ref)?.has(term) ?? false;
  }

  private keep(ref: number, document: Whole): void {
    this.whole.set(ref, document);
    this.terms.set(ref, new Set(document.terms));
  }

  private pointOf(ref: number): string {
    return pointId(this.candidates.ids[ref]!);
  }

  private async retrieve(
    refs: readonly number[],
    with_payload: string[],
    with_vector: string[] | false,
  ): Promise<ReadonlyMap<string, Schemas['Record']>> {
    if (refs.length === 0) return new Map();
    const { connection, collection } = this.view;
    const ids = refs.map((ref) => this.pointOf(ref));
    const points = await connection.ask((client) => client.retrieve(collection, { ids, with_payload, with_vector }));
    return new Map(points.map((point) => [String(point.id), point]));
  }
}

function wholeOf(point: Schemas['Record'] | undefined): Whole {
  if (!point) return GONE;
  const { terms = [], counts = [] } = (point.payload ?? {}) as Partial<DocumentPayload>;
  const row = (point.vector as Record<string, number[]> | null | undefined)?.[SEMANTIC];
  return { terms, counts, vector: row ? Float32Array.from(row) : null };
}
