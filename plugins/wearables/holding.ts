/** Implements the export, move and erasure of the wearable data of a device. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '#core/secrets.ts';
import type { Holding } from '#plugins/devices/index.ts';
import { countDays, eraseDays, moveDays, readDays } from './daily/daily-store.ts';
import type { ImportFiles } from './imports/files.ts';
import { eraseImports, readImports } from './imports/import-store.ts';
import { countUploads, eraseUploads } from './imports/uploads.ts';
import type { Connections } from './oauth/connections.ts';
import type { Syncs } from './syncs.ts';
import { type DailyRow, METRICS } from './vitals.ts';

interface Parts {
  readonly secrets: Secrets;
  readonly files: ImportFiles;
  readonly connections: Connections;
  readonly syncs: Syncs;
}

const counted = (what: string, count: number) => (count ? [{ what, count }] : []);

/** Formats a day as a row of the conventions: each metric, or null. */
export const dailyJson = ({ day, tz, source, origin, vitals }: DailyRow) => ({
  date: day,
  tz,
  ...Object.fromEntries(METRICS.map(({ id }) => [id, vitals[id] ?? null])),
  source,
  origin,
});

interface ConnectionRow {
  readonly vendor: string;
  readonly status: string;
  readonly scopes: readonly string[];
  readonly connected_at: Date | string;
}

/** Returns the connections without their tokens. */
const connectionsJson = async (em: EntityManager, device: string) =>
  (
    (await em.execute(
      'select vendor, status, scopes, connected_at from wearable_connection where device = ? order by vendor',
      [device],
    )) as unknown as ConnectionRow[]
  ).map(({ vendor, status, scopes, connected_at }) => ({
    vendor,
    status,
    scopes,
    connected_at: new Date(connected_at).toISOString(),
  }));

const countConnections = async (em: EntityManager, device: string): Promise<number> =>
  (await connectionsJson(em, device)).length;

export const wearableHolding = ({ secrets, files, connections, syncs }: Parts): Holding => {
  /** Exports whose imports were erased before they were read or completely uploaded, and whose files are to be removed. */
  const left: string[] = [];
  return {
    name: 'wearables',
    tables: [
      'wearable_daily',
      'wearable_import',
      'wearable_upload',
      'wearable_connection',
      'wearable_oauth_state',
      'wearable_revocation',
    ],
    counts: async (em, device) => [
      ...counted('days of wearables, by source', await countDays({ em, device })),
      ...counted('imports of a phone’s health export', (await readImports({ em, secrets, device })).length),
      ...counted('unfinished uploads of a phone’s health export', await countUploads({ em, device })),
      ...counted('connections to vendors of wearables', await countConnections(em, device)),
    ],
    exported: async (em, device) => ({
      wearable_daily: (await readDays({ em, secrets, device })).map(dailyJson),
      connections: await connectionsJson(em, device),
    }),
    resources: async () => [],
    erase: async (em, device) => {
      await eraseDays({ em, device });
      // The grants wait for the job that revokes them; they contain nothing of the device.
      await connections.release(em, device);
      left.push(...(await eraseImports({ em, device })), ...(await eraseUploads({ em, device })));
    },
    move: async (em, { from, to }) => {
      await moveDays({ em, secrets }, { from, to });
      await em.execute('update wearable_import set device = ? where device = ?', [to, from]);
      await em.execute('update wearable_upload set device = ? where device = ?', [to, from]);
      await connections.move(em, { from, to });
    },
    erased: async () => {
      for (const importId of left.splice(0)) await files.remove(importId);
      syncs.wake();
    },
  };
};
