/** Validates object keys: lower-case segments that begin with a letter or digit, so that no key can leave its folder. */

const TYPES: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  json: 'application/json',
  pdf: 'application/pdf',
  gz: 'application/gzip',
  txt: 'text/plain',
  bin: 'application/octet-stream',
};
const SEGMENT = '[a-z0-9][a-z0-9._-]*';
const KEY = new RegExp(`^(?:${SEGMENT}/)*${SEGMENT}\\.(${Object.keys(TYPES).join('|')})$`);
const FOLDER = new RegExp(`^(?:${SEGMENT}/)+$`);
/** Maximum length of a key. S3 allows 1,024 bytes, most file systems 255 per segment. */
const LONGEST = 200;

export const isObjectKey = (key: string): boolean => key.length <= LONGEST && KEY.test(key);

/**
 * Returns the key unchanged.
 * @throws Error for an invalid key: a bug of the caller, never of a request.
 */
export const checkKey = (key: string): string => {
  if (!isObjectKey(key)) throw new Error(`Not the key of an object: ${JSON.stringify(key.slice(0, LONGEST))}`);
  return key;
};

/**
 * Returns the folder unchanged.
 * @throws Error for an invalid folder.
 */
export const checkFolder = (folder: string): string => {
  if (!FOLDER.test(folder)) throw new Error(`Not a folder of objects: ${JSON.stringify(folder.slice(0, LONGEST))}`);
  return folder;
};

/** Returns the media type for the key's extension. */
export const typeOfKey = (key: string): string => TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? TYPES.bin ?? '';
