/** Jobs that erase inactive devices, and clear deleted data from the database files. */

import { clearFreedRoom } from '#core/db/clear-freed-room.ts';
import type { Job } from '#core/plugin.ts';
import type { DeviceServices } from './services.ts';
import { forgetErased, forgotten, wasErased } from './store.ts';

const AT_ONCE = 100;
/** Hour of the nightly run, UTC; after the nightly jobs that delete expired data. */
const NIGHT_HOUR = 4;

export const forgetDevices: Job<DeviceServices> = {
  id: 'forget_devices',
  summary: 'erase all that is kept for devices that were not here for DEVICE_KEEP_DAYS',
  schedule: '53 3 * * *',
  timeoutSeconds: 1_800,
  run: async ({ services, db, config, signal }) => {
    const days = config.integer('DEVICE_KEEP_DAYS');
    let devices = 0;
    for (;;) {
      const some = await db.read((em) => forgotten(em, days, AT_ONCE));
      for (const device of some) {
        signal.throwIfAborted();
        await services.erase(device);
        devices += 1;
      }
      if (some.length < AT_ONCE) return { devices };
    }
  },
};

/**
 * Clears the space of deleted rows, so that nothing of them stays readable in the files of the embedded database. It runs at the
 * next quarter of an hour after a device was erased, so that many erasures share one run, and each night for rows that were
 * deleted singly or expired.
 */
export const clearErased: Job<DeviceServices> = {
  id: 'clear_erased',
  summary: 'clear what deleted personal data leave in the files of the embedded database',
  schedule: '4,19,34,49 * * * *',
  timeoutSeconds: 1_800,
  due: async ({ db }) => new Date().getUTCHours() === NIGHT_HOUR || (await db.read(wasErased)),
  run: async ({ services, db, signal }) => {
    await db.write(forgetErased);
    return { tables: await clearFreedRoom(db, services.personalTables(), signal) };
  },
};
