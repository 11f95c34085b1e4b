/**
 * Stores an index on disk: one immutable file per segment, table of vectors and model, and `manifest.json`, which is
 * replaced last and names the files that belong together. A process that is killed leaves either the old manifest with all
 * its files, or the new one. Two processes may write to one folder: file names are unique and the last manifest wins.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type FileMark, type Numbers, readBinary, syncFolder, writeBinary, writeWhole } from './binary-file.ts';
import type { FilterColumn } from './filter-column.ts';
import type { LsaModel } from './lsa.ts';
import { finish, type Segment } from './segment.ts';
import { storedTable, type VectorTable } from './vector-table.ts';

const FORMAT = 3;
const MANIFEST = 'manifest.json';
/** Age after which a file that no manifest names is deleted; a younger one may be another process's work in progress. */
const LITTER_AGE_SECONDS = 600;
const READ_ATTEMPTS = 3;

/** The complete state of an index, from which it can resume. */
export interface StoredIndex {
  readonly revision: number;
  readonly segments: readonly Segment[];
  readonly model: LsaModel | null;
  readonly changesSinceTraining: number;
}

interface NamedFile extends FileMark {
  readonly name: string;
}

interface Manifest {
  readonly format: number;
  readonly settings: string;
  readonly revision: number;
  readonly changesSinceTraining: number;
  readonly model: NamedFile | null;
  readonly segments: readonly { file: NamedFile; vectors: NamedFile | null; deleted: readonly number[] }[];
}

interface SegmentMeta {
  readonly ids: string[];
  readonly terms: string[];
  readonly words: string[];
  readonly columns: { field: string; values: (string | number | boolean)[] }[];
  /** 0 without a sentence model. */
  readonly embeddingDimensions: number;
}

interface WordArrays {
  readonly wordStarts: Uint32Array;
  readonly wordDocs: Uint32Array;
  readonly wordCounts: Uint16Array;
}

type ModelMeta = Omit<LsaModel, 'rows' | 'idf' | 'projection'> & { readonly terms: string[] };

/** Returns the revision at which the index in a folder was last persisted; null without one. Reads the manifest only. */
export const writtenRevision = async (folder: string): Promise<number | null> => {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  try {
    const { revision } = JSON.parse(text?.slice(text.indexOf('\n') + 1) ?? 'null') as Manifest;
    return revision;
  } catch {
    return null;
  }
};

/** The folder of one index; it remembers which objects are already stored in which file. */
export class IndexFolder {
  private readonly path: string;
  private readonly settings: string;
  private readonly files = new WeakMap<object, NamedFile>();
  private readonly own = new Set<string>();

  constructor(path: string, settings: string) {
    this.path = path;
    this.settings = settings;
  }

  /** Returns the index as last persisted, or the reason why there is no usable one. */
  async read(): Promise<StoredIndex | { reason: string }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.readOnce();
      } catch (error) {
        const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
        // Another process may have replaced the manifest and deleted its old files between the two reads.
        if (missing && attempt < READ_ATTEMPTS && (await this.hasManifest())) continue;
        const reason =
          missing && !(await this.hasManifest()) ? 'no index has been persisted yet' : String((error as Error).message);
        return { reason };
      }
    }
  }

  /** Writes the objects that are not on disk yet, then the manifest, then deletes files that are no longer named. */
  async write(index: StoredIndex): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const segments: Manifest['segments'][number][] = [];
    for (const segment of index.segments) {
      const deleted: number[] = [];
      segment.deleted.forEach((gone, doc) => {
        if (gone) deleted.push(doc);
      });
      const vectors = segment.vectors;
      segments.push({
        file: await this.fileOf(segment.terms, 'segment', () => segmentParts(segment)),
        vectors: vectors && (await this.fileOf(vectors, 'vectors', () => tableParts(vectors))),
        deleted,
      });
    }
    const { model, revision, changesSinceTraining } = index;
    const modelFile = model && (await this.fileOf(model, 'model', () => modelParts(model)));
    const manifest = {
      format: FORMAT,
      settings: this.settings,
      revision,
      changesSinceTraining,
      model: modelFile,
      segments,
    };
    await this.replaceManifest(manifest);
    await this.sweep(new Set(namesIn(manifest)));
  }

  /** Removes the index from disk, the manifest first. */
  async clear(): Promise<void> {
    const names = new Set(this.own);
    try {
      for (const name of namesIn(await this.readManifest())) names.add(name);
    } catch {
      // The manifest is missing or damaged: the files that it named will be deleted by age.
    }
    await rm(join(this.path, MANIFEST), { force: true });
    for (const name of names) await rm(join(this.path, name), { force: true });
    this.own.clear();
  }

  private async readOnce(): Promise<StoredIndex> {
    const manifest = await this.readManifest();
    if (manifest.format !== FORMAT) throw new Error(`unknown format ${manifest.format}`);
    if (manifest.settings !== this.settings) throw new Error('the index was built with other settings');
    const segments: Segment[] = [];
    for (const entry of manifest.segments) segments.push(await this.readSegment(entry));
    const model = manifest.model && toModel(await readBinary(join(this.path, manifest.model.name), manifest.model));
    if (model && manifest.model) this.files.set(model, manifest.model);
    return { revision: manifest.revision, changesSinceTraining: manifest.changesSinceTraining, segments, model };
  }

  private async readManifest(): Promise<Manifest> {
    const text = await readFile(join(this.path, MANIFEST), 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (end < 0 || text.slice(0, end) !== String(crc32(body)))
      throw new Error('manifest.json does not match its checksum');
    return JSON.parse(body) as Manifest;
  }

  private async replaceManifest(manifest: Manifest): Promise<void> {
    const body = JSON.stringify(manifest);
    await writeWhole(join(this.path, MANIFEST), [Buffer.from(`${crc32(body)}\n${body}`)]);
    await syncFolder(this.path);
  }

  private async hasManifest(): Promise<boolean> {
    return stat(join(this.path, MANIFEST)).then(
      () => true,
      () => false,
    );
  }

  private async readSegment(entry: Manifest['segments'][number]): Promise<Segment> {
    const stored = await readBinary(join(this.path, entry.file.name), entry.file);
    const table = entry.vectors && toTable(await readBinary(join(this.path, entry.vectors.name), entry.vectors));
    const segment = toSegment(stored, entry.deleted, table);
    this.files.set(segment.terms, entry.file);
    if (table && entry.vectors) this.files.set(table, entry.vectors);
    return segment;
  }

  /** Returns the file that stores the object: the existing one, touched so that no process deletes it, or a new one. */
  private async fileOf(
    object: object,
    kind: string,
    parts: () => { meta: unknown; arrays: Readonly<Record<string, Numbers>> },
  ): Promise<NamedFile> {
    const known = this.files.get(object);
    if (known && (await this.touch(known))) return known;
    const name = `${kind}-${randomUUID()}.bin`;
    const { meta, arrays } = parts();
    this.own.add(name);
    const file = { name, ...(await writeBinary(join(this.path, name), meta, arrays)) };
    this.files.set(object, file);
    return file;
  }

  private async touch(file: NamedFile): Promise<boolean> {
    try {
      const now = new Date();
      await utimes(join(this.path, file.name), now, now);
      return (await stat(join(this.path, file.name))).size === file.bytes;
    } catch {
      return false;
    }
  }

  private async sweep(named: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (named.has(name) || name === MANIFEST || !/\.(?:bin|tmp)$/.test(name)) continue;
      const path = join(this.path, name);
      const changedAt = await stat(path).then(
        (found) => found.mtimeMs,
        () => Date.now(),
      );
      if (this.own.delete(name) || Date.now() - changedAt > LITTER_AGE_SECONDS * 1000) await rm(path, { force: true });
    }
  }
}

function namesIn(manifest: Manifest): string[] {
  const files = manifest.segments.flatMap((segment) => [segment.file, segment.vectors]);
  return [...files, manifest.model].flatMap((file) => (file ? [file.name] : []));
}

function segmentParts(segment: Segment) {
  const { ids, terms, lengths, starts, docs, counts, words } = segment;
  const arrays: Record<string, Numbers> = {
    lengths,
    starts,
    docs,
    counts,
    wordStarts: words.starts,
    wordDocs: words.docs,
    wordCounts: words.counts,
    ...(segment.embeddings && { embeddings: segment.embeddings.codes, embeddingScales: segment.embeddings.scales }),
  };
  segment.columns.forEach((column, i) => {
    arrays[`starts${i}`] = column.starts;
    arrays[`codes${i}`] = column.codes;
  });
  return {
    meta: {
      ids,
      terms,
      words: words.keys,
      columns: segment.columns.map(({ field, values }) => ({ field, values })),
      embeddingDimensions: segment.embeddings?.dimensions ?? 0,
    },
    arrays,
  };
}

function toSegment(
  stored: { meta: unknown; arrays: Readonly<Record<string, Numbers>> },
  deletedDocs: readonly number[],
  vectors: VectorTable | null,
): Segment {
  const { ids, terms, words: keys, columns, embeddingDimensions } = stored.meta as SegmentMeta;
  const { wordStarts, wordDocs, wordCounts } = stored.arrays as unknown as WordArrays;
  const { embeddings: codes, embeddingScales } = stored.arrays as {
    embeddings?: Int8Array;
    embeddingScales?: Float32Array;
  };
  const embeddings = codes && embeddingScales ? storedTable(codes, embeddingScales, embeddingDimensions) : null;
  const words = { keys, starts: wordStarts, docs: wordDocs, counts: wordCounts };
  const { lengths, starts, docs, counts } = stored.arrays as unknown as Segment;
  const deleted = new Uint8Array(ids.length);
  for (const doc of deletedDocs) deleted[doc] = 1;
  const restored = columns.map(
    (column, i) =>
      ({ ...column, starts: stored.arrays[`starts${i}`], codes: stored.arrays[`codes${i}`] }) as FilterColumn,
  );
  return finish({ ids, terms, lengths, starts, docs, counts, words, columns: restored, deleted, vectors, embeddings });
}

function tableParts({ codes, scales, dimensions }: VectorTable) {
  return { meta: { dimensions }, arrays: { codes, scales } };
}

function toTable({ meta, arrays }: { meta: unknown; arrays: Readonly<Record<string, Numbers>> }): VectorTable {
  const { codes, scales } = arrays as unknown as VectorTable;
  return storedTable(codes, scales, (meta as { dimensions: number }).dimensions);
}

function modelParts(model: LsaModel) {
  const { rows, idf, projection, ...rest } = model;
  return { meta: { ...rest, terms: [...rows.keys()] } satisfies ModelMeta, arrays: { idf, projection } };
}

function toModel({ meta, arrays }: { meta: unknown; arrays: Readonly<Record<string, Numbers>> }): LsaModel {
  const { terms, ...rest } = meta as ModelMeta;
  const { idf, projection } = arrays as unknown as LsaModel;
  return { ...rest, rows: new Map(terms.map((term, row) => [term, row])), idf, projection };
}
