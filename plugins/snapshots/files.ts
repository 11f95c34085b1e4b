/** Names the files of a snapshot and their keys in the object store. */
import { isObjectKey } from '#core/storage/object-key.ts';

export const MANIFEST = 'manifest.json';
export const SUMS = 'SHA256SUMS';
export const SIGNATURE = 'SHA256SUMS.sig';
export const SIGNING_KEY = 'signing-key.pem';
export const README = 'README.txt';
export const LICENCE = 'LICENSE.txt';

export const dataFile = (dataset: string): string => `${dataset}.jsonl.gz`;
export const schemaFile = (dataset: string): string => `${dataset}.schema.json`;

const TYPES: readonly (readonly [ending: string, type: string])[] = [
  ['.gz', 'application/gzip'],
  ['.schema.json', 'application/schema+json'],
  ['.json', 'application/json'],
  ['.pem', 'application/x-pem-file'],
  ['.sig', 'application/octet-stream'],
];

export const mediaTypeOf = (name: string): string =>
  TYPES.find(([ending]) => name.endsWith(ending))?.[1] ?? 'text/plain; charset=utf-8';

export const FOLDER = 'snapshots/';
export const folderOf = (id: string): string => `${FOLDER}${id}/`;

/** Returns the object key of a file. Keys are lower case and must end in an extension that the store knows. */
export const keyOf = (id: string, name: string): string => {
  const key = `${folderOf(id)}${name.toLowerCase()}`;
  return isObjectKey(key) ? key : `${key}.bin`;
};

/** Returns the snapshot's id from an object key; "" for a key outside snapshots/. */
export const idOfKey = (key: string): string => /^snapshots\/([^/]+)\//.exec(key)?.[1] ?? '';

export const addressOf = (id: string, name: string): string => `/snapshots/${id}/${name}`;
