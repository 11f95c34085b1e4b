import { basename } from 'node:path';
import { filesUnder } from '#core/import/input-files.ts';
import { tableInputs } from './bibliographic-tables.ts';
import { importerInputs } from './importer-inputs.ts';
import type { PackEvent, PackInput } from './source-input.ts';

const inputs: readonly PackInput[] = [...tableInputs, ...importerInputs];

export type { PackEvent } from './source-input.ts';

/** Yields the events of the files below the paths, in the order of the paths and of the names; other files are ignored. */
export async function* readInputs(
  paths: readonly string[],
  options: { readonly signal: AbortSignal; readonly onFile: (path: string) => void },
): AsyncGenerator<PackEvent> {
  for (const path of paths) {
    for await (const file of filesUnder(path, /./)) {
      const input = inputs.find(({ files }) => files.test(basename(file.path)));
      if (!input) continue;
      options.onFile(file.path);
      yield* input.read(file.path, options.signal);
    }
  }
}
