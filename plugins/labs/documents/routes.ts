/** Route of the document for a doctor's visit. */
import type { Static } from 'typebox';
import { defineRoute, type Route } from '#core/plugin.ts';
import { back, devicesPlugin } from '#plugins/devices/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { chosenReport } from '../chosen.ts';
import { type Flow, WHOLE_FLOWS } from '../flows.ts';
import { readCourse } from '../insights/read-insights.ts';
import { ReportQuery, tag } from '../route-parts.ts';
import type { LabServices } from '../services.ts';
import { interplayOf } from '../supplements/interplay.ts';
import { visitOf } from './visit.ts';

const pdfRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { query: typeof ReportQuery }>({
    id: `labs.${flow.id}.export_pdf`,
    method: 'GET',
    path: `${flow.base}/results/export-pdf`,
    summary: 'The confirmed values of a report as a PDF to take to a doctor',
    description: 'Only values that the person has confirmed; without any, back to the results.',
    tag,
    access: 'public',
    device: 'read',
    request: { query: ReportQuery },
    throttle: { bucket: 'lab_pdf', perMinute: 20 },
    replies: [
      { status: 200, mediaType: 'application/pdf', description: 'The document, as a download' },
      { status: 303, mediaType: 'text/html', description: 'Back to the results: nothing is confirmed yet' },
    ],
    raises: ['not_found', 'validation_failed', 'quota_exceeded'],
    handle: async (context, { query }: { query: Static<typeof ReportQuery> }) => {
      if (context.device) await context.use(devicesPlugin).visit(context.device);
      const chosen = await chosenReport(context, flow, query.report_id);
      if (!chosen?.report.markers.some(({ confirmed }) => confirmed)) {
        const asked = query.report_id ? `&report_id=${query.report_id}` : '';
        return back(`${flow.base}/results?notice=nothing_confirmed${asked}`);
      }
      const { report } = chosen;
      const course = await readCourse(context);
      const interplay = await interplayOf(context.use(interactionsPlugin), course.log);
      const visit = visitOf({ ...course, report, interplay, baseUrl: context.config.text('BASE_URL') });
      // The module is loaded with the first document.
      const { visitPdf } = await import('./visit-pdf.ts');
      return {
        body: await visitPdf(visit, new Date(report.updatedAt)),
        type: 'application/pdf',
        headers: {
          'Content-Disposition': `attachment; filename="laboratory-values-${report.collectedAt ?? report.createdAt.slice(0, 10)}.pdf"`,
          'Cache-Control': 'no-store',
        },
      };
    },
  });

export const documentRoutes: readonly Route[] = WHOLE_FLOWS.map(pdfRoute);
