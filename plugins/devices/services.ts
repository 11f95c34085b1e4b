/** What belongs to a device, and all that can happen to it: a visit, a consent, a move, its end. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database, Host } from '#core/plugin.ts';
import type { FhirResource, HeldCount, Holding } from './holdings.ts';
import { takePhrase } from './recovery.ts';
import { eraseDevice, isKnown, noteErased, touch } from './store.ts';

export interface DeviceServices {
  /** Called by a plugin as it starts, for each thing that it keeps. */
  hold(holding: Holding): void;
  /** A visit of today. */
  visit(device: string): Promise<void>;
  counts(em: EntityManager, device: string): Promise<readonly HeldCount[]>;
  exported(em: EntityManager, device: string): Promise<Readonly<Record<string, readonly unknown[]>>>;
  resources(em: EntityManager, device: string): Promise<readonly FhirResource[]>;
  /** Every table that holds something of a device, this plugin's own among them. */
  personalTables(): readonly string[];
  /** All of it, in one transaction. */
  erase(device: string): Promise<void>;
  /** Moves what a phrase stands for to a device; false when it is nobody's. The phrase is used up. */
  move(phrase: string, to: string): Promise<boolean>;
}

const OWN_TABLES = ['device', 'device_consent', 'device_recovery'];
/** Visits that were written are remembered for so many devices; beyond, the database says. */
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
        // Of a device that left nothing, nothing is to be cleared: the files are not worked on for anybody who asks.
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
