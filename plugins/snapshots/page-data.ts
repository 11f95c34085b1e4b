/** Builds the view of the snapshots page and its JSON-LD. */
import type { Dataset as SchemaDataset, WithContext } from 'schema-dts';
import { type Static, Type } from 'typebox';
import { CrumbList, dayInWords } from '#plugins/evidence/index.ts';
import { addressOf, LICENCE, MANIFEST, mediaTypeOf, README, SIGNATURE, SIGNING_KEY, SUMS } from './files.ts';
import type { DatasetEntry } from './manifest.ts';
import type { StoredSnapshot } from './store.ts';

const DatasetView = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  rows: Type.Integer(),
  href: Type.String(),
  /** For example "12.3 MB; 98.1 MB unpacked". */
  size: Type.String(),
  sha256: Type.String(),
  /** Date of the oldest stored snapshot since which the rows are unchanged. */
  since: Type.String(),
  schemaHref: Type.String(),
  licence: Type.Object({ name: Type.String(), href: Type.String(), terms: Type.String() }),
});

const FileView = Type.Object({
  name: Type.String(),
  about: Type.String(),
  href: Type.String(),
  size: Type.String(),
  sha256: Type.String(),
});

export const SnapshotsView = Type.Object({
  crumbs: CrumbList,
  latest: Type.Union([
    Type.Object({
      id: Type.String(),
      day: Type.String(),
      indexVersion: Type.String(),
      datasets: Type.Array(DatasetView),
      files: Type.Array(FileView),
      /** Shell commands that download all files and verify them. */
      fetching: Type.String(),
      checking: Type.String(),
      signingKey: Type.String(),
    }),
    Type.Null(),
  ]),
  older: Type.Array(
    Type.Object({
      id: Type.String(),
      day: Type.String(),
      rows: Type.Integer(),
      size: Type.String(),
      href: Type.String(),
    }),
  ),
  /** Days between snapshots; 0 when this instance makes none. */
  everyDays: Type.Integer(),
  kept: Type.Integer(),
});
export type SnapshotsView = Static<typeof SnapshotsView>;

const UNITS = ['kB', 'MB', 'GB'] as const;

/** Formats a size in powers of a thousand: "614 bytes", "12.3 MB". */
export const sizeInWords = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value.toLocaleString('en-GB', { maximumFractionDigits: value < 100 ? 1 : 0 })} ${UNITS[power - 1]}`;
};

const FILE_WORDS: Readonly<Record<string, string>> = {
  [MANIFEST]: 'rows, bytes, checksums and terms of each file, as data',
  [LICENCE]: 'the terms of each file',
  [README]: 'how to check and read it',
  [SUMS]: 'checksums of all files',
  [SIGNATURE]: 'the signature of those checksums',
  [SIGNING_KEY]: 'the key that the signature is checked with',
};

/** Returns the date since which the rows are unchanged, given the snapshots from the newest to the oldest. */
const sinceWhen = ({ name, unpacked_sha256 }: DatasetEntry, snapshots: readonly StoredSnapshot[]): string => {
  const changed = snapshots.findIndex(
    ({ manifest }) => !manifest.datasets.some((one) => one.name === name && one.unpacked_sha256 === unpacked_sha256),
  );
  return dayInWords((snapshots[(changed < 0 ? snapshots.length : changed) - 1] as StoredSnapshot).madeAt);
};

const datasetView = (entry: DatasetEntry, snapshot: StoredSnapshot, all: readonly StoredSnapshot[]) => ({
  name: entry.name,
  title: entry.title,
  description: entry.description,
  rows: entry.rows,
  href: addressOf(snapshot.id, entry.file),
  size: `${sizeInWords(entry.bytes)}; ${sizeInWords(entry.unpacked_bytes)} unpacked`,
  sha256: entry.sha256,
  since: sinceWhen(entry, all),
  schemaHref: addressOf(snapshot.id, entry.schema),
  licence: { name: entry.license.name, href: entry.license.url, terms: entry.license.terms },
});

const latestView = (all: readonly StoredSnapshot[], baseUrl: string): SnapshotsView['latest'] => {
  const [newest] = all;
  if (!newest) return null;
  const { id, madeAt, manifest, files } = newest;
  return {
    id,
    day: dayInWords(madeAt),
    indexVersion: manifest.index_version,
    datasets: manifest.datasets.map((entry) => datasetView(entry, newest, all)),
    files: files
      .filter(({ name }) => name in FILE_WORDS)
      .map(({ name, bytes, sha256 }) => ({
        name,
        about: FILE_WORDS[name] ?? '',
        href: addressOf(id, name),
        size: sizeInWords(bytes),
        sha256,
      })),
    fetching: [
      `curl -s ${baseUrl}${addressOf(id, SUMS)} | cut -c 67- |`,
      `  while read -r name; do curl -O "${baseUrl}${addressOf(id, '')}$name"; done`,
      `curl -O ${baseUrl}${addressOf(id, SUMS)} -O ${baseUrl}${addressOf(id, SIGNATURE)}`,
    ].join('\n'),
    checking: [
      `sha256sum -c ${SUMS}`,
      `openssl pkeyutl -verify -pubin -inkey ${SIGNING_KEY} -rawin -in ${SUMS} -sigfile ${SIGNATURE}`,
    ].join('\n'),
    signingKey: manifest.signing_key.trim(),
  };
};

export interface PageFacts {
  readonly baseUrl: string;
  readonly everyDays: number;
  readonly kept: number;
}

/** @param all newest first. */
export const snapshotsView = (all: readonly StoredSnapshot[], facts: PageFacts): SnapshotsView => ({
  crumbs: [{ name: 'The data as files', href: '/snapshots' }],
  latest: latestView(all, facts.baseUrl),
  older: all.slice(1).map(({ id, madeAt, manifest, files }) => ({
    id,
    day: dayInWords(madeAt),
    rows: manifest.datasets.reduce((sum, { rows }) => sum + rows, 0),
    size: sizeInWords(files.reduce((sum, { bytes }) => sum + bytes, 0)),
    href: `/api/snapshots/${id}`,
  })),
  everyDays: facts.everyDays,
  kept: facts.kept,
});

const CREATOR = { '@type': 'Organization', name: 'Supplement Evidence Base contributors' } as const;

/** Returns a schema.org Dataset for each dataset, with the URL of its file. */
export const datasetFacts = (snapshot: StoredSnapshot, baseUrl: string): WithContext<SchemaDataset>[] =>
  snapshot.manifest.datasets.map((entry) => ({
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${baseUrl}/snapshots#${entry.name}`,
    name: `Supplement Evidence Base: ${entry.title}`,
    description: entry.description,
    url: `${baseUrl}/snapshots`,
    version: snapshot.id,
    dateModified: snapshot.madeAt,
    license: entry.license.url,
    usageInfo: entry.license.terms,
    isAccessibleForFree: true,
    creator: CREATOR,
    distribution: {
      '@type': 'DataDownload',
      contentUrl: `${baseUrl}${addressOf(snapshot.id, entry.file)}`,
      encodingFormat: mediaTypeOf(entry.file),
      contentSize: `${entry.bytes} B`,
      sha256: entry.sha256,
      license: entry.license.url,
    },
  }));
