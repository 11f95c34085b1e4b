/** Builds the starter catalogue from the data with the same importers. It contains facts only and no sentence of a label. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress } from 'node:zlib';
import { type KnownFile, knownFilesUnder } from './importers/dsld.ts';
import type { LabelPatch, Told } from './label.ts';
import { CORE_FILE, type CoreLine, headOfList, LIST_COLUMNS, LIST_FILE } from './starter.ts';

export interface PackCounts {
  /** Labels of the core file, and its lines: a label has one line per kind of file that describes it. */
  core: number;
  coreLines: number;
  list: number;
  listAsOf: string;
}

/** Removes statements and contact details; a company's own page has these. */
const bare = ({ statements: _s, suggested_use: _u, contacts, ...told }: Told): Told => ({
  ...told,
  ...(contacts && {
    contacts: contacts.map((contact) => ({ ...contact, address: '', phone: '', email: '' })),
  }),
});

async function* patchesOf(files: readonly KnownFile[], signal: AbortSignal): AsyncGenerator<LabelPatch> {
  for (const file of files)
    for await (const event of file.events(signal)) if (event.type === 'label') yield event.patch;
}

/** Returns whether a label belongs to the core: its overview of 2026 or its facts panel is known. */
const isCore = ({ origin, told }: LabelPatch): boolean =>
  (origin === 'dsld-csv' && told.market !== undefined) || !!told.ingredients?.length || !!told.some_ingredients?.length;

const coreLines = async (files: readonly KnownFile[], signal: AbortSignal): Promise<CoreLine[]> => {
  const ids = new Set<number>();
  for await (const patch of patchesOf(files, signal)) if (isCore(patch)) ids.add(patch.dsldId);
  const lines = new Map<string, CoreLine>();
  for await (const { dsldId: id, origin, asOf, told } of patchesOf(files, signal)) {
    if (!ids.has(id) || origin === 'dsld-list') continue;
    const key = `${id} ${origin} ${asOf}`;
    lines.set(key, { id, origin, as_of: asOf, told: { ...lines.get(key)?.told, ...bare(told) } });
  }
  return [...lines.values()].sort((one, other) => one.id - other.id || (one.origin < other.origin ? -1 : 1));
};

const cell = (value: string): string => value.replace(/[\t\r\n]+/g, ' ').trim();

const listRow = ({ dsldId, told }: LabelPatch): string => {
  const { market } = told;
  const cells: Readonly<Record<(typeof LIST_COLUMNS)[number], string>> = {
    dsld_id: String(dsldId),
    name: told.name ?? '',
    brand: told.brand ?? '',
    net_contents: told.net_contents ?? '',
    serving_size: told.serving_size ?? '',
    type_code: told.product_type?.code ?? '',
    form_code: told.form?.code ?? '',
    claims: told.claims?.join('|') ?? '',
    target_groups: told.target_groups?.join('|') ?? '',
    on_market: market ? (market.onMarket ? '1' : '0') : '',
    left_on: market?.leftOn ?? '',
    entry_date: told.entry_date ?? '',
  };
  return LIST_COLUMNS.map((column) => cell(cells[column])).join('\t');
};

const write = (path: string, lines: readonly string[]): Promise<void> => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const text = Readable.from(lines.map((line) => `${line}\n`));
  return pipeline(text, createBrotliCompress({ params }), createWriteStream(path));
};

/** Writes both files into `folder`. The same data produces the same bytes. */
export const packStarter = async (
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<PackCounts> => {
  const files: KnownFile[] = [];
  for (const path of paths) for await (const file of knownFilesUnder(path, signal)) files.push(file);
  const core = await coreLines(files, signal);
  const list: LabelPatch[] = [];
  for await (const patch of patchesOf(files, signal)) if (patch.origin === 'dsld-list') list.push(patch);
  await mkdir(folder, { recursive: true });
  await write(
    join(folder, CORE_FILE),
    core.map((line) => JSON.stringify(line)),
  );
  const listAsOf = list[0]?.asOf ?? '';
  await write(join(folder, LIST_FILE), [
    headOfList(listAsOf, list.length),
    LIST_COLUMNS.join('\t'),
    ...list.map(listRow),
  ]);
  return { core: new Set(core.map(({ id }) => id)).size, coreLines: core.length, list: list.length, listAsOf };
};
