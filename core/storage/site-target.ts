/**
 * Targets to which a published site can be sent: a bucket behind a content delivery network, or a folder that a file server
 * serves. File names are addresses without the leading slash, so that a request path of the network is the key in the bucket.
 */
import { readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { makePublicFolder, openFileToPublic } from '../data-folder.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { replaceFile } from '../site/site-layout.ts';
import { bucketSettings, openBucket } from './s3-objects.ts';

export interface SiteFile {
  readonly name: string;
  readonly body: Buffer;
  readonly type: string;
  readonly cacheControl: string;
  readonly encoding: 'identity' | 'gzip' | 'br';
}

export interface SiteTarget {
  /** Identifies the target; it contains no keys. */
  readonly id: string;
  readonly kind: 's3' | 'folder';
  /** Writes a file atomically. */
  put(file: SiteFile): Promise<void>;
  /** Returns null when the file does not exist. */
  get(name: string): Promise<Buffer | null>;
  /** Removes a file, if it exists. */
  remove(name: string): Promise<void>;
}

/** Matches published addresses and this program's own file names. */
const NAME = /^[A-Za-z0-9.][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9][A-Za-z0-9._~-]*)*$/;

const checkName = (name: string): string => {
  if (!NAME.test(name) || name.includes('..'))
    throw new Error(`Not a name of a published file: ${JSON.stringify(name)}`);
  return name;
};

const s3Target = (config: Config, log: Log, { bucket, prefix }: { bucket: string; prefix: string }): SiteTarget => {
  const settings = bucketSettings(config, bucket);
  const send = openBucket(settings, log);
  const path = (name: string): string => `${prefix}${checkName(name)}`;
  return {
    id: `${settings.endpoint}/${bucket}/${prefix}`,
    kind: 's3',
    put: async ({ name, body, type, cacheControl, encoding }) => {
      const headers = {
        'Cache-Control': cacheControl,
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      };
      const reply = await send({ method: 'PUT', path: path(name), body: Buffer.from(body), type, headers });
      if (!reply.ok) throw new OperatorError(`The object store has no bucket ${bucket}.`);
    },
    get: async (name) => {
      const reply = await send({ method: 'GET', path: path(name) });
      return reply.ok ? Buffer.from(await reply.arrayBuffer()) : null;
    },
    remove: async (name) => {
      await send({ method: 'DELETE', path: path(name) });
    },
  };
};

const folderTarget = (folder: string): SiteTarget => ({
  id: folder,
  kind: 'folder',
  put: async ({ name, body }) => {
    const path = join(folder, checkName(name));
    await makePublicFolder(dirname(path));
    await replaceFile(path, [body]);
    await openFileToPublic(path);
  },
  get: (name) => readFile(join(folder, checkName(name))).catch(() => null),
  remove: async (name) => {
    const path = join(folder, checkName(name));
    await rm(path, { force: true });
    await makePublicFolder(dirname(path));
  },
});

/**
 * Opens a target: `s3://bucket` or `s3://bucket/prefix` with the S3_* settings, else a folder.
 * @throws OperatorError when it is neither, or when S3_ENDPOINT is not set.
 */
export const openSiteTarget = (config: Config, log: Log, wanted: string): SiteTarget => {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)(?:\/([A-Za-z0-9._/-]*))?$/.exec(wanted) ?? [];
  if (bucket) return s3Target(config, log, { bucket, prefix: prefix && `${prefix.replace(/\/+$/, '')}/` });
  if (!wanted || /^[a-z0-9]+:/i.test(wanted))
    throw new OperatorError(`--publish takes a folder, or an address such as s3://bucket/prefix, and no "${wanted}".`);
  return folderTarget(resolve(wanted));
};
