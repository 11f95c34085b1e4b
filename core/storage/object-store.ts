/**
 * The port for bytes that are too large for the database: label images, uploads, snapshots. Files by default, an
 * S3-compatible store by setting.
 */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { fileObjects } from './file-objects.ts';
import { bucketSettings, s3Objects } from './s3-objects.ts';

export interface StoredObject {
  readonly body: Buffer;
  /** The media type that the key's ending says. */
  readonly type: string;
  /** Changes with the bytes; opaque. */
  readonly etag: string;
}

export interface ObjectEntry {
  readonly key: string;
  readonly storedAt: Date;
}

/** Bytes of an object, counted from 0; `last` is one of them. Both lie within the object. */
export interface ObjectPart {
  readonly first: number;
  readonly last: number;
}

/** Keys are lower-case paths whose ending says the type; see `object-key.ts`. Every method throws on a key that is none. */
export interface ObjectStore {
  readonly kind: 'files' | 's3';
  /** Stores the whole object or nothing; replaces what the key held, and its `storedAt`. */
  put(key: string, body: Uint8Array): Promise<void>;
  /** The same with a file of this machine, which may be larger than the memory. */
  putFile(key: string, path: string): Promise<void>;
  /** Null when nothing is stored there. */
  get(key: string): Promise<StoredObject | null>;
  /** The whole or a part, as it comes; null when nothing is stored there. Who does not read to the end destroys it. */
  read(key: string, part?: ObjectPart): Promise<Readable | null>;
  /** When the object was stored last; null when there is none. */
  storedAt(key: string): Promise<Date | null>;
  /** Harmless when there is none. */
  remove(key: string): Promise<void>;
  /** All objects of a folder such as `label-images/`, in no order. */
  entries(folder: string): AsyncIterable<ObjectEntry>;
}

/**
 * Opens the store that the settings name; touches nothing yet.
 * @throws OperatorError when S3_ENDPOINT is set and what belongs to it is not.
 */
export const openObjectStore = (config: Config, log: Log): ObjectStore => {
  const endpoint = config.text('S3_ENDPOINT');
  if (!endpoint) return fileObjects(join(config.text('DATA_DIR'), 'objects'));
  const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  const missing = needed.filter((name) => !config.text(name));
  if (missing.length) throw new OperatorError(`S3_ENDPOINT is set; it needs ${missing.join(', ')} too.`);
  return s3Objects(bucketSettings(config, config.text('S3_BUCKET')), log);
};
