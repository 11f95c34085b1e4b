/** The search index on a Qdrant server, shared by all nodes: the port, over one collection at a time. */
import { randomUUID } from 'node:crypto';
import type { Embedder } from '../../models/port.ts';
import { analyse } from '../analyser.ts';
import { SAMPLE_SIZE } from '../lsa.ts';
import { askedTerms, weighPassages } from '../passage-scorer.ts';
import type { IndexState, PassageScorer, SearchAnswer, SearchHit, SearchIndex, SearchQuery } from '../port.ts';
import type { FieldWeights } from '../segment.ts';
import { LSA } from '../settings.ts';
import { Collections } from './collections.ts';
import { isCollectionGone, type QdrantConnection } from './connection.ts';
import { type IndexMeta, Meta } from './meta.ts';
import { PointNames } from './point-names.ts';
import { answer, type CollectionView, similarTo } from './query.ts';
import { dimensionsWith, packModel, type Semantic, semanticOf, trainLsa, unpackModel } from './semantic.ts';
import { rankingDigest, settingsDigest } from './settings.ts';
import { NO_STATISTICS, readFrequencies, readLengths, type Statistics, weigh } from './statistics.ts';
import { PointWriter } from './writer.ts';

export interface QdrantOptions {
  readonly connection: QdrantConnection;
  /** Name of the index, and of the alias. */
  readonly name: string;
  readonly fields: FieldWeights;
  /** The operator's sentence model: its vectors stand beside those learned from the corpus. */
  readonly embedder: Embedder | null;
  /** Version of how documents are made; part of the settings. */
  readonly feed?: string;
}

/** Up to this many documents the mean length is kept exact; beyond, all text vectors are made anew after a drift. */
const EXACT_UP_TO = 2_000;
const DRIFT = 0.05;
/** Up to this many documents all words are read after each change; beyond, unless that took more than a part of the time since. */
const WORDS_UP_TO = 20_000;
const WORDS_SHARE = 0.05;
/** A model is trained anew when this share of the documents has changed. */
const TRAINING_SHARE = 0.1;

const RANKING = rankingDigest();

/** Opens the index. @throws OperatorError when the server is out of reach or too old. */
export async function openQdrantIndex(options: QdrantOptions): Promise<SearchIndex> {
  await options.connection.check();
  const index = new QdrantIndex(options);
  await index.open();
  return index;
}

class QdrantIndex implements SearchIndex {
  readonly name = 'qdrant';
  private readonly connection: QdrantConnection;
  private readonly fields: FieldWeights;
  private readonly embedder: Embedder | null;
  private readonly settings: string;
  private readonly collections: Collections;
  /** Names this node in the lease. */
  private readonly owner = randomUUID();
  private readonly life = new AbortController();
  private readonly names = new PointNames();
  private view!: CollectionView;
  private meta!: Meta;
  private known!: IndexMeta;
  private statisticsReadAt = 0;
  private statisticsTookMs = 0;
  private closed = false;
  private queue: Promise<unknown> = Promise.resolve();

  constructor({ connection, name, fields, embedder, feed = '' }: QdrantOptions) {
    this.connection = connection;
    this.fields = fields;
    this.embedder = embedder;
    const dimensions = dimensionsWith(embedder?.dimensions ?? 0);
    const semantic = JSON.stringify(embedder ? [LSA, embedder.name, embedder.dimensions] : LSA);
    this.settings = settingsDigest(fields, semantic, feed);
    this.collections = new Collections(connection, { index: name, digest: this.settings, dimensions });
  }

  /** Finds the collection of these settings, or makes one, and reads all that a search needs to know of it. */
  async open(): Promise<void> {
    await this.use(await this.collections.resolve());
  }

  state(): IndexState {
    const { revision, model } = this.known;
    return {
      documents: this.view.statistics.documents,
      revision,
      version: `bm25f-ngram-qdrant-2.${this.settings}.${RANKING}.r${revision}.m${model?.digest ?? '0'}`,
      semantic: this.view.semantic ? 'ready' : 'none',
    };
  }

  search(query: SearchQuery): Promise<SearchAnswer> {
    return this.onCurrent((view) => answer(view, query));
  }

  similar(id: string, options: Parameters<SearchIndex['similar']>[1]): Promise<readonly SearchHit[]> {
    return this.onCurrent((view) => similarTo(view, id, options));
  }

  scorer(text: string): PassageScorer {
    const { statistics, semantic } = this.view;
    return weighPassages(weigh(statistics, askedTerms(text)), semantic && ((held) => semantic.embedTerms(held)));
  }

  frequency(word: string): number {
    const [term] = analyse(word);
    return term === undefined ? 0 : (this.view.statistics.frequencies.get(term) ?? 0);
  }

  words(): Iterable<readonly [word: string, documents: number]> {
    return this.view.statistics.words;
  }

  /**
   * As the only writer: first the points, acknowledged; then, where the mean length has moved, all text vectors;
   * the revision last. What another node has applied already is not written again.
   */
  apply(change: Parameters<SearchIndex['apply']>[0]): Promise<void> {
    return this.writing(async (knew) => {
      const shared = await this.meta.read();
      // Another node went ahead: nothing is left to do. Or one started anew: the caller goes on from its revision.
      const ahead = shared.revision > knew && shared.revision >= change.revision;
      if (ahead || shared.revision < knew) return this.use(this.view.collection);
      const writer = this.writer();
      const written = await writer.write(change, shared.meanLength);
      for (const { id } of change.upsert ?? []) this.names.remember(id);
      let { meanLength } = written;
      const lengths = await readLengths(this.connection, this.view.collection);
      if (drifted(lengths, meanLength)) {
        meanLength = lengths.meanLength;
        await writer.copyTo(this.view.collection, { meanLength, model: this.view.semantic?.model ?? null });
      }
      const changesSinceTraining = shared.changesSinceTraining + written.changes;
      await this.meta.write({ ...shared, revision: change.revision, meanLength, changesSinceTraining });
      await this.refresh({ allWords: false });
    });
  }

  /** Everything applied is on the server's disk already; this trains the semantic leg when it is due, and moves the alias. */
  persist(): Promise<void> {
    return this.writing(async () => {
      await this.refresh({ allWords: true });
      if (this.trainingDue()) await this.train();
      await this.collections.makeCurrent(this.view.collection);
    });
  }

  clear(): Promise<void> {
    return this.writing(async () => {
      const empty = await this.collections.next();
      await this.collections.makeCurrent(empty);
      await this.use(empty);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.life.abort();
    await this.queue;
  }

  /**
   * Changes of this node run one after the other, and under the lease, so that no other node writes meanwhile.
   * The work hears which revision this node knew before it looked again.
   */
  private writing(work: (knew: number) => Promise<void>): Promise<void> {
    if (this.closed) return Promise.reject(new Error('the search index is closed'));
    const once = async (knew: number) => {
      // The alias may have moved since this node looked last, and again while it waits for the lease.
      const collection = await this.collections.resolve();
      if (collection !== this.view.collection) await this.use(collection);
      await this.meta.asWriter(this.owner, () => work(knew));
    };
    const done = this.queue.then(async () => {
      // What the caller went by when it made its change.
      const knew = this.known.revision;
      await once(knew).catch((error) => {
        if (!isCollectionGone(error)) throw error;
        return once(knew);
      });
    });
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** Another node may have put a new collection in place of the one that this node knows: then once more on that one. */
  private async onCurrent<T>(work: (view: CollectionView) => Promise<T>): Promise<T> {
    const { view } = this;
    try {
      return await work(view);
    } catch (error) {
      if (!isCollectionGone(error)) throw error;
      if (this.view === view) await this.use(await this.collections.resolve());
      return await work(this.view);
    }
  }

  /** Reads a collection's state, model and statistics; searches turn to it when all is there. */
  private async use(collection: string): Promise<void> {
    const meta = new Meta(this.connection, collection);
    const known = await meta.read();
    const semantic = await this.loadSemantic(meta, known);
    const indexed = await this.collections.indexed(collection);
    const statistics = known.revision === 0 ? NO_STATISTICS : await this.readStatistics(collection);
    this.meta = meta;
    this.known = known;
    this.view = { connection: this.connection, collection, statistics, semantic, indexed, names: this.names };
  }

  private async loadSemantic(meta: Meta, { model }: IndexMeta): Promise<Semantic | null> {
    if (!model) return null;
    if (model.digest === this.view?.semantic?.model.digest) return this.view.semantic;
    const loaded = unpackModel(await meta.readModel(model.pieces));
    return loaded && semanticOf(loaded, this.embedder);
  }

  private async readStatistics(collection: string): Promise<Statistics> {
    const startedAt = performance.now();
    const lengths = await readLengths(this.connection, collection);
    const words = await readFrequencies(this.connection, collection);
    this.statisticsReadAt = performance.now();
    this.statisticsTookMs = this.statisticsReadAt - startedAt;
    return { ...lengths, ...words };
  }

  /** After a change by this node; reading all words of a large corpus after every batch would take longer than writing. */
  private async refresh({ allWords }: { allWords: boolean }): Promise<void> {
    const { collection } = this.view;
    const lengths = await readLengths(this.connection, collection);
    const since = performance.now() - this.statisticsReadAt;
    const whole = allWords || lengths.documents <= WORDS_UP_TO || this.statisticsTookMs < WORDS_SHARE * since;
    const statistics = whole ? await this.readStatistics(collection) : { ...this.view.statistics, ...lengths };
    this.known = await this.meta.read();
    this.view = { ...this.view, statistics, indexed: await this.collections.indexed(collection) };
  }

  private trainingDue(): boolean {
    const { documents } = this.view.statistics;
    if (documents < LSA.documents) return false;
    const { model, changesSinceTraining } = this.known;
    return !model || (changesSinceTraining > 0 && changesSinceTraining >= TRAINING_SHARE * model.trainedOn);
  }

  /** A new model means other vectors everywhere: they go into a new collection, which then takes the old one's place. */
  private async train(): Promise<void> {
    const writer = this.writer();
    const { documents } = this.view.statistics;
    const model = await trainLsa(await writer.sample(SAMPLE_SIZE), documents, this.life.signal).catch(() => null);
    if (!model) return;
    const collection = await this.collections.next();
    const meta = new Meta(this.connection, collection);
    const meanLength = (await readLengths(this.connection, this.view.collection)).meanLength;
    await writer.copyTo(collection, { meanLength, model });
    const pieces = await meta.writeModel(packModel(model));
    const named = { digest: model.digest, pieces, trainedOn: model.trainedOn };
    await meta.write({ revision: this.known.revision, meanLength, model: named, changesSinceTraining: 0 });
    await this.use(collection);
  }

  private writer(): PointWriter {
    const { collection, indexed, semantic } = this.view;
    const { connection, collections, fields, embedder, life } = this;
    const model = semantic?.model ?? null;
    const own = { connection, collections, fields, embedder, signal: life.signal };
    return new PointWriter({ ...own, collection, indexed, model });
  }
}

function drifted({ documents, meanLength }: Pick<Statistics, 'documents' | 'meanLength'>, used: number): boolean {
  if (documents === 0 || used === 0) return false;
  return Math.abs(meanLength / used - 1) > (documents <= EXACT_UP_TO ? 1e-9 : DRIFT);
}
