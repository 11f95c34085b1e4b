/** Writes a folder with every dataset, its schema, the terms and the checksums. */
import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '#core/errors.ts';
import type { OfferedDataset } from '#core/plugin.ts';
import { dataFile, LICENCE, MANIFEST, README, SIGNATURE, SIGNING_KEY, SUMS, schemaFile } from '../files.ts';
import { type DatasetEntry, FORMAT, idOf, type Manifest, type SnapshotFile } from '../manifest.ts';
import type { Signer } from './signature.ts';
import { licenceText, readmeText, schemaText } from './texts.ts';
import { writeDataset } from './write-dataset.ts';

export interface Making {
  readonly datasets: readonly OfferedDataset[];
  readonly software: Manifest['software'];
  readonly indexVersion: string;
  readonly baseUrl: string;
  readonly signer: Signer;
  /** Text of content/LICENSE; "" when there is none. */
  readonly terms: string;
  readonly signal: AbortSignal;
  onDataset?(entry: DatasetEntry): void;
}

export interface MadeSnapshot {
  readonly manifest: Manifest;
  /** All files in the folder. */
  readonly files: readonly SnapshotFile[];
}

const digestOf = (...texts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
};

/** Writes small files to a folder, flushes each to disk before the next, and records them. */
const fileWriter = (folder: string) => {
  const files: SnapshotFile[] = [];
  return {
    files,
    write: async (name: string, text: string | Uint8Array): Promise<SnapshotFile> => {
      const body = Buffer.from(text);
      await writeFile(join(folder, name), body, { flush: true });
      const file = { name, bytes: body.length, sha256: digestOf(body) };
      files.push(file);
      return file;
    },
  };
};
type FileWriter = ReturnType<typeof fileWriter>;

const writeData = async (
  { datasets, signal, onDataset }: Making,
  folder: string,
  { write, files }: FileWriter,
): Promise<DatasetEntry[]> => {
  const entries: DatasetEntry[] = [];
  for (const dataset of datasets) {
    const { name, title, description, licence, key } = dataset;
    const file = dataFile(name);
    const written = await writeDataset(dataset, join(folder, file), signal);
    files.push({ name: file, bytes: written.bytes, sha256: written.sha256 });
    const schema = await write(schemaFile(name), schemaText(dataset));
    const about = { name, title, description, unique_by: key, license: licence };
    entries.push({ ...about, ...written, file, schema: schema.name, schema_sha256: schema.sha256 });
    onDataset?.(entries.at(-1) as DatasetEntry);
  }
  return entries;
};

/**
 * Returns the digest of everything that matters to a reader of the data, without the time, the software version and the
 * compression.
 */
const contentDigest = (entries: readonly DatasetEntry[], terms: SnapshotFile): string =>
  digestOf(
    ...entries.map(({ name, unpacked_sha256, schema_sha256 }) => `${name} ${unpacked_sha256} ${schema_sha256}\n`),
    terms.sha256,
  );

/** Returns the checksums in the format of `sha256sum`. */
const sumsOf = (files: readonly SnapshotFile[]): string =>
  files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join('');

const writeAll = async (making: Making, folder: string): Promise<MadeSnapshot> => {
  const { signer, software, indexVersion, baseUrl } = making;
  const writer = fileWriter(folder);
  const readFrom = new Date().toISOString();
  const datasets = await writeData(making, folder, writer);
  const terms = await writer.write(LICENCE, licenceText(making.datasets, making.terms));
  const madeAt = new Date();
  const digest = contentDigest(datasets, terms);
  const manifest: Manifest = {
    format: FORMAT,
    id: idOf(madeAt, digest),
    digest,
    read_from: readFrom,
    made_at: madeAt.toISOString(),
    software,
    index_version: indexVersion,
    base_url: baseUrl,
    signing_key: signer.publicKey,
    datasets,
  };
  await writer.write(README, readmeText(manifest));
  await writer.write(MANIFEST, `${JSON.stringify(manifest, null, 1)}\n`);
  await writer.write(SIGNING_KEY, signer.publicKey);
  const sums = Buffer.from(sumsOf(writer.files));
  await writer.write(SUMS, sums);
  await writer.write(SIGNATURE, signer.sign(sums));
  return { manifest, files: writer.files };
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Flushes the directory entries to disk. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
};

/**
 * Writes the snapshot to a folder that gets its final name only when it is complete. A run that is killed leaves a folder that
 * ends in `.partial`, which the next run to the same path removes.
 * @throws OperatorError when the folder already exists.
 */
export const writeSnapshot = async (making: Making, given: string): Promise<MadeSnapshot> => {
  const folder = resolve(given);
  if (await exists(folder)) throw new OperatorError(`${folder} is there already: name a new folder.`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    const made = await writeAll(making, partial);
    await syncFolder(partial);
    await rename(partial, folder);
    await syncFolder(dirname(folder));
    return made;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
};
