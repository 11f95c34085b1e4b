/** A library for the browser out of a package, from our own address: the policy of our pages lets in no other. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Type } from 'typebox';
import { notFound } from '../errors.ts';
import { defineRoute, type Route } from '../plugin.ts';

const zip = promisify(gzip);
const Params = Type.Object({ name: Type.String({ maxLength: 100 }) });

export const acceptsGzip = (given: string | undefined): boolean =>
  /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?(\s*,|\s*$))/.test(given ?? '');

interface Packed {
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** Without the address of a source map that is not here. */
const read = async (path: string): Promise<Packed> => {
  const text = await readFile(path, 'utf8');
  const plain = Buffer.from(text.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n'));
  return { plain, zipped: await zip(plain, { level: 9 }) };
};

interface Library {
  /** Of the route: `graph.asset`. */
  readonly id: string;
  /** Without an ending slash; the file's own name follows it. */
  readonly folder: string;
  readonly summary: string;
  readonly tag: string;
  /** As `import.meta.resolve` gives the package's entry; `file` is relative to that one's folder. */
  readonly entry: string;
  readonly file: string;
}

/** Read and packed at the first call; a third of it goes over the line. */
export const libraryRoute = ({ id, folder, summary, tag, entry, file }: Library): Route => {
  let packed: Promise<Packed> | undefined;
  return defineRoute<unknown, { params: typeof Params }>({
    id,
    method: 'GET',
    path: `${folder}/{name}`,
    summary,
    tag,
    access: 'public',
    request: { params: Params },
    replies: [{ status: 200, mediaType: 'text/javascript', description: 'The file' }],
    raises: ['not_found', 'validation_failed'],
    handle: async (_context, { params, headers }) => {
      if (params.name !== basename(file)) throw notFound('File', params.name);
      packed ??= read(join(dirname(fileURLToPath(entry)), file));
      const { plain, zipped } = await packed;
      const type = 'text/javascript; charset=utf-8';
      const shared = { 'Cache-Control': 'public, max-age=86400', Vary: 'Accept-Encoding' };
      if (!acceptsGzip(headers['accept-encoding'])) return { type, body: plain, headers: shared };
      return { type, body: zipped, headers: { ...shared, 'Content-Encoding': 'gzip' } };
    },
  });
};
