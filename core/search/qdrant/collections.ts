/**
 * Manages the collections of an index. They are named `<index>-<settings digest>-<n>`, and each has a companion named
 * `…-meta`. The alias `<index>` points to the current collection; moving the alias is the only step that replaces an index.
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
  /** The collection that this node has created or found to be complete. */
  private whole = '';

  constructor(connection: QdrantConnection, options: { index: string; digest: string; dimensions: number }) {
    this.connection = connection;
    this.index = options.index;
    this.digest = options.digest;
    this.dimensions = options.dimensions;
  }

  /** Returns the collection to which the alias points, whatever its settings; null when there is no alias. */
  async current(): Promise<CollectionName | null> {
    const { aliases } = await this.connection.tell((client) => client.getAliases());
    const target = aliases.find(({ alias_name }) => alias_name === this.index);
    return target ? this.parse(target.collection_name) : null;
  }

  /**
   * Returns the collection of these settings: the current one, else the newest one that is being filled, else a new one.
   * A new index gets its alias immediately; after a change of settings the old collection stays current until `makeCurrent`.
   */
  async resolve(): Promise<string> {
    const current = await this.current();
    if (current?.digest === this.digest) return nameOf(current);
    const all = await this.all();
    const own = all.filter(({ digest }) => digest === this.digest).sort((a, b) => b.n - a.n)[0];
    const name = nameOf(own ?? this.after(all));
    // The node that created the collection may have stopped before it was complete.
    if (this.whole !== name) await this.create(name);
    if (!current) await this.makeCurrent(name);
    return name;
  }

  /** Creates an empty collection of these settings without making it current, and returns its name. */
  async next(): Promise<string> {
    const name = nameOf(this.after(await this.all()));
    await this.create(name);
    return name;
  }

  /** Points the alias to the collection, with one request that removes and sets it, then deletes the collections it replaces. */
  async makeCurrent(collection: string): Promise<void> {
    const before = await this.current();
    if (before && nameOf(before) === collection) return;
    const set = { create_alias: { collection_name: collection, alias_name: this.index } };
    const actions = before ? [{ delete_alias: { alias_name: this.index } }, set] : [set];
    await this.connection.tell((client) => client.updateCollectionAliases({ actions }));
    // Others with these settings are unfinished copies, and those with the previous settings are no longer in use.
    const digests = new Set([this.digest, before?.digest]);
    for (const name of await this.all()) {
      if (digests.has(name.digest) && nameOf(name) !== collection) await this.drop(nameOf(name));
    }
  }

  private async drop(collection: string): Promise<void> {
    await this.connection.tell((client) => client.deleteCollection(collection));
    await this.connection.tell((client) => client.deleteCollection(metaOf(collection)));
  }

  /** Creates the meta companion first, so that every visible collection has one. */
  private async create(collection: string): Promise<void> {
    await this.createOne(metaOf(collection), { vectors: {}, on_disk_payload: true });
    await this.createOne(collection, {
      vectors: { [SEMANTIC]: { size: this.dimensions, distance: 'Cosine' } },
      // The title's query supplies the IDF of the whole text; see sparse.ts.
      sparse_vectors: { [TEXT]: { modifier: 'idf' }, [TITLE]: {}, [NGRAM]: { modifier: 'idf' } },
      on_disk_payload: true,
      // The IDF counts deleted points until a segment is vacuumed; Qdrant's default thresholds are 0.2 and 1000.
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
      // Another node created it first, or the first attempt of this node had succeeded after all.
      if (statusOf(error) !== 409 && !/already exists/i.test(String((error as Error).message))) throw error;
    }
  }

  async createIndex(collection: string, key: string, schema: Schemas['PayloadFieldSchema']): Promise<void> {
    await this.connection.tell((client) =>
      client.createPayloadIndex(collection, { field_name: key, field_schema: schema, wait: true }),
    );
  }

  /** Returns the payload keys that have an index. */
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
