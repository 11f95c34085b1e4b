/** Devices that nobody comes back with. */
import type { Job } from '#core/plugin.ts';
import type { DeviceServices } from './services.ts';
import { forgotten } from './store.ts';

const AT_ONCE = 100;

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
