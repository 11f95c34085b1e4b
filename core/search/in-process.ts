/** The in-process search index: lexical and semantic retrievers over segments in memory, persisted in a folder. */
import { createHash } from 'node:crypto';
import type { Embedder } from '../models/port.ts';
import { ANALYSER_VERSION, analyse } from './analyser.ts';
import { documentFrequencies } from './bm25.ts';
import { IndexFolder } from './index-folder.ts';
import { type LsaModel, trainingSet } from './lsa.ts';
import { trainModel } from './lsa-training.ts';
import { passageScorer } from './passage-scorer.ts';
import type {
  IndexState,
  PassageScorer,
  SearchAnswer,
  SearchDocument,
  SearchHit,
  SearchIndex,
  SearchQuery,
} from './port.ts';
import { answer, similarTo } from './search-segments.ts';
import { buildSegment, countTerms, type FieldWeights, mergeSegments, remove, type Segment } from './segment.ts';
import { embedDocuments, embedQuery } from './sentence-vectors.ts';
import { LSA, SETTINGS } from './settings.ts';
import { placeSegment } from './space.ts';
import { setRow, type VectorTable, vectorTable } from './vector-table.ts';

export interface InProcessOptions {
  /** Folder of the persisted index; null for an index in memory only. */
  readonly folder: string | null;
  /** Weight of each text field; other fields of a document are not indexed. */
  readonly fields: FieldWeights;
  /** The operator's sentence model; its vectors are concatenated with those learned from the corpus. */
  readonly embedder?: Embedder | null;
}

/** Larger segments are not merged, so that no single merge delays searches for long. */
const MERGE_LIMIT = 40_000;
const BUILD_SIZE = 1_000;
const SLICE_MS = 8;

/** The search port, with the source of the opened index. */
export interface InProcessIndex extends SearchIndex {
  readonly name: 'in-process';
  /** `empty` has a reason: nothing persisted yet, other settings, an unknown format, or damage. The caller rebuilds it. */
  readonly openedFrom: { readonly source: 'disk' } | { readonly source: 'empty'; readonly reason: string };
  /** Resolves when no training of the semantic model is running. */
  settled(): Promise<void>;
}

/** Opens the index as last persisted in its folder, or an empty one of revision 0. A damaged index is not an error. */
export async function openInProcessIndex(options: InProcessOptions): Promise<InProcessIndex> {
  const embedder = options.embedder ?? null;
  const settings = createHash('sha256')
    .update(
      JSON.stringify([
        ANALYSER_VERSION,
        options.fields,
        SETTINGS,
        LSA,
        ...(embedder ? [embedder.name, embedder.dimensions] : []),
      ]),
    )
    .digest('hex')
    .slice(0, 8);
  const folder = options.folder === null ? null : new IndexFolder(options.folder, settings);
  const index = new SegmentedIndex({ ...options, embedder }, settings, folder);
  await index.open();
  return index;
}

class SegmentedIndex implements InProcessIndex {
  readonly name = 'in-process';
  openedFrom: InProcessIndex['openedFrom'] = { source: 'empty', reason: 'kept in memory only' };
  private readonly fields: FieldWeights;
  private readonly embedder: Embedder | null;
  private readonly settings: string;
  private readonly folder: IndexFolder | null;
  private segments: readonly Segment[] = [];
  private model: LsaModel | null = null;
  private revision = 0;
  private changesSinceTraining = 0;
  private modelOnDisk = false;
  private training: Promise<void> | null = null;
  /** Aborted by `clear` and `close`, so that the result of a running training is discarded. */
  private life = new AbortController();
  private closed = false;
  /** Changes run one at a time; searches do not wait for them. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    { fields, embedder = null }: Omit<InProcessOptions, 'folder'>,
    settings: string,
    folder: IndexFolder | null,
  ) {
    this.fields = fields;
    this.embedder = embedder;
    this.settings = settings;
    this.folder = folder;
  }

  async open(): Promise<void> {
    if (!this.folder) return;
    const stored = await this.folder.read();
    if ('reason' in stored) {
      this.openedFrom = { source: 'empty', reason: stored.reason };
      return;
    }
    this.openedFrom = { source: 'disk' };
    this.segments = stored.segments;
    this.model = stored.model;
    this.revision = stored.revision;
    this.changesSinceTraining = stored.changesSinceTraining;
    this.modelOnDisk = stored.model !== null;
  }

  state(): IndexState {
    return {
      documents: this.size(),
      revision: this.revision,
      version: `bm25f-ngram-lsa-2.${this.settings}.r${this.revision}.m${this.model?.digest ?? '0'}`,
      semantic: this.model ? 'ready' : 'none',
    };
  }

  async search(query: SearchQuery): Promise<SearchAnswer> {
    const embedded = this.embedder && this.model ? await embedQuery(this.embedder, query) : null;
    const { segments, model } = this;
    return answer({ segments, model, width: this.embedder?.dimensions ?? 0, embedded }, query, SETTINGS);
  }

  async similar(id: string, options: Parameters<SearchIndex['similar']>[1]): Promise<readonly SearchHit[]> {
    return similarTo(this.segments, id, options);
  }

  scorer(text: string): PassageScorer {
    return passageScorer(this.segments, this.model, text);
  }

  frequency(word: string): number {
    const [term] = analyse(word);
    return term === undefined ? 0 : documentFrequencies(this.segments, [term])[0]!;
  }

  *words(): Iterable<readonly [word: string, documents: number]> {
    const counts = new Map<string, number>();
    for (const { words, deleted } of this.segments) {
      words.keys.forEach((word, w) => {
        let live = 0;
        for (let i = words.starts[w]!; i < words.starts[w + 1]!; i++) live += 1 - deleted[words.docs[i]!]!;
        if (live > 0) counts.set(word, (counts.get(word) ?? 0) + live);
      });
    }
    yield* counts;
  }

  async apply(change: Parameters<SearchIndex['apply']>[0]): Promise<void> {
    await this.enqueue(async () => {
      const documents = inOrder(change.upsert ?? []);
      const added: Segment[] = [];
      for (let at = 0; at < documents.length; at += BUILD_SIZE) {
        added.push(await this.build(documents.slice(at, at + BUILD_SIZE)));
      }
      const gone = new Set([...(change.remove ?? []), ...documents.map((document) => document.id)]);
      let removed = 0;
      for (const id of gone) if (this.segments.some((segment) => remove(segment, id))) removed++;
      this.segments = [...this.segments, ...added];
      this.revision = change.revision;
      this.changesSinceTraining += Math.max(removed, documents.length);
      await this.merge();
    });
    if (this.trainingDue(0.5)) this.train();
  }

  async persist(): Promise<void> {
    await this.settled();
    // The first model on disk is trained on all documents, so that it does not depend on their order or batches.
    if (this.folder && this.trainingDue(this.modelOnDisk ? 0.1 : 0)) this.train();
    await this.settled();
    await this.enqueue(async () => {
      const { revision, segments, model, changesSinceTraining } = this;
      await this.folder?.write({ revision, segments, model, changesSinceTraining });
      this.modelOnDisk = model !== null && this.folder !== null;
    });
  }

  async settled(): Promise<void> {
    while (this.training) await this.training;
  }

  async clear(): Promise<void> {
    this.life.abort();
    await this.enqueue(async () => {
      this.life = new AbortController();
      this.segments = [];
      this.model = null;
      this.revision = 0;
      this.changesSinceTraining = 0;
      this.modelOnDisk = false;
      await this.folder?.clear();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.life.abort();
    await this.settled();
    await this.queue;
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new Error('the search index is closed'));
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async build(documents: readonly SearchDocument[]): Promise<Segment> {
    const breathe = pacer();
    const analysed = [];
    for (const document of documents) {
      analysed.push(countTerms(document, this.fields));
      await breathe();
    }
    const segment = buildSegment(documents, analysed, await this.embed(documents));
    if (this.model) segment.vectors = await placeSegment(this.model, segment, breathe);
    return segment;
  }

  private async embed(documents: readonly SearchDocument[]): Promise<VectorTable | null> {
    if (!this.embedder || documents.length === 0) return null;
    const { fields, life } = this;
    const rows = await embedDocuments(this.embedder, documents, { fields, signal: life.signal });
    const table = vectorTable(documents.length, this.embedder.dimensions);
    rows.forEach((row, at) => {
      if (row) setRow(table, at, row);
    });
    return table;
  }

  /** Merges adjacent segments of similar size, newest first, so that a document is copied a logarithmic number of times. */
  private async merge(): Promise<void> {
    const breathe = pacer();
    const merged: Segment[] = [];
    for (const segment of this.segments) {
      let next: Segment | null = segment.live === 0 ? null : segment;
      if (next && next.live * 2 < next.ids.length) next = mergeSegments(next, EMPTY);
      for (let last = merged.at(-1); next && last && mergeable(last, next); last = merged.at(-1)) {
        await breathe();
        merged.pop();
        next = mergeSegments(last, next);
      }
      if (next) merged.push(next);
    }
    this.segments = merged;
  }

  private size(): number {
    return this.segments.reduce((sum, segment) => sum + segment.live, 0);
  }

  private trainingDue(share: number): boolean {
    if (this.training || this.closed || this.size() < LSA.documents) return false;
    if (!this.model) return true;
    return this.changesSinceTraining > 0 && this.changesSinceTraining >= share * this.model.trainedOn;
  }

  /** Starts a training in the background. If it fails, searches continue with the previous model. */
  private train(): void {
    const { signal } = this.life;
    let failed = false;
    this.training = this.trainOnce(signal)
      .catch(() => {
        failed = !signal.aborted;
      })
      .finally(() => {
        this.training = null;
        // The corpus may have grown, or been cleared and refilled, while this training ran.
        if (!failed && this.trainingDue(0.5)) this.train();
      });
  }

  private async trainOnce(signal: AbortSignal): Promise<void> {
    const begun = await this.enqueue(async () => ({
      set: await trainingSet(this.segments, pacer()),
      trainedOn: this.size(),
      counted: this.changesSinceTraining,
    }));
    const model = await trainModel(begun.set, { ...LSA, trainedOn: begun.trainedOn }, signal);
    await this.enqueue(() => this.adopt(model, begun.counted, signal));
  }

  private async adopt(model: LsaModel, counted: number, signal: AbortSignal): Promise<void> {
    const breathe = pacer();
    const { segments } = this;
    const vectors: VectorTable[] = [];
    for (const segment of segments) {
      if (!signal.aborted) vectors.push(await placeSegment(model, segment, breathe));
    }
    if (signal.aborted) return;
    segments.forEach((segment, i) => {
      segment.vectors = vectors[i]!;
    });
    this.model = model;
    this.modelOnDisk = false;
    this.changesSinceTraining -= counted;
  }
}

const EMPTY: Segment = { ...buildSegment([], []), vectors: vectorTable(0, 0) };

function mergeable(older: Segment, newer: Segment): boolean {
  return newer.live * 2 > older.live && older.live + newer.live <= MERGE_LIMIT;
}

/** Returns distinct documents by ascending id; among those with the same id the last one wins. */
function inOrder(documents: readonly SearchDocument[]): SearchDocument[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns a function that yields to the event loop once SLICE_MS milliseconds have passed since the last pause. */
function pacer(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
