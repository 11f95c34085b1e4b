/**
 * A cache of document ids by point id. Candidate lists are requested without payload, because the server would have to read
 * it for each of thousands of points; the id of a point's document never changes, so it is requested only once.
 */
import type { QdrantConnection } from './connection.ts';
import { pointId } from './document-point.ts';

/** Maximum number of entries, of about 200 bytes each. When the cache is full, the oldest entry is evicted. */
const MOST_KNOWN = 200_000;

export class PointNames {
  private readonly names = new Map<string, string>();
  private readonly most: number;

  constructor(most = MOST_KNOWN) {
    this.most = most;
  }

  /** Caches the id of a document that this node writes, so that it is never requested. */
  remember(id: string): void {
    this.add(pointId(id), id);
  }

  /** Returns the document ids of points, and requests those that are not cached in one request. */
  async learn(
    { connection, collection }: { readonly connection: QdrantConnection; readonly collection: string },
    points: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const wanted = new Set(points);
    const known = new Map<string, string>();
    for (const point of wanted) {
      const name = this.names.get(point);
      if (name !== undefined) known.set(point, name);
    }
    const missing = [...wanted].filter((point) => !known.has(point));
    if (missing.length === 0) return known;
    const found = await connection.ask((client) =>
      client.retrieve(collection, { ids: missing, with_payload: ['id'], with_vector: false }),
    );
    for (const { id, payload } of found) {
      known.set(String(id), String(payload?.id));
      this.add(String(id), String(payload?.id));
    }
    return known;
  }

  private add(point: string, name: string): void {
    if (this.names.size >= this.most && !this.names.has(point)) {
      const [first] = this.names.keys();
      if (first !== undefined) this.names.delete(first);
    }
    this.names.set(point, name);
  }
}
