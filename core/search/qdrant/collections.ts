/**
 * Which collection is the index. Collections are named `<index>-<settings digest>-<n>`, each with a companion
 * `…-meta`; the alias `<index>` names the one that is current, and moving it is the one step that replaces an index.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import { type QdrantConnection, statusOf } from './connection.ts';
import { NGRAM, SEMANTIC, TEXT, TITLE } from './document-point.ts';

const TERMS_INDEX = { type: 'keyword', on_disk: true } as const;

export interface CollectionName {
  readonly index: string;
  readonly digest: string;
  readonly n: number;
}

export const nameOf = ({ index, digest, n }: CollectionName): string => `${index}-${digest}-${n}`;
export const metaOf = (collection: string): string => `${collection}-meta`;

/** The collections of one index on one server. */
export class Collections {
  private readonly connection: QdrantConnection;
  private readonly index: string;
  private readonly digest: string;
  private readonly dimensions: number;
  /** The collection that this node has made, or seen to be complete. */
  private whole = '';

  constructor(connection: QdrantConnection, options: { index: string; digest: string; dimensions: number }) {
    this.connection = connection;
    this.index = options.index;
    this.digest = options.digest;
    this.dimensions = options.dimensions;
  }

  /** The collection that the alias names, whatever its settings; null when there is none. */
  async current(): Promise<CollectionName | null> {
    const { aliases } = await this.connection.tell((client) => client.getAliases());
    const target = aliases.find(({ alias_name }) => alias_name === this.index);
    return target ? this.parse(target.collection_name) : null;
  }

  /**
   * The collection of these settings: the current one, else the newest that is being filled, else a new one. A new
   * index gets its alias at once; with other settings the old one stays current until `makeCurrent`.
   */
  async resolve(): Promise<string> {
    const current = await this.current();
    if (current?.digest === this.digest) return nameOf(current);
    const all = await this.all();
    const own = all.filter(({ digest }) => digest === this.digest).sort((a, b) => b.n - a.n)[0];
    const name = nameOf(own ?? this.after(all));
    // Whoever made it may have been stopped before it was whole.
    if (this.whole !== name) await this.create(name);
    if (!current) await this.makeCurrent(name);
    return name;
  }

  /** A new, empty collection of these settings, not yet current. */
  async next(): Promise<string> {
    const name = nameOf(this.after(await this.all()));
    await this.create(name);
    return name;
  }

  /** Points the alias to the collection, in one call that removes and sets it, then drops what it takes the place of. */
  async makeCurrent(collection: string): Promise<void> {
    const before = await this.current();
    if (before && nameOf(before) === collection) return;
    const set = { create_alias: { collection_name: collection, alias_name: this.index } };
    const actions = before ? [{ delete_alias: { alias_name: this.index } }, set] : [set];
    await this.connection.tell((client) => client.updateCollectionAliases({ actions }));
    // Of the own settings anything else is a copy that was never finished; of the old ones all is out of use.
    const digests = new Set([this.digest, before?.digest]);
    for (const name of await this.all()) {
      if (digests.has(name.digest) && nameOf(name) !== collection) await this.drop(nameOf(name));
    }
  }

  private async drop(collection: string): Promise<void> {
    await this.connection.tell((client) => client.deleteCollection(collection));
    await this.connection.tell((client) => client.deleteCollection(metaOf(collection)));
  }

  /** The meta companion first: a collection that can be seen has one. */
  private async create(collection: string): Promise<void> {
    await this.createOne(metaOf(collection), { vectors: {}, on_disk_payload: true });
    await this.createOne(collection, {
      vectors: { [SEMANTIC]: { size: this.dimensions, distance: 'Cosine' } },
      // The title's query brings the IDF of the whole text; see sparse.ts.
      sparse_vectors: { [TEXT]: { modifier: 'idf' }, [TITLE]: {}, [NGRAM]: { modifier: 'idf' } },
      on_disk_payload: true,
      // IDF counts deleted points until a segment is cleaned up; Qdrant's own thresholds are 0.2 and 1000.
      optimizers_config: { deleted_threshold: 0.05, vacuum_min_vector_number: 200 },
    });
    await this.createIndex(collection, 'terms', TERMS_INDEX);
    await this.createIndex(collection, 'words', TERMS_INDEX);
    await this.createIndex(collection, 'length', { type: 'integer', lookup: true, range: false });
    this.whole = collection;
  }

  private async createOne(name: string, settings: Schemas['CreateCollection']): Promise<void> {
    const { exists } = await this.connection.tell((client) => client.collectionExists(name));
    if (exists) return;
    try {
      await this.connection.tell((client) => client.createCollection(name, settings));
    } catch (error) {
      // Another node was quicker, or our first try had gone through after all.
      if (statusOf(error) !== 409 && !/already exists/i.test(String((error as Error).message))) throw error;
    }
  }

  async createIndex(collection: string, key: string, schema: Schemas['PayloadFieldSchema']): Promise<void> {
    await this.connection.tell((client) =>
      client.createPayloadIndex(collection, { field_name: key, field_schema: schema, wait: true }),
    );
  }

  /** Payload keys that have an index. */
  async indexed(collection: string): Promise<Set<string>> {
    const { payload_schema } = await this.connection.tell((client) => client.getCollection(collection));
    return new Set(Object.keys(payload_schema));
  }

  private async all(): Promise<CollectionName[]> {
    const { collections } = await this.connection.tell((client) => client.getCollections());
    return collections.map(({ name }) => this.parse(name)).filter((name) => name !== null);
  }

  private after(names: readonly CollectionName[]): CollectionName {
    return { index: this.index, digest: this.digest, n: 1 + Math.max(0, ...names.map(({ n }) => n)) };
  }

  private parse(name: string): CollectionName | null {
    const match = /^(.+)-([0-9a-f]{8})-(\d+)$/.exec(name);
    return match?.[1] === this.index ? { index: this.index, digest: match[2]!, n: Number(match[3]) } : null;
  }
}
