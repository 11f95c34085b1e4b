/** Serves a browser library from a package, because the Content-Security-Policy of the pages allows no other origin. */
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

/** Reads and compresses a file, without the reference to a source map that is not served. */
const read = async (path: string): Promise<Packed> => {
  const text = await readFile(path, 'utf8');
  const plain = Buffer.from(text.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n'));
  return { plain, zipped: await zip(plain, { level: 9 }) };
};

interface Library {
  /** Id of the route, such as `graph.asset`. */
  readonly id: string;
  /** Path without a trailing slash; the file's own name follows it. */
  readonly folder: string;
  readonly summary: string;
  readonly tag: string;
  /** The package's entry as returned by `import.meta.resolve`; `file` is relative to its folder. */
  readonly entry: string;
  readonly file: string;
}

/** Builds the route. The file is read and compressed, to about a third, on the first call. */
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
