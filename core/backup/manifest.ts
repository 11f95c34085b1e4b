/** The manifest of a backup, which allows checking before a restore whether the backup is complete and compatible. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Static, Type } from 'typebox';
import { OperatorError } from '../errors.ts';
import { createViewAjv } from '../http/validate.ts';

export const MANIFEST = 'manifest.json';
export const FORMAT = 1;

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
/** A path within the backup, without traversal. */
const InnerPath = Type.String({ pattern: '^(?!/)(?!.*(^|/)\\.\\.?(/|$))[\\x20-\\x7e]+$' });

const ManifestSchema = Type.Object({
  format: Type.Integer(),
  made_at: Type.String(),
  version: Type.String(),
  database: Type.String(),
  /** In the order in which they ran. */
  migrations: Type.Array(Type.String()),
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      columns: Type.Array(Type.String()),
      rows: Type.Integer(),
      file: InnerPath,
      sha256: Digest,
    }),
  ),
  sequences: Type.Array(Type.Object({ name: Type.String(), last: Type.Union([Type.String(), Type.Null()]) })),
  files: Type.Array(Type.Object({ path: InnerPath, bytes: Type.Integer(), sha256: Digest })),
  /** `files`: the backup contains them; `s3`: they remain in the object store. */
  objects: Type.String({ enum: ['files', 's3'] }),
  /**
   * Identifier of the secret with which rows are sealed; the backup contains the secret only when it was stored in the data
   * folder.
   */
  secret: Type.Object({ sign: Type.String(), is_inside: Type.Boolean() }),
});
export type Manifest = Static<typeof ManifestSchema>;

const isManifest = createViewAjv().compile<Manifest>(ManifestSchema);

/**
 * Reads the manifest.
 * @throws OperatorError when it is missing or invalid.
 */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new OperatorError(`${folder} is no finished backup: it has no ${MANIFEST}.`);
  const found: unknown = (() => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  })();
  if (!isManifest(found)) throw new OperatorError(`${join(folder, MANIFEST)} is not as a backup's is.`);
  if (found.format !== FORMAT)
    throw new OperatorError(`The backup has format ${found.format}; this program knows ${FORMAT}.`);
  return found;
};

export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/**
 * Verifies the checksums of all files.
 * @throws OperatorError that names the first missing or modified file.
 */
export const verifyFiles = async (folder: string, { tables, files }: Manifest): Promise<void> => {
  const all = [...tables.map(({ file, sha256 }) => ({ path: file, sha256 })), ...files];
  for (const { path, sha256 } of all) {
    const found = await digestOf(join(folder, path)).catch(() => '');
    if (!found) throw new OperatorError(`The backup lacks ${path}.`);
    if (found !== sha256) throw new OperatorError(`${path} is not as it was backed up: its checksum differs.`);
  }
};
