/** Writes the points of one collection and copies them with other weights or vectors; waits for every acknowledgement. */
import type { Schemas } from '@qdrant/js-client-rest';
import type { Embedder } from '../../models/port.ts';
import type { LsaModel } from '../lsa.ts';
import type { SearchDocument, SearchIndex } from '../port.ts';
import type { FieldWeights } from '../segment.ts';
import { embedDocuments } from '../sentence-vectors.ts';
import type { Collections } from './collections.ts';
import type { QdrantConnection } from './connection.ts';
import { type DocumentPayload, EMPTY_VECTORS, payloadOf, pointId, pointOf, SEMANTIC } from './document-point.ts';
import { indexesFor } from './filter.ts';
import { type Embeddable, embeddedIn, placeDocuments } from './semantic.ts';

/** A point with all its vectors is about 15 to 30 KB of JSON, so that a request has a few megabytes at most. */
const WRITE_SIZE = 100;
const READ_SIZE = 1_000;

type Change = Parameters<SearchIndex['apply']>[0];

export interface WriterOptions {
  readonly connection: QdrantConnection;
  readonly collections: Collections;
  readonly fields: FieldWeights;
  readonly collection: string;
  readonly indexed: ReadonlySet<string>;
  /** The model that the vectors of this collection use; null before a model is trained. */
  readonly model: LsaModel | null;
  readonly embedder: Embedder | null;
  readonly signal: AbortSignal;
}

/** A stored document with its dense vector. */
interface Stored {
  readonly payload: DocumentPayload;
  readonly vector: readonly number[] | null;
}

export class PointWriter {
  private readonly options: WriterOptions;

  constructor(options: WriterOptions) {
    this.options = options;
  }

  /**
   * Writes and removes documents. Text vectors use the given mean length or, in an empty collection (0), the mean length of
   * these documents. Returns the mean length used and the number of changed documents.
   */
  async write(change: Change, meanLength: number): Promise<{ meanLength: number; changes: number }> {
    const { fields, collection } = this.options;
    const documents = [...new Map((change.upsert ?? []).map((document) => [document.id, document])).values()];
    const written = new Set(documents.map(({ id }) => id));
    const removed = (change.remove ?? []).filter((id) => !written.has(id));
    let used = meanLength;
    if (used === 0 && documents.length > 0) used = meanOf(documents, fields);
    await this.createIndexes(documents);
    for (const batch of inBatches(documents, WRITE_SIZE)) {
      const payloads = batch.map((document) => payloadOf(document, fields));
      const vectors = await this.place(payloads, batch);
      await this.upsert(
        collection,
        payloads.map((payload, i) => pointOf(payload, used, vectors[i]!)),
      );
    }
    for (const ids of inBatches(removed, READ_SIZE)) await this.remove(ids.map(pointId));
    return { meanLength: used, changes: documents.length + removed.length };
  }

  /**
   * Copies all documents to a collection (this one itself, or an empty one) with text vectors for the given mean length.
   * In another collection the dense vectors are those of `model`, combined with the sentence model's part of the stored
   * vectors; in this collection they do not change.
   */
  async copyTo(target: string, options: { meanLength: number; model: LsaModel | null }): Promise<void> {
    const { collection, collections, indexed } = this.options;
    const { width } = this;
    const same = target === collection;
    if (!same) await this.copyIndexes(target, indexed, collections);
    for await (const batch of this.stored(WRITE_SIZE, same || width > 0)) {
      const made = same
        ? batch.map(({ vector }) => vector)
        : await placeDocuments(
            batch.map(({ payload, vector }) => embeddable(payload, embeddedIn(vector, width))),
            {
              model: options.model,
              width,
            },
          );
      await this.upsert(
        target,
        batch.map(({ payload }, i) => pointOf(payload, options.meanLength, made[i]!)),
      );
    }
  }

  /** Returns the first documents by point id. The id is a hash, so that the sample depends on the documents only. */
  async sample(most: number): Promise<Embeddable[]> {
    const found: Embeddable[] = [];
    for await (const batch of this.stored(READ_SIZE, false)) {
      found.push(...batch.map(({ payload }) => embeddable(payload, null)));
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  }

  private async *stored(size: number, withVectors: boolean): AsyncGenerator<Stored[]> {
    const { connection, collection, signal } = this.options;
    let offset: Schemas['ExtendedPointId'] | undefined;
    do {
      signal.throwIfAborted();
      const request = { limit: size, offset, with_payload: true, with_vector: withVectors ? [SEMANTIC] : false };
      const page = await connection.tell((client) => client.scroll(collection, request));
      yield page.points.map(({ payload, vector }) => ({
        payload: payload as unknown as DocumentPayload,
        vector: ((vector as Record<string, number[]> | undefined)?.[SEMANTIC] ?? null) as readonly number[] | null,
      }));
      offset = (page.next_page_offset as Schemas['ExtendedPointId'] | null) ?? undefined;
    } while (offset !== undefined);
  }

  private get width(): number {
    return this.options.embedder?.dimensions ?? 0;
  }

  private async place(payloads: readonly DocumentPayload[], documents: readonly SearchDocument[]) {
    const { embedder, model, fields, signal } = this.options;
    const embedded = embedder ? await embedDocuments(embedder, documents, { fields, signal }) : [];
    const embeddables = payloads.map((payload, i) => embeddable(payload, embedded[i] ?? null));
    return await placeDocuments(embeddables, { model, width: this.width });
  }

  private async upsert(collection: string, points: Schemas['PointStruct'][]): Promise<void> {
    if (points.length === 0) return;
    this.options.signal.throwIfAborted();
    await this.options.connection.tell((client) =>
      client.upsert(collection, { wait: true, ordering: 'strong', points }),
    );
  }

  /**
   * Empties the points before deleting them: Qdrant's IDF counts the terms of deleted points until their segment is
   * vacuumed, but drops those of an emptied point immediately while the segment still accepts writes.
   */
  private async remove(points: readonly string[]): Promise<void> {
    const { connection, collection } = this.options;
    await this.upsert(
      collection,
      points.map((id) => ({ id, vector: EMPTY_VECTORS, payload: {} })),
    );
    await connection.tell((client) =>
      client.delete(collection, { wait: true, ordering: 'strong', points: [...points] }),
    );
  }

  private async createIndexes(documents: readonly SearchDocument[]): Promise<void> {
    const { collections, collection, indexed, fields } = this.options;
    const payloads = documents.map((document) => payloadOf({ ...document, text: {} }, fields));
    for (const [key, schema] of indexesFor(payloads)) {
      if (!indexed.has(key)) await collections.createIndex(collection, key, schema);
    }
  }

  private async copyIndexes(target: string, keys: ReadonlySet<string>, collections: Collections): Promise<void> {
    const there = await collections.indexed(target);
    for (const key of keys) {
      if (there.has(key)) continue;
      await collections.createIndex(target, key, { type: key.startsWith('numbers.') ? 'float' : 'keyword' });
    }
  }
}

const embeddable = ({ id, terms, counts, length }: DocumentPayload, embedded: Float32Array | null): Embeddable => ({
  id,
  terms,
  counts,
  length,
  embedded,
});

function meanOf(documents: readonly SearchDocument[], fields: FieldWeights): number {
  const whole = documents.reduce((sum, document) => sum + payloadOf(document, fields).length, 0);
  return whole / documents.length || 1;
}

function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
