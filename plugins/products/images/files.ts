/** Maps images to their storage keys and addresses. */

export const IMAGE_FOLDER = 'label-images/';
export const FILE_PATH = '/api/label-image/file/{name}';

const NAME = /^([0-9a-f]{64})(-400)?\.webp$/;

/** Returns the names of a stored picture and its thumbnail for a digest. */
export const fileNames = (sha256: string) => ({ picture: `${sha256}.webp`, thumb: `${sha256}-400.webp` });

/** Returns the digest in a file name, or null for a name of another form. */
export const digestOfName = (name: string): string | null => NAME.exec(name)?.[1] ?? null;

/**
 * Returns the storage key of a name. There is a folder for each of 256 prefixes, because a single folder with a hundred
 * thousand files is slow to list.
 */
export const keyOfName = (name: string): string => `${IMAGE_FOLDER}${name.slice(0, 2)}/${name}`;

/** Returns the digest in a storage key, or null for an object that cannot belong to an image. */
export const digestOfKey = (key: string): string | null => digestOfName(key.slice(key.lastIndexOf('/') + 1));

export const addressOf = (name: string): string => FILE_PATH.replace('{name}', name);
