/** Further routes of reports: status, clearing the results from the visit, deletion, and the images of rows. */
import { Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { type Context, defineRoute, type Route } from '#core/plugin.ts';
import { back, devicesPlugin, eraseAll, erasedReplies } from '#plugins/devices/index.ts';
import { chosenReport } from './chosen.ts';
import { BLOOD, FLOWS, type Flow, URINE, WHOLE_FLOWS } from './flows.ts';
import { manualRoute, reviewRoute } from './review-route.ts';
import { REPORT_SESSION, ReportId, tag } from './route-parts.ts';
import type { LabServices } from './services.ts';
import { deleteReport } from './store.ts';
import { uploadRoute } from './upload-route.ts';

const json = { status: 200, mediaType: 'application/json' } as const;
const seeOther = (description: string) => ({ status: 303, mediaType: 'text/html', description });
const NoFields = Type.Object({});
const ReportParams = Type.Object({ report_id: ReportId });

const Status = Type.Object({
  has_results: Type.Boolean(),
  source: Type.String({ enum: ['session', 'device', 'none'] }),
  report_id: Type.String(),
  test_type: Type.String(),
  marker_count: Type.Integer(),
  updated_at: Type.String(),
  state: Type.String({ enum: ['none', 'waiting', 'reading', 'ready'] }),
  progress: Type.Union([
    Type.Null(),
    Type.Object({ stage: Type.String(), page: Type.Integer(), pages: Type.Integer() }),
  ]),
});

const NO_STATUS = {
  has_results: false,
  source: 'none',
  report_id: '',
  test_type: '',
  marker_count: 0,
  updated_at: '',
  state: 'none',
  progress: null,
};

const statusRoute = (flow: Flow): Route =>
  defineRoute<LabServices, Record<string, never>>({
    id: `labs.${flow.id}.status`,
    method: 'GET',
    path: `/api${flow.base}/status`,
    summary: 'Whether this device has results, and how far the reading of the latest report is',
    tag,
    access: 'public',
    device: 'read',
    request: {},
    replies: [{ ...json, description: 'Status', schema: Status }],
    raises: [],
    handle: async (context) => {
      const headers = { 'Cache-Control': 'no-store' };
      const chosen = await chosenReport(context, flow, '');
      if (!chosen) return { body: NO_STATUS, headers };
      const { report, source } = chosen;
      const body = {
        has_results: report.state === 'ready',
        source,
        report_id: report.reportId,
        test_type: report.testType,
        marker_count: report.markers.length,
        updated_at: report.updatedAt,
        state: report.state,
        progress: context.services.queue.progressOf(report.reportId),
      };
      return { body, headers };
    },
  });

const clearRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { body: typeof NoFields }>({
    id: `labs.${flow.id}.clear`,
    method: 'POST',
    path: `${flow.base}/clear`,
    summary: 'Clear the results from this visit; the report stays among the reports of the device',
    tag,
    access: 'public',
    device: 'read',
    request: { body: NoFields },
    replies: [seeOther('To the form')],
    raises: ['cross_site_request', 'validation_failed', 'malformed_json'],
    handle: async ({ session }) => {
      session.set(REPORT_SESSION, null);
      return back(flow.base);
    },
  });

const deleteRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { params: typeof ReportParams; body: typeof NoFields }>({
    id: `labs.${flow.id}.delete`,
    method: 'POST',
    path: `${flow.base}/reports/{report_id}/delete`,
    summary: 'Delete one report for good',
    tag,
    access: 'public',
    device: 'read',
    request: { params: ReportParams, body: NoFields },
    replies: [seeOther('To the list of reports')],
    raises: ['cross_site_request', 'not_found', 'validation_failed'],
    handle: async ({ db, device, session, services }, { params: { report_id: reportId } }) => {
      const files = device === null ? null : await db.write((em) => deleteReport({ em, device }, reportId));
      if (files === null) throw notFound('Report', reportId);
      await services.uploads.remove(reportId, files);
      if (session.get(REPORT_SESSION) === reportId) session.set(REPORT_SESSION, null);
      return back(`${flow.base}/reports?notice=deleted`);
    },
  });

const deleteAllRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { body: typeof NoFields }>({
    id: `labs.${flow.id}.delete_all`,
    method: 'POST',
    path: `${flow.base}/reports/delete-all`,
    summary: 'Delete all reports and everything else of this device, and its cookie',
    tag,
    access: 'public',
    device: 'read',
    request: { body: NoFields },
    replies: erasedReplies,
    raises: ['cross_site_request', 'validation_failed', 'malformed_json'],
    handle: (context, { headers }) => eraseAll(context, context.use(devicesPlugin), headers),
  });

const CropParams = Type.Object({ report_id: ReportId, marker_id: Type.String({ pattern: '^m[0-9]{1,5}$' }) });

/** Serves the image of the row that a value was read from, which is stored until the report is confirmed. */
const cropRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { params: typeof CropParams }>({
    id: `labs.${flow.id}.crop`,
    method: 'GET',
    path: `${flow.base}/reports/{report_id}/rows/{marker_id}`,
    summary: 'A picture of the row that a value was read from',
    tag,
    access: 'public',
    device: 'read',
    request: { params: CropParams },
    replies: [{ status: 200, mediaType: 'image/png', description: 'The row' }],
    raises: ['not_found', 'validation_failed'],
    handle: async (context, { params }) => {
      const picture = await readCrop(context, params.report_id, params.marker_id);
      if (!picture) throw notFound('Picture', params.marker_id);
      return {
        body: picture,
        type: 'image/png',
        headers: { 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'; sandbox" },
      };
    },
  });

const readCrop = async (
  { db, device, secrets }: Context<LabServices>,
  reportId: string,
  markerId: string,
): Promise<Buffer | null> => {
  if (device === null) return null;
  const [row] = (await db.read((em) =>
    em.execute(
      `select c.sealed from lab_crop c join lab_report r on r.id = c.report_id
       where c.report_id = ? and c.marker_id = ? and r.device = ?`,
      [reportId, markerId, device],
    ),
  )) as unknown as { sealed: Uint8Array }[];
  return row ? secrets.open({ purpose: 'lab_crop', id: `${reportId}/${markerId}` }, row.sealed) : null;
};

export const labRoutes: readonly Route[] = [
  ...FLOWS.map(uploadRoute),
  ...WHOLE_FLOWS.flatMap((flow) => [
    manualRoute(flow),
    reviewRoute(flow),
    clearRoute(flow),
    deleteRoute(flow),
    deleteAllRoute(flow),
    cropRoute(flow),
  ]),
  ...[BLOOD, URINE].map(statusRoute),
];
