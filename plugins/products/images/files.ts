/** Where the bytes of an image lie, and at which address they are served. */

export const IMAGE_FOLDER = 'label-images/';
export const FILE_PATH = '/api/label-image/file/{name}';

const NAME = /^([0-9a-f]{64})(-400)?\.webp$/;

/** Digest of the stored picture to the names of it and its thumbnail. */
export const fileNames = (sha256: string) => ({ picture: `${sha256}.webp`, thumb: `${sha256}-400.webp` });

/** The digest that a name begins with; null when it is no name of ours. */
export const digestOfName = (name: string): string | null => NAME.exec(name)?.[1] ?? null;

/** A folder of its own for each of 256 beginnings: a hundred thousand files in one are slow to list. */
export const keyOfName = (name: string): string => `${IMAGE_FOLDER}${name.slice(0, 2)}/${name}`;

/** Null for an object that no image of ours could own. */
export const digestOfKey = (key: string): string | null => digestOfName(key.slice(key.lastIndexOf('/') + 1));

export const addressOf = (name: string): string => FILE_PATH.replace('{name}', name);
