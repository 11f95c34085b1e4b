/**
 * The port for payloads that are too large for the database: label images, uploads, snapshots. Objects are files by default, or
 * in an S3-compatible store when it is configured.
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
  /** Media type, from the key's extension. */
  readonly type: string;
  /** An opaque string that changes with the bytes. */
  readonly etag: string;
}

export interface ObjectEntry {
  readonly key: string;
  readonly storedAt: Date;
}

/** An inclusive byte range, counted from 0. Both ends must lie within the object. */
export interface ObjectPart {
  readonly first: number;
  readonly last: number;
}

/**
 * An object store. Keys are lower-case paths with an extension that determines the type; see `object-key.ts`. Every method throws
 * for an invalid key.
 */
export interface ObjectStore {
  readonly kind: 'files' | 's3';
  /** Stores an object atomically; replaces an existing one and its `storedAt`. */
  put(key: string, body: Uint8Array): Promise<void>;
  /** Stores a local file, which may be larger than the memory. */
  putFile(key: string, path: string): Promise<void>;
  /** Returns null when the object does not exist. */
  get(key: string): Promise<StoredObject | null>;
  /**
   * Streams the object or a part of it; null when it does not exist. A caller that does not read to the end must destroy the
   * stream.
   */
  read(key: string, part?: ObjectPart): Promise<Readable | null>;
  /** Returns the time at which the object was last stored; null when it does not exist. */
  storedAt(key: string): Promise<Date | null>;
  /** Removes an object, if it exists. */
  remove(key: string): Promise<void>;
  /** Yields all objects of a folder such as `label-images/`, in no particular order. */
  entries(folder: string): AsyncIterable<ObjectEntry>;
}

/**
 * Opens the store that the settings configure; it accesses nothing yet.
 * @throws OperatorError when S3_ENDPOINT is set but a setting that it requires is not.
 */
export const openObjectStore = (config: Config, log: Log): ObjectStore => {
  const endpoint = config.text('S3_ENDPOINT');
  if (!endpoint) return fileObjects(join(config.text('DATA_DIR'), 'objects'));
  const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  const missing = needed.filter((name) => !config.text(name));
  if (missing.length) throw new OperatorError(`S3_ENDPOINT is set; it needs ${missing.join(', ')} too.`);
  return s3Objects(bucketSettings(config, config.text('S3_BUCKET')), log);
};
