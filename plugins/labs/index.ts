import { checkQueue } from '#core/doctor/finding.ts';
import { definePlugin, type Page, type Route } from '#core/plugin.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { documentRoutes } from './documents/routes.ts';
import { fhirRoutes } from './fhir/routes.ts';
import { insightRoutes } from './insights/routes.ts';
import { resealReports, sweepUploads } from './jobs.ts';
import { labPages } from './pages.ts';
import { labRoutes } from './routes.ts';
import { type LabServices, startLabs } from './services.ts';
import { supplementPages } from './supplements/page.ts';
import { supplementRoutes } from './supplements/routes.ts';
import { trendPages } from './trends/page.ts';

const routes = [...labRoutes, ...supplementRoutes, ...insightRoutes, ...documentRoutes, ...fhirRoutes];
const pages = [...labPages, ...supplementPages, ...trendPages];

/** Plugin for laboratory reports: read, reviewed by the person, shown beside ranges and evidence, on one device. */
export const labsPlugin = definePlugin<LabServices>({
  name: 'labs',
  summary: 'Laboratory reports of a device: upload, review, results',
  dependencies: [biomarkersPlugin, devicesPlugin, vocabularyPlugin, evidencePlugin, interactionsPlugin, outcomesPlugin],
  routes: routes as readonly Route<LabServices>[],
  pages: pages as readonly Page<LabServices>[],
  jobs: [sweepUploads, resealReports],
  start: startLabs,
  background: ({ queue }) => queue.wake(),
  diagnose: (diagnosis) =>
    checkQueue(diagnosis, {
      id: 'lab-reports',
      sql: "lab_report where state <> 'ready' and created_at < now() - interval '15 minutes'",
      what: 'reports',
    }),
  gauges: async ({ queue }) => [
    { name: 'queue_length', help: 'What waits to be worked on, or is being worked on.', value: await queue.length() },
  ],
  stop: (services) => services.stop(),
});

export type { DayKeeper, DaySeries } from './days/keeper.ts';
export { type KeptClinical, keepClinical, knownClinicalKeys } from './fhir/clinical.ts';
export type { ClinicalContext, ClinicalReading, ReadClinicalRecords } from './fhir/clinical-reader.ts';
export type { ImportedReport } from './fhir/observations-to-report.ts';
/** URL of the module with `readClinicalRecords`, for a process that has no database and loads no plugin. */
export const clinicalReader = new URL('./fhir/clinical-reader.ts', import.meta.url).href;
export type { LogEntry } from './supplements/kept-entry.ts';
export { readLog } from './supplements/log-store.ts';
export { type Taken, takenIn } from './trends/taken.ts';
