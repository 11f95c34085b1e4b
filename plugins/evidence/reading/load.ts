import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildReader } from './reader.ts';
import type { AbstractReader } from './reading.ts';

const FILE = join(import.meta.dirname, 'model/reader.bin');

let loading: Promise<AbstractReader> | null = null;

/** Loads the model once; concurrent callers share it. Its memory is freed only with the process. */
export const loadReader = (): Promise<AbstractReader> => {
  loading ??= readFile(FILE).then(buildReader);
  return loading;
};
