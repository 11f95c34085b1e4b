/** Helpers for the tests of the products plugin: run imports as the command does and read the stored rows. */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { systemContext } from '#core/system-context.ts';
import { type ProductServices, productsPlugin } from '#plugins/products/index.ts';
import { readStored, type Stored } from '#plugins/products/store.ts';
import type { TestService } from '../../support/service.ts';

export const fixture = (name: string): string => join(import.meta.dirname, '../../fixtures/import', name);

export const servicesOf = ({ runtime }: TestService): ProductServices =>
  runtime.servicesOf(productsPlugin) as ProductServices;

/**
 * Runs an importer as `npm run import` does; returns whether everything was imported, and the lines without
 * timings.
 */
export const importPaths = async (
  { runtime }: TestService,
  kind: 'dsld' | 'recalls',
  paths: readonly string[],
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<{ clean: boolean; lines: readonly string[] }> => {
  const lines: string[] = [];
  const importer = productsPlugin.importers?.find(({ id }) => id === kind);
  if (!importer) throw new Error(`no importer is called ${kind}`);
  const context = systemContext(runtime, productsPlugin, signal) as never;
  const clean = await importer.run(context, paths, (line) => lines.push(line.replace(/ in \d.*labels\/s\)$/, '')));
  return { clean, lines };
};

/** Returns the stored products, in the order of the ids. */
export const stored = async ({ runtime }: TestService, ...ids: readonly number[]): Promise<readonly Stored[]> => {
  const rows = await runtime.db.read((em) => readStored(em, 'dsld_id = any(?::int[])', [`{${ids.join(',')}}`]));
  return ids.flatMap((id) => rows.find((row) => row.dsldId === id) ?? []);
};

const header = (signature: number, fields: readonly [size: 2 | 4, value: number][]): Buffer => {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [size]) => sum + size, 0));
  buffer.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [size, value] of fields) {
    if (size === 2) buffer.writeUInt16LE(value, at);
    else buffer.writeUInt32LE(value >>> 0, at);
    at += size;
  }
  return buffer;
};

/** Creates a zip archive of stored members, each dated 7 June 2019. */
export const madeZip = (members: Readonly<Record<string, string>>): Buffer => {
  const day = ((2019 - 1980) << 9) | (6 << 5) | 7;
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(members)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const common: [2 | 4, number][] = [
      [2, 20],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, day],
      [4, crc32(data)],
      [4, data.length],
      [4, data.length],
      [2, path.length],
      [2, 0],
    ];
    const local = Buffer.concat([header(0x04034b50, common), path, data]);
    const rest: [2 | 4, number][] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ];
    directory.push(Buffer.concat([header(0x02014b50, [[2, 20], ...common, ...rest]), path]));
    parts.push(local);
    offset += local.length;
  }
  const table = Buffer.concat(directory);
  const count = directory.length;
  const end = header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, table.length],
    [4, offset],
    [2, 0],
  ]);
  return Buffer.concat([...parts, table, end]);
};
