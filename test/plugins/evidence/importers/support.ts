import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from 'tar-stream';
import { importerOf } from '#plugins/evidence/importers/index.ts';
import type { ImportEvent, SourceRecord } from '#plugins/evidence/source-record.ts';

const root = join(import.meta.dirname, '../../../..');

/** Returns all items of an async iterable. Array.fromAsync is not in this project's TypeScript library. */
export const listOf = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

export const fixture = (name: string): string => join(root, 'test/fixtures/import', name);

/** Returns the path of real data stored outside the repository. Tests of that data are skipped where it is absent. */
export const shared = (path: string): string => join(process.env.SHARED_DATA ?? join(root, '../shared/data'), path);

/** Skips a test, with the reason in its title, where the real data is absent. */
export const needs = (context: Mocha.Context, path: string): string => {
  if (!existsSync(shared(path))) {
    context.test!.title += ` (skipped: ${path} is not on this machine)`;
    context.skip();
  }
  return shared(path);
};

export const eventsOf = async (
  kind: string,
  path: string,
  signal = new AbortController().signal,
): Promise<ImportEvent[]> => {
  const importer = importerOf(kind);
  if (importer === undefined) throw new Error(`no importer ${kind}`);
  return listOf(importer.read(path, signal));
};

export const recordsIn = (events: readonly ImportEvent[]): SourceRecord[] =>
  events.flatMap((event) => (event.type === 'record' ? [event.record] : []));

/** Returns "at: message" of every problem. */
export const problemsIn = (events: readonly ImportEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'problem' ? [`${event.at}: ${event.message}`] : []));

/** Creates a temporary folder for one test file and removes it after the tests. */
export const temporaryFolder = (): {
  path: (name: string) => string;
  put: (name: string, content: string | Uint8Array) => Promise<string>;
} => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'importers-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  const put = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(path(name), content);
    return path(name);
  };
  return { path, put };
};

/** Returns a tar archive of the given members. */
export const tarOf = async (members: Readonly<Record<string, string>>): Promise<Buffer> => {
  const archive = pack();
  for (const [name, content] of Object.entries(members)) archive.entry({ name }, content);
  archive.finalize();
  return Buffer.concat(await listOf(archive as AsyncIterable<Buffer>));
};

/** Returns a minimal PubMed record. */
export const pubmedArticle = (pmid: number | string, title = `Title ${pmid}`): string =>
  `<PubmedArticle><MedlineCitation><PMID>${pmid}</PMID><Article><Journal><JournalIssue><PubDate><Year>2020</Year></PubDate></JournalIssue><Title>J</Title></Journal><ArticleTitle>${title}</ArticleTitle></Article></MedlineCitation></PubmedArticle>`;

export const pubmedSet = (...articles: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n${articles.join('\n')}\n</PubmedArticleSet>\n`;
