import { definePlugin } from '#core/plugin.ts';
import { deviceErrors } from './errors.ts';
import { clearErased, forgetDevices } from './jobs.ts';
import { myDataPage } from './page.ts';
import { deviceRoutes } from './routes.ts';
import { type DeviceServices, startDevices } from './services.ts';

/** Data of a device: visits, consents, its recovery phrase, and all that other plugins store for it. */
export const devicesPlugin = definePlugin<DeviceServices>({
  name: 'devices',
  summary: 'Devices: consent, recovery phrase, export, deletion',
  dependencies: [],
  settings: [
    {
      name: 'DEVICE_KEEP_DAYS',
      kind: 'integer',
      fallback: '400',
      meaning: 'Days after the last visit until all data stored for a device are deleted.',
      from: 1,
      to: 36_500,
    },
    {
      name: 'BACKUP_KEEP_DAYS',
      kind: 'integer',
      fallback: '',
      meaning:
        'Days that the operator keeps backups. People who delete their data are told until when a backup may still contain them; when unset, they are told that the operator has not stated a period. 0 means that there are no backups.',
      from: 0,
      to: 36_500,
    },
  ],
  errors: deviceErrors.definitions,
  routes: deviceRoutes,
  pages: [myDataPage],
  jobs: [forgetDevices, clearErased],
  start: startDevices,
});

export { keepOrFindConsent, requireConsent } from './consent.ts';
export type { FhirResource, HeldCount, Holding } from './holdings.ts';
export { back, eraseAll, erasedReplies } from './routes.ts';
export type { DeviceServices } from './services.ts';
export { hasConsented, keepConsent, touch } from './store.ts';
