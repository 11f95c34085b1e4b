/** Implements the search port on a Qdrant server that all nodes share, with one collection at a time. */
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
  /** Name of the index and of its alias. */
  readonly name: string;
  readonly fields: FieldWeights;
  /** The operator's sentence model; its vectors are concatenated with those learned from the corpus. */
  readonly embedder: Embedder | null;
  /** Version of the code that builds the documents; part of the settings digest. */
  readonly feed?: string;
}

/** Up to this many documents the vectors use the exact mean length; above, they are rebuilt when it drifts by DRIFT. */
const EXACT_UP_TO = 2_000;
const DRIFT = 0.05;
/**
 * Up to this many documents all words are read after each change; above, only when the last read took less than
 * WORDS_SHARE of the time since.
 */
const WORDS_UP_TO = 20_000;
const WORDS_SHARE = 0.05;
/** A new model is trained when this share of the documents has changed. */
const TRAINING_SHARE = 0.1;

const RANKING = rankingDigest();

/** Opens the index. @throws OperatorError when the server is unreachable or too old. */
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
  /** Identifies this node as the owner of the lease. */
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

  /** Finds or creates the collection of these settings, and loads everything that a search needs from it. */
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
   * Applies a change while this node holds the lease. Writes the points first and waits for the acknowledgement, then
   * rewrites all text vectors if the mean length has drifted, and writes the revision last. A change that another node
   * has already applied is not written again.
   */
  apply(change: Parameters<SearchIndex['apply']>[0]): Promise<void> {
    return this.writing(async (knew) => {
      const shared = await this.meta.read();
      // Another node has already applied this change, or has restarted the index: then the caller resumes from its revision.
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

  /** Trains the semantic model when due and moves the alias; everything applied is on the server's disk already. */
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
   * Runs the changes of this node one at a time and under the lease, so that no other node writes concurrently.
   * `work` receives the revision that this node knew before it refreshed its state.
   */
  private writing(work: (knew: number) => Promise<void>): Promise<void> {
    if (this.closed) return Promise.reject(new Error('the search index is closed'));
    const once = async (knew: number) => {
      // The alias may have moved since this node last read it, and may move again while this node waits for the lease.
      const collection = await this.collections.resolve();
      if (collection !== this.view.collection) await this.use(collection);
      await this.meta.asWriter(this.owner, () => work(knew));
    };
    const done = this.queue.then(async () => {
      // The revision on which the caller based its change.
      const knew = this.known.revision;
      await once(knew).catch((error) => {
        if (!isCollectionGone(error)) throw error;
        return once(knew);
      });
    });
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** Runs `work`; if another node has replaced the collection, switches to the new one and runs `work` again. */
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

  /** Reads a collection's state, model and statistics, and switches searches to it once all are loaded. */
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

  /**
   * Updates the view after a change by this node. It does not read all words of a large corpus after every batch, because
   * that would take longer than the write.
   */
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

  /** Trains a model. It changes every vector, so all documents are copied to a new collection, which replaces the old one. */
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
