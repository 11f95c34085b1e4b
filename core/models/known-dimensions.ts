/**
 * Stores the number of dimensions of each embedding model in a file, so that the program can start when an endpoint is
 * unavailable.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface KnownDimensions {
  /** Returns null when the dimensions are unknown. */
  of(model: string): Promise<number | null>;
  keep(model: string, dimensions: number): Promise<void>;
  /** Deletes the dimensions of a model that was replaced, so that the next start requests them. */
  forget(model: string): Promise<void>;
}

export const knownDimensions = (path: string): KnownDimensions => {
  const read = async (): Promise<Record<string, unknown>> => {
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'));
      return value !== null && typeof value === 'object' ? { ...value } : {};
    } catch {
      // When the file is missing or damaged, the dimensions are requested again.
      return {};
    }
  };
  const write = async (all: Readonly<Record<string, unknown>>): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify(all));
    await rename(`${path}.new`, path);
  };
  return {
    of: async (model) => {
      const value = (await read())[model];
      return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
    },
    keep: async (model, dimensions) => write({ ...(await read()), [model]: dimensions }),
    forget: async (model) => write({ ...(await read()), [model]: undefined }),
  };
};
