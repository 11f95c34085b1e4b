/** How many dimensions each embedding model has, kept in a file: so that an endpoint that is away does not stop a start. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface KnownDimensions {
  /** Null when the model was never asked. */
  of(model: string): Promise<number | null>;
  keep(model: string, dimensions: number): Promise<void>;
  /** Of a model that turned out to be another: the next start asks it. */
  forget(model: string): Promise<void>;
}

export const knownDimensions = (path: string): KnownDimensions => {
  const read = async (): Promise<Record<string, unknown>> => {
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'));
      return value !== null && typeof value === 'object' ? { ...value } : {};
    } catch {
      // Missing or damaged: the model is asked again.
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
