import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildReader } from './reader.ts';
import type { AbstractReader } from './reading.ts';

const FOLDER = join(import.meta.dirname, 'model');

let loading: Promise<AbstractReader> | null = null;

/** Loads the model once; concurrent callers share it. Its memory is freed only with the process. */
export const loadReader = (): Promise<AbstractReader> => {
  loading ??= Promise.all([readFile(join(FOLDER, 'reader.bin')), readFile(join(FOLDER, 'ranking.json'), 'utf8')]).then(
    ([model, ranking]) => buildReader(model, JSON.parse(ranking) as number[]),
  );
  return loading;
};
