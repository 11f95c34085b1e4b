/**
 * The metadata of a collection, stored in its companion so that all nodes share it: the corpus revision up to which it is
 * current, the writer's lease, and the semantic model.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { coreErrors } from '../../errors.ts';
import { metaOf } from './collections.ts';
import type { QdrantConnection } from './connection.ts';

/** Ids of the points in the companion; the pieces of the model follow from MODEL on. */
const STATE = 1;
const LEASE = 2;
const MODEL = 1_000;

const LEASE_MS = 60_000;
const LEASE_POLL_MS = 200;
const LEASE_WAIT_MS = 180_000;
/** Bytes of the model per point, well below the limit of 32 MiB per request. */
const PIECE = 4 * 1024 * 1024;

/** State of the collection. It is written last, so that it describes only points that have been acknowledged. */
export interface IndexMeta {
  readonly revision: number;
  /** The mean length that the text vectors use, in quarters; 0 in an empty collection. */
  readonly meanLength: number;
  /** Digest of the semantic model and the number of its pieces; null without a model. */
  readonly model: { readonly digest: string; readonly pieces: number; readonly trainedOn: number } | null;
  readonly changesSinceTraining: number;
}

const EMPTY: IndexMeta = { revision: 0, meanLength: 0, model: null, changesSinceTraining: 0 };

/** The companion of one collection. */
export class Meta {
  private readonly connection: QdrantConnection;
  private readonly collection: string;

  constructor(connection: QdrantConnection, collection: string) {
    this.connection = connection;
    this.collection = metaOf(collection);
  }

  async read(): Promise<IndexMeta> {
    const [point] = await this.retrieve([STATE]);
    return { ...EMPTY, ...(point?.payload as Partial<IndexMeta> | undefined) };
  }

  async write(meta: IndexMeta): Promise<void> {
    await this.upsert([{ id: STATE, vector: {}, payload: { ...meta } }]);
  }

  /** Stores a model in pieces and returns their number; the caller must then record it with `write`. */
  async writeModel(bytes: Buffer): Promise<number> {
    const pieces = Math.ceil(bytes.length / PIECE);
    for (let piece = 0; piece < pieces; piece++) {
      const data = bytes.subarray(piece * PIECE, (piece + 1) * PIECE).toString('base64');
      await this.upsert([{ id: MODEL + piece, vector: {}, payload: { data } }]);
    }
    return pieces;
  }

  async readModel(pieces: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let piece = 0; piece < pieces; piece++) {
      const [point] = await this.retrieve([MODEL + piece]);
      parts.push(Buffer.from(String(point?.payload?.data ?? ''), 'base64'));
    }
    return Buffer.concat(parts);
  }

  /**
   * Runs `work` as the only writer among all nodes. The lease lasts a minute and is renewed while the work runs; a node
   * that crashes blocks the others for up to that long. The clocks of the nodes must agree to within seconds.
   * @throws AppError `reduced_capacity` when other nodes have held the lease for three minutes.
   */
  async asWriter<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + LEASE_WAIT_MS;
    while (!(await this.take(owner))) {
      if (Date.now() > deadline) throw coreErrors.reduced_capacity({}, { headers: { 'Retry-After': '60' } });
      await pause(LEASE_POLL_MS);
    }
    const renewal = setInterval(() => void this.take(owner).catch(() => undefined), LEASE_MS / 3).unref();
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await this.release(owner).catch(() => undefined);
    }
  }

  /** Tries to take the lease: a conditional upsert changes an existing point only if it matches; then reads who owns it. */
  private async take(owner: string): Promise<boolean> {
    const now = Date.now();
    const mine = { key: 'owner', match: { value: owner } };
    const over = { key: 'until', range: { lt: now } };
    await this.upsert([{ id: LEASE, vector: {}, payload: { owner, until: now + LEASE_MS } }], { should: [mine, over] });
    const [point] = await this.retrieve([LEASE]);
    return point?.payload?.owner === owner;
  }

  private async release(owner: string): Promise<void> {
    const filter = { must: [{ has_id: [LEASE] }, { key: 'owner', match: { value: owner } }] };
    await this.connection.tell((client) => client.delete(this.collection, { wait: true, ordering: 'strong', filter }));
  }

  private async retrieve(ids: number[]) {
    // A majority of replicas must agree, so that a node never uses a value that another node has already replaced.
    const request = { ids, with_payload: true, with_vector: false, consistency: 'majority' as const };
    return await this.connection.tell((client) => client.retrieve(this.collection, request));
  }

  private async upsert(
    points: { id: number; vector: Record<string, never>; payload: Record<string, unknown> }[],
    update_filter?: { should: object[] },
  ): Promise<void> {
    const request = { wait: true, ordering: 'strong' as const, points, ...(update_filter && { update_filter }) };
    await this.connection.tell((client) => client.upsert(this.collection, request as never));
  }
}
