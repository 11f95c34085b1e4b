import { checkQueue } from '#core/doctor/finding.ts';
import { definePlugin, type Page, type Route } from '#core/plugin.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { labsPlugin } from '#plugins/labs/index.ts';
import { connectRoutes } from './connect-routes.ts';
import { wearableErrors } from './errors.ts';
import { resealDays, sweepImports, syncWearables } from './jobs.ts';
import { wearablePages } from './pages.ts';
import { pushRoutes } from './push-route.ts';
import { wearableRoutes } from './routes.ts';
import { startWearables, type WearableServices } from './services.ts';
import { vendorSettings } from './vendors/settings.ts';

/**
 * Plugin for days of a phone or a wearable, on one device: imported from the phone's export or from a vendor, and shown beside
 * laboratory values.
 */
export const wearablesPlugin = definePlugin<WearableServices>({
  name: 'wearables',
  summary: 'Wearables of a device: phone exports, vendors, days',
  dependencies: [biomarkersPlugin, devicesPlugin, evidencePlugin, labsPlugin],
  settings: vendorSettings,
  errors: wearableErrors.definitions,
  routes: [...wearableRoutes, ...connectRoutes, ...pushRoutes] as readonly Route<WearableServices>[],
  pages: wearablePages as readonly Page<WearableServices>[],
  jobs: [sweepImports, resealDays, syncWearables],
  start: startWearables,
  background: ({ imports, syncs }) => {
    imports.wake();
    syncs.wake();
  },
  diagnose: (diagnosis) =>
    checkQueue(diagnosis, {
      id: 'phone-exports',
      sql: "wearable_import where state <> 'ready' and created_at < now() - interval '15 minutes'",
      what: 'exports',
    }),
  gauges: async (services) => [
    {
      name: 'queue_length',
      help: 'What waits to be worked on, or is being worked on.',
      value: await services.waiting(),
    },
  ],
  stop: (services) => services.stop(),
});
