/** Pages of the lab flows: the form, the progress, the results and the list of reports. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { type DeviceServices, devicesPlugin } from '#plugins/devices/index.ts';
import { chosenReport } from './chosen.ts';
import { FLOWS, type Flow, WHOLE_FLOWS } from './flows.ts';
import { NOTICE_WORDS, type Notice, STAGE_WORDS } from './lab-messages.ts';
import { ResultsView, resultsView } from './results-view.ts';
import { REPORT_SESSION, ReportQuery } from './route-parts.ts';
import type { LabServices } from './services.ts';
import { readAll } from './store.ts';

const FormView = Type.Object({
  base: Type.String(),
  name: Type.String(),
  testType: Type.String(),
  isPartial: Type.Boolean(),
  vision: Type.String(),
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const article = ({ name }: Flow): string => (/^[aeo]/.test(name) ? 'an' : 'a');

/** Defines the form page. It is the same for everyone, so it is generated ahead of time. */
const formPage = (flow: Flow): Page =>
  definePage({
    id: `labs.${flow.id}.form`,
    path: flow.base,
    summary: `The upload form for the report of a ${flow.name}`,
    template: 'labs/form',
    view: FormView,
    scope: 'public',
    sitemap: 'static',
    revision: 2,
    list: ({ models }) => [{ params: {}, version: models.vision?.name ?? '', changedAt: null }],
    load: async ({ models }) => ({
      head: {
        title: `Understand ${article(flow)} ${flow.name}`,
        description: `Upload the report of ${article(flow)} ${flow.name} as PDF or picture, check what was read, and see its values beside the printed ranges and the evidence. On your device only.`,
      },
      view: {
        base: flow.base,
        name: flow.name,
        testType: flow.testType,
        isPartial: flow.isPartial,
        vision: models.vision?.name ?? '',
      },
    }),
  });

const Notices = Type.String({ enum: ['', ...Object.keys(NOTICE_WORDS)], default: '' });
const ResultsQuery = Type.Object({
  ...ReportQuery.properties,
  notice: Notices,
  edit: Type.Boolean({ default: false }),
});

const visit = async (context: Context<LabServices>): Promise<void> => {
  if (context.device) await (context.use(devicesPlugin) as DeviceServices).visit(context.device);
};

const resultsPage = (flow: Flow): Page<LabServices> =>
  definePage({
    id: `labs.${flow.id}.results`,
    path: `${flow.base}/results`,
    summary: `The results of a ${flow.name}: critical values, review, values beside their ranges`,
    template: 'labs/results',
    query: ResultsQuery,
    view: ResultsView,
    scope: 'device',
    sitemap: null,
    revision: 1,
    load: async (context: Context<LabServices>, { query }) => {
      await visit(context);
      const chosen = await chosenReport(context, flow, query.report_id);
      if (chosen && chosen.report.state !== 'ready') return { redirect: `${flow.base}/progress` };
      if (query.report_id && chosen) context.session.set(REPORT_SESSION, chosen.report.reportId);
      const view = resultsView(await context.services.book(), {
        flow,
        report: chosen?.report ?? null,
        notice: query.notice as Notice,
        isEditing: query.edit,
      });
      return {
        head: {
          title: `Your ${flow.name}`,
          description: 'Your values beside the ranges that were printed, for this device only.',
          noindex: true,
        },
        view,
      };
    },
  });

const ProgressView = Type.Object({
  base: Type.String(),
  status: Type.String(),
  stage: Type.String(),
  page: Type.Integer(),
  pages: Type.Integer(),
});

const progressPage = (flow: Flow): Page<LabServices> =>
  definePage({
    id: `labs.${flow.id}.progress`,
    path: `${flow.base}/progress`,
    summary: 'How far the reading of an upload is; leads on to the results',
    template: 'labs/progress',
    view: ProgressView,
    scope: 'device',
    sitemap: null,
    revision: 1,
    load: async (context: Context<LabServices>) => {
      const chosen = await chosenReport(context, flow, '');
      if (!chosen || chosen.report.state === 'ready') return { redirect: `${flow.base}/results` };
      const progress = context.services.queue.progressOf(chosen.report.reportId);
      return {
        head: { title: 'Reading your report', description: 'The report is being read.', noindex: true },
        view: {
          base: flow.base,
          status: `/api${flow.isPartial ? '/blood-test' : flow.base}/status`,
          stage: STAGE_WORDS[progress?.stage ?? 'waiting'] ?? '',
          page: progress?.page ?? 0,
          pages: progress?.pages ?? 0,
        },
      };
    },
  });

const ReportsView = Type.Object({
  base: Type.String(),
  flowName: Type.String(),
  notice: Type.String(),
  reports: Type.Array(
    Type.Object({
      id: Type.String(),
      href: Type.String(),
      day: Type.String(),
      isDrawDay: Type.Boolean(),
      labName: Type.String(),
      kind: Type.String(),
      source: Type.String(),
      values: Type.Integer(),
      confirmed: Type.Integer(),
      isReady: Type.Boolean(),
    }),
  ),
});
type ReportsView = Static<typeof ReportsView>;

const KINDS: Readonly<Record<string, string>> = { blood: 'Blood test', urine: 'Urine test', other: 'Other test' };
const SOURCES: Readonly<Record<string, string>> = {
  lab_upload: 'uploaded',
  manual: 'typed by hand',
  phone_health: 'from a phone’s health export',
  wearable: 'from a wearable',
};

const reportsView = async (
  { db, device, secrets }: Context<LabServices>,
  flow: Flow,
): Promise<ReportsView['reports']> => {
  if (device === null) return [];
  const reports = await db.read((em) => readAll({ em, secrets, device }));
  return reports.map((report) => ({
    id: report.reportId,
    href: `${flow.base}/results?report_id=${report.reportId}`,
    day: report.collectedAt ?? report.createdAt,
    isDrawDay: report.collectedAt !== null,
    labName: report.labName,
    kind: KINDS[report.testType] ?? '',
    source: SOURCES[report.sourceType] ?? '',
    values: report.markers.length,
    confirmed: report.markers.filter(({ confirmed }) => confirmed).length,
    isReady: report.state === 'ready',
  }));
};

const reportsPage = (flow: Flow): Page<LabServices> =>
  definePage({
    id: `labs.${flow.id}.reports`,
    path: `${flow.base}/reports`,
    summary: 'Saved reports of this device',
    template: 'labs/reports',
    query: Type.Object({ notice: Notices }),
    view: ReportsView,
    scope: 'device',
    sitemap: null,
    revision: 1,
    load: async (context: Context<LabServices>, { query }) => {
      await visit(context);
      const notice = query.notice as Notice;
      return {
        head: { title: 'Your reports', description: 'Saved laboratory reports of this device.', noindex: true },
        view: {
          base: flow.base,
          flowName: capital(flow.name),
          notice: notice ? NOTICE_WORDS[notice] : '',
          reports: await reportsView(context, flow),
        },
      };
    },
  });

export const labPages: readonly Page<LabServices>[] = [
  ...FLOWS.flatMap((flow) => [formPage(flow) as Page<LabServices>, progressPage(flow), resultsPage(flow)]),
  ...WHOLE_FLOWS.map(reportsPage),
];
