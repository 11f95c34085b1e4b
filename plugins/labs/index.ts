import { definePlugin } from '#core/plugin.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { resealReports, sweepUploads } from './jobs.ts';
import { labPages } from './pages.ts';
import { labRoutes } from './routes.ts';
import { type LabServices, startLabs } from './services.ts';

/** Laboratory reports: read, checked by the person, shown beside ranges and evidence, on one device. */
export const labsPlugin = definePlugin<LabServices>({
  name: 'labs',
  summary: 'Laboratory reports of a device: upload, review, results',
  dependencies: [biomarkersPlugin, devicesPlugin],
  routes: labRoutes,
  pages: labPages,
  jobs: [sweepUploads, resealReports],
  start: startLabs,
  background: ({ queue }) => queue.wake(),
  stop: (services) => services.stop(),
});
