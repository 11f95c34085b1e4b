/**
 * Reads public retrieval data sets as documents, queries and judgements, from outside the repository; they are never copied into
 * it.
 */
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { Permission } from '#core/models/permission.ts';
import type { SearchDocument } from '#core/search/port.ts';

/** Folder of the data beside the project. */
export const DATA = join(import.meta.dirname, '../../../shared/data');

/** Indexed fields and their weights, as in the service. */
export const FIELDS = { title: 3, terms: 2, abstract: 1 };

/** The queries of a public data set do not come from users of the service, so a configured model may read them. */
export const QUERY_PERMISSION = Permission.publicText;

export interface Dataset {
  readonly name: string;
  readonly documents: readonly SearchDocument[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Grade of each relevant document, by query. */
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

function lines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}

/**
 * Reads a folder in the BEIR format (Thakur et al. 2021): corpus.jsonl, queries.<split>.jsonl or queries.jsonl, and
 * qrels/<split>.tsv; returns null when one of the three is missing.
 */
export function readBeir(folder: string, split: string): Dataset | null {
  const corpus = join(folder, 'corpus.jsonl');
  const asked = [`queries.${split}.jsonl`, 'queries.jsonl'].map((name) => join(folder, name)).find(existsSync);
  const qrels = join(folder, 'qrels', `${split}.tsv`);
  if (!existsSync(corpus) || !asked || !existsSync(qrels)) return null;
  const judgements = new Map<string, Map<string, number>>();
  for (const line of lines(qrels).slice(1)) {
    const [query = '', document = '', grade] = line.split('\t');
    const judged = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, judged.set(document, Number(grade)));
  }
  const queries = lines(asked).map((line) => {
    const { _id, text } = JSON.parse(line) as { _id: string; text: string };
    return { id: _id, text };
  });
  return {
    name: `${basename(folder)} ${split}`,
    documents: lines(corpus).map(toDocument),
    queries: queries.filter(({ id }) => judgements.has(id)),
    judgements,
  };
}

function toDocument(line: string): SearchDocument {
  const { _id, title, text } = JSON.parse(line) as { _id: string; title?: string; text: string };
  return { id: _id, text: { ...(title && { title }), abstract: text }, filters: {} };
}

/** Reads all data sets that exist beside the project. */
export async function readAll(data: string): Promise<Dataset[]> {
  const all = [
    readBeir(join(data, 'nfcorpus'), 'dev'),
    readBeir(join(data, 'nfcorpus'), 'train'),
    readPubMedQa(join(data, 'pubmedqa/pqal-dev.json')),
    await readJats(join(data, 'jats')),
  ];
  return all.filter((dataset) => dataset !== null);
}

/** Reads the splits of a folder in the BEIR format, all or the named one; without a folder, every data set beside the project. */
export async function readChosen(folder: string | undefined, split: string | undefined): Promise<Dataset[]> {
  if (folder === undefined) return readAll(DATA);
  const qrels = join(folder, 'qrels');
  const files = existsSync(qrels) ? readdirSync(qrels).filter((name) => name.endsWith('.tsv')) : [];
  const splits = split === undefined ? files.sort().map((name) => name.slice(0, -'.tsv'.length)) : [split];
  return splits.map((each) => readBeir(folder, each)).filter((dataset) => dataset !== null);
}

/** Returns the message for a missing data set. */
export const nothingIn = (folder: string = DATA): string =>
  `Nothing to measure with in ${folder}: corpus.jsonl, queries.jsonl or queries.<split>.jsonl, and qrels/<split>.tsv are needed.`;

/** Builds a known-item data set: each query should find the text that it belongs to. */
function knownItems(name: string, items: readonly { id: string; query: string; text: string }[]): Dataset {
  return {
    name,
    documents: items.map(({ id, text }) => ({ id, text: { abstract: text }, filters: {} })),
    queries: items.map(({ id, query }) => ({ id, text: query })),
    judgements: new Map(items.map(({ id }) => [id, new Map([[id, 1]])])),
  };
}

/** Reads PubMedQA (Jin et al. 2019): each question should find the abstract that it was derived from. */
export function readPubMedQa(path: string): Dataset | null {
  if (!existsSync(path)) return null;
  const entries = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { QUESTION: string; CONTEXTS: string[] }>;
  return knownItems(
    'PubMedQA question→abstract',
    Object.entries(entries).map(([id, entry]) => ({ id, query: entry.QUESTION, text: entry.CONTEXTS.join('\n') })),
  );
}

/** Reads JATS articles of trials: each title should find its abstract. */
export async function readJats(folder: string): Promise<Dataset | null> {
  const archive = join(folder, 'articles.tar.gz');
  if (!existsSync(archive)) return null;
  const items: { id: string; query: string; text: string }[] = [];
  const entries = createReadStream(archive).pipe(createGunzip()).pipe(extract());
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const xml = Buffer.concat(chunks).toString();
    const query = plain(/<article-title[^>]*>([\s\S]*?)<\/article-title>/.exec(xml)?.[1] ?? '');
    const text = plain(/<abstract(?![^>]*abstract-type)[^>]*>([\s\S]*?)<\/abstract>/.exec(xml)?.[1] ?? '');
    if (query !== '' && text.length > 200) items.push({ id: entry.header.name, query, text });
  }
  return knownItems('JATS title→abstract', items);
}

function plain(xml: string): string {
  return xml
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
