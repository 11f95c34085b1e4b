import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { snapshotCommand } from './commands.ts';
import { makeSnapshot } from './jobs.ts';
import { snapshotsPage } from './page.ts';
import { snapshotErrors, snapshotRoutes } from './routes.ts';
import { type SnapshotServices, startSnapshots } from './services.ts';

/** Publishes all datasets that plugins offer as files with checksums for anybody to download. */
export const snapshotsPlugin = definePlugin<SnapshotServices>({
  name: 'snapshots',
  summary: 'The whole data as files, versioned, with checksums, a signature and terms',
  dependencies: [evidencePlugin],
  settings: [
    {
      name: 'SNAPSHOT_EVERY_DAYS',
      kind: 'integer',
      fallback: '7',
      meaning:
        'Days between two snapshots of the data; a snapshot is made only when something changed, and none with 0.',
      from: 0,
      to: 365,
    },
    {
      name: 'SNAPSHOTS_KEEP',
      kind: 'integer',
      fallback: '4',
      meaning: 'Number of snapshots to keep; older ones are deleted.',
      from: 1,
      to: 1_000,
    },
  ],
  errors: snapshotErrors.definitions,
  routes: snapshotRoutes,
  pages: [snapshotsPage],
  jobs: [makeSnapshot],
  commands: [snapshotCommand],
  start: startSnapshots,
});
