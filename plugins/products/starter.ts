/** Reads the starter catalogue that is shipped with the program, content/products, identified by digest. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBrotliDecompress } from 'node:zlib';
import { Fact } from '#core/db/entities.ts';
import { linesOf } from '#core/import/text-stream.ts';
import type { Database } from '#core/plugin.ts';
import { wordsOf } from './codes.ts';
import { type LabelEvent, problemAt, readLabelId } from './importers/events.ts';
import type { LabelSource } from './importing.ts';
import type { Coded, LabelPatch, Told } from './label.ts';

/**
 * Files of the starter catalogue. The setting `core` loads the first one before the first request; `all` also loads the list
 * of 2019 afterwards.
 */
export const CORE_FILE = 'dsld-2026.jsonl.br';
export const LIST_FILE = 'dsld-2019.tsv.br';

/** Columns of the list of 2019; `|` separates several values of a cell. */
export const LIST_COLUMNS = [
  'dsld_id',
  'name',
  'brand',
  'net_contents',
  'serving_size',
  'type_code',
  'form_code',
  'claims',
  'target_groups',
  'on_market',
  'left_on',
  'entry_date',
] as const;

export interface StarterFile {
  readonly name: string;
  readonly digest: string;
  /** Number of labels in the file; null when the file does not state it. */
  readonly total: number | null;
  readonly source: LabelSource;
}

async function* textOf(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path).pipe(createBrotliDecompress());
  stream.setEncoding('utf8');
  for await (const chunk of stream) yield chunk as string;
}

/** A line of the core file. */
export interface CoreLine {
  readonly id: number;
  readonly origin: LabelPatch['origin'];
  readonly as_of: string;
  readonly told: Told;
}

async function* coreEvents(path: string): AsyncGenerator<LabelEvent> {
  for await (const line of linesOf(textOf(path))) {
    const { id, origin, as_of, told } = JSON.parse(line) as CoreLine;
    yield { type: 'label', patch: { dsldId: id, origin, asOf: as_of, told } };
  }
}

const listed = (cell: string): string[] => (cell ? cell.split('|') : []);
const coded = (table: 'form' | 'type', code: string): Coded => ({ code, words: wordsOf(table, code, '') });

const toldByList = (cells: readonly string[]): Told => {
  const [, name = '', brand = '', net = '', serving = '', type = '', form = '', claims = '', groups = '', ...rest] =
    cells;
  const [market = '', left = '', entry = ''] = rest;
  return {
    name,
    brand,
    net_contents: net,
    serving_size: serving,
    claims: listed(claims),
    target_groups: listed(groups),
    ...(type && { product_type: coded('type', type) }),
    ...(form && { form: coded('form', form) }),
    ...(market && { market: { onMarket: market === '1', leftOn: left || null } }),
    ...(entry && { entry_date: entry }),
  };
};

/** Matches the first line of the list: the day on which it was valid, and its number of labels. */
const HEAD = /^# as of (\d{4}-\d{2}-\d{2}): (\d+) labels$/;
export const headOfList = (asOf: string, count: number): string => `# as of ${asOf}: ${count} labels`;

const totalOf = async (path: string): Promise<number | null> => {
  for await (const line of linesOf(textOf(path))) return Number(HEAD.exec(line)?.[2] ?? 0) || null;
  return null;
};

async function* listEvents(path: string): AsyncGenerator<LabelEvent> {
  let asOf = '';
  let line = 0;
  for await (const text of linesOf(textOf(path))) {
    line += 1;
    if (line === 1) asOf = HEAD.exec(text)?.[1] ?? '';
    // The second line contains the column names.
    if (line <= 2) continue;
    const cells = text.split('\t');
    const dsldId = readLabelId(cells[0]);
    if (dsldId === null) yield problemAt(LIST_FILE, line, 'the row has no DSLD ID');
    else yield { type: 'label', patch: { dsldId, origin: 'dsld-list', asOf, told: toldByList(cells) } };
  }
}

/** Returns a file of the starter catalogue, or null when this installation has none. */
export const starterFile = async (
  contentDir: string,
  name: typeof CORE_FILE | typeof LIST_FILE,
): Promise<StarterFile | null> => {
  const path = join(contentDir, 'products', name);
  const bytes = await readFile(path).catch(() => null);
  if (!bytes) return null;
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const events = (): AsyncIterable<LabelEvent> => (name === CORE_FILE ? coreEvents(path) : listEvents(path));
  const total = name === LIST_FILE ? await totalOf(path) : null;
  return { name, digest, total, source: { kind: 'starter', path: name, identity: `${name} ${digest}`, events } };
};

const factOf = (name: string): string => `products.starter.${name}`;

export const isLoaded = async (db: Database, { name, digest }: StarterFile): Promise<boolean> =>
  (await db.read((em) => em.findOne(Fact, { name: factOf(name) })))?.value === digest;

export const markLoaded = (db: Database, { name, digest }: StarterFile): Promise<unknown> =>
  db.write((em) => em.upsert(Fact, { name: factOf(name), value: digest }));
