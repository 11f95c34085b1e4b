/** Services for a device and its data: visits, erasure, and the move to another device. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database, Host } from '#core/plugin.ts';
import type { FhirResource, HeldCount, Holding } from './holdings.ts';
import { takePhrase } from './recovery.ts';
import { eraseDevice, isKnown, noteErased, touch } from './store.ts';

export interface DeviceServices {
  /** Registers a holding; a plugin calls it at start-up for each kind of data that it stores. */
  hold(holding: Holding): void;
  /** Records a visit of today. */
  visit(device: string): Promise<void>;
  counts(em: EntityManager, device: string): Promise<readonly HeldCount[]>;
  exported(em: EntityManager, device: string): Promise<Readonly<Record<string, readonly unknown[]>>>;
  resources(em: EntityManager, device: string): Promise<readonly FhirResource[]>;
  /** Returns every table that stores data of a device, including this plugin's own. */
  personalTables(): readonly string[];
  /** Erases all data of a device in one transaction. */
  erase(device: string): Promise<void>;
  /** Moves the data of the phrase's device to another device, and invalidates the phrase; false if the phrase is unknown. */
  move(phrase: string, to: string): Promise<boolean>;
}

const OWN_TABLES = ['device', 'device_consent', 'device_recovery'];
/** Maximum number of devices whose visit of today is cached in memory; the cache is cleared when it is full. */
const MOST_REMEMBERED = 10_000;

export const startDevices = ({ db }: Pick<Host, 'db'>): DeviceServices => {
  const holdings: Holding[] = [];
  const visits = createVisits(db);
  const merged = async <T>(of: (holding: Holding) => Promise<Readonly<Record<string, readonly T[]>>>) => {
    const all: Record<string, readonly T[]> = {};
    for (const holding of holdings) Object.assign(all, await of(holding));
    return all;
  };
  const counts = async (em: EntityManager, device: string): Promise<readonly HeldCount[]> => {
    const all: HeldCount[] = [];
    for (const holding of holdings) all.push(...(await holding.counts(em, device)));
    return all;
  };
  return {
    hold: (holding) => void holdings.push(holding),
    visit: visits.add,
    personalTables: () => [...OWN_TABLES, ...holdings.flatMap(({ tables }) => tables)],
    counts,
    exported: (em, device) => merged((holding) => holding.exported(em, device)),
    resources: async (em, device) => {
      const all: FhirResource[] = [];
      for (const holding of holdings) all.push(...(await holding.resources(em, device)));
      return all;
    },
    erase: async (device) => {
      await db.write(async (em) => {
        // A device without data leaves nothing to clear, so an arbitrary request must not trigger work on the database files.
        const hadSomething = (await isKnown(em, device)) || (await counts(em, device)).length > 0;
        for (const holding of holdings) await holding.erase(em, device);
        await eraseDevice(em, device);
        if (hadSomething) await noteErased(em);
      });
      visits.forget(device);
      for (const holding of holdings) await holding.erased?.();
    },
    move: async (phrase, to) =>
      db.write(async (em) => {
        const from = await takePhrase(em, phrase);
        if (from === null) return false;
        await touch(em, to);
        if (from === to) return true;
        for (const holding of holdings) await holding.move(em, { from, to });
        await em.execute('update device_consent set device = ? where device = ?', [to, from]);
        await eraseDevice(em, from);
        return true;
      }),
  };
};

const createVisits = (db: Database) => {
  let [day, seen] = ['', new Set<string>()];
  return {
    add: async (device: string): Promise<void> => {
      const today = new Date().toISOString().slice(0, 10);
      if (today !== day || seen.size >= MOST_REMEMBERED) [day, seen] = [today, new Set()];
      if (seen.has(device)) return;
      await db.write((em) => touch(em, device));
      seen.add(device);
    },
    forget: (device: string): void => {
      seen.delete(device);
    },
  };
};
