/** What the wearables plugin keeps running: the queue of exports, and the connections to vendors. */
import type { Host } from '#core/plugin.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { wearableHolding } from './holding.ts';
import { type ImportFiles, importFiles } from './imports/files.ts';
import { type ImportQueue, startImports } from './imports/queue.ts';
import { lazyReader } from './imports/reader.ts';
import { type Connections, createConnections } from './oauth/connections.ts';
import { type Syncs, startSyncs } from './syncs.ts';

export interface WearableServices {
  readonly imports: ImportQueue;
  readonly files: ImportFiles;
  readonly connections: Connections;
  readonly syncs: Syncs;
  /** Exports of all devices that are not read yet. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

export const startWearables = (host: Host): WearableServices => {
  const { db, log, secrets, config } = host;
  const files = importFiles(config.text('DATA_DIR'));
  const imports = startImports({
    db,
    log,
    secrets,
    files,
    reader: lazyReader(),
    isServing: host.role === 'serve',
    book: () => host.use(biomarkersPlugin).book(),
  });
  const connections = createConnections({ db, secrets, config, log });
  const syncs = startSyncs({ connections, secrets, log, isServing: host.role === 'serve' });
  host.use(devicesPlugin).hold(wearableHolding({ secrets, files, connections, syncs }));
  return {
    imports,
    files,
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
