/** Services of the wearables plugin: the queue of exports, and the connections to vendors. */
import type { Host } from '#core/plugin.ts';
import type { ReadingBudget } from '#core/readers/reading-budget.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { labsPlugin } from '#plugins/labs/index.ts';
import { daysBesideLabs } from './daily/beside-labs.ts';
import { wearableHolding } from './holding.ts';
import { type ImportFiles, importFiles } from './imports/files.ts';
import { type ImportQueue, startImports } from './imports/queue.ts';
import { lazyReader } from './imports/reader.ts';
import { type Connections, createConnections } from './oauth/connections.ts';
import { type Syncs, startSyncs } from './syncs.ts';

export interface WearableServices {
  readonly imports: ImportQueue;
  readonly files: ImportFiles;
  /** Processor time per sender, shared with laboratory reports. */
  readonly budget: ReadingBudget;
  readonly connections: Connections;
  readonly syncs: Syncs;
  /** Returns the number of unread exports of all devices. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

export const startWearables = (host: Host): WearableServices => {
  const { db, log, secrets, config } = host;
  const files = importFiles(config.text('DATA_DIR'));
  const { budget } = host.use(labsPlugin);
  const imports = startImports({
    db,
    log,
    secrets,
    files,
    reader: lazyReader(),
    budget,
    isServing: host.role === 'serve',
    book: () => host.use(biomarkersPlugin).book(),
  });
  const connections = createConnections({ db, secrets, config, log });
  const syncs = startSyncs({ connections, secrets, log, isServing: host.role === 'serve' });
  host.use(devicesPlugin).hold(wearableHolding({ secrets, files, connections, syncs }));
  host.use(labsPlugin).besides(daysBesideLabs);
  return {
    imports,
    files,
    budget,
    connections,
    syncs,
    waiting: async () => {
      const [row] = (await db.read((em) =>
        em.execute("select count(*)::int as n from wearable_import where state <> 'ready'"),
      )) as unknown as { n: number }[];
      return row?.n ?? 0;
    },
    stop: async () => {
      await Promise.all([imports.stop(), syncs.stop()]);
    },
  };
};
