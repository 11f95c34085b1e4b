/** Collects the datasets of all plugins, each bound to the context of its plugin. */
import type { Dataset, DatasetLicence, OfferedDataset } from './plugin.ts';
import type { Runtime } from './runtime.ts';
import { systemContext } from './system-context.ts';

/** Returns the licence of data that this project wrote or derived. */
export const ownLicence = (terms: string): DatasetLicence => ({
  id: 'CC-BY-4.0',
  name: 'Creative Commons Attribution 4.0 International',
  url: 'https://creativecommons.org/licenses/by/4.0/',
  terms,
});

const known = new WeakMap<Runtime, readonly OfferedDataset[]>();

/** Returns the datasets of a runtime, which are built once; no row is read. */
export const datasetsOf = (runtime: Runtime): readonly OfferedDataset[] => {
  const made =
    known.get(runtime) ??
    runtime.plugins.flatMap((plugin) =>
      ((plugin.datasets ?? []) as readonly Dataset[]).map(({ rows, ...about }) => ({
        ...about,
        rows: (signal: AbortSignal) => rows(systemContext(runtime, plugin, signal)),
      })),
    );
  known.set(runtime, made);
  return made;
};
