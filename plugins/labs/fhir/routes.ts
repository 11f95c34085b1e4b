/** POST /…-test/import: imports laboratory values that another program or a hospital's portal exports as FHIR. */
import { type Static, Type } from 'typebox';
import { coreErrors } from '#core/errors.ts';
import { type Context, defineRoute, type Reply, type Route, type UploadedFile } from '#core/plugin.ts';
import { back, keepConsent, requireConsent } from '#plugins/devices/index.ts';
import { type Flow, WHOLE_FLOWS } from '../flows.ts';
import { REPORT_SESSION, tag } from '../route-parts.ts';
import type { LabServices } from '../services.ts';
import { addReport, countReports, MOST_REPORTS, newReportId } from '../store.ts';
import { CONSENT_WORDING } from '../upload-route.ts';
import { type Imported, tallyInWords } from './observations-to-report.ts';
import type { FhirFile } from './read-fhir.ts';

const MAX_BYTES = 20 * 1024 * 1024;

const ImportFields = Type.Object({ consent: Type.Optional(Type.Boolean({ description: 'Required: `true`.' })) });
type ImportFields = Static<typeof ImportFields>;

const Count = Type.Integer();
const ImportReply = Type.Object({
  reports: Type.Array(
    Type.Object({ report_id: Type.String(), collected_at: Type.Union([Type.String(), Type.Null()]), markers: Count }),
  ),
  observations: Count,
  mapped: Count,
  unmapped: Type.Integer({ description: 'Kept under the name that they came with.' }),
  skipped: Type.Record(Type.String(), Count),
});

const problem = (type: string, msg: string) =>
  coreErrors.validation_failed({}, { problems: [{ type, loc: ['body', 'file'], msg }] });

/**
 * Reads the uploaded file.
 * @throws AppError 422 for a file that is not FHIR in JSON or has no laboratory value; 503 and 429 when it gets no reading
 * permit.
 */
const readImport = async (
  { services, signal, principal, device }: Context<LabServices>,
  file: UploadedFile | undefined,
): Promise<FhirFile> => {
  if (!file?.bytes) throw problem('missing', 'Choose a file: FHIR in JSON, as health programs and portals export it.');
  const turn = await services.turns.take(services.budget.sendersOf(principal, device), signal);
  try {
    const result = await services.readFhir(file.path, { signal, onSpent: turn.spent });
    if ('type' in result) throw problem(result.type, result.msg);
    return result;
  } finally {
    turn.end();
  }
};

/**
 * Stores the imported reports.
 * @throws AppError 422 when there is not enough room for all of them.
 */
const keep = async (
  { db, secrets, device: own }: Context<LabServices>,
  { reports, tally }: Imported,
  { name, sha256 }: { readonly name: string; readonly sha256: string },
) => {
  const device = own as string;
  const words = tallyInWords(tally);
  return db.write(async (em) => {
    if ((await countReports({ em, device })) + reports.length > MOST_REPORTS)
      throw problem(
        'too_many',
        `This file has values of ${reports.length} days, and a device keeps ${MOST_REPORTS} reports. Delete some first.`,
      );
    await keepConsent(em, device, { subject: 'lab_upload', wording: CONSENT_WORDING, isGiven: true });
    const kept: { report_id: string; collected_at: string | null; markers: number }[] = [];
    for (const [at, { testType, kept: report }] of reports.entries()) {
      const reportId = newReportId();
      const file = { name, pages: 0, outcome: 'read' as const };
      // The tally of the file is shown once, with the report of the latest day.
      const warnings = at === 0 ? words : [];
      await addReport(
        { em, secrets, device },
        {
          reportId,
          testType,
          sourceType: 'lab_upload',
          files: 0,
          kept: { ...report, sha256, files: [file], warnings },
        },
      );
      kept.push({ report_id: reportId, collected_at: report.collectedAt, markers: report.markers.length });
    }
    return kept;
  });
};

const wantsJson = (accept = ''): boolean => /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept);

const importRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { body: typeof ImportFields }>({
    id: `labs.${flow.id}.import`,
    method: 'POST',
    path: `${flow.base}/import`,
    summary: 'Import laboratory values from FHIR in JSON: a Bundle or single resources, R4 or DSTU2',
    description:
      'One report per day; its values are unconfirmed until a person has looked at them. Says what was read, recognised and left out.',
    tag,
    access: 'public',
    device: 'make',
    request: { body: ImportFields },
    upload: { fields: ['file'], maxBytes: MAX_BYTES, maxFiles: 1 },
    throttle: { bucket: 'lab_upload', perMinute: 10, perDay: 100 },
    deadlineSeconds: 60,
    replies: [
      {
        status: 200,
        mediaType: 'application/json',
        description: 'What was read, for a client that accepts JSON',
        schema: ImportReply,
      },
      { status: 303, mediaType: 'text/html', description: 'To the latest report' },
    ],
    raises: [
      'cross_site_request',
      'validation_failed',
      'consent_required',
      'file_too_large',
      'unsupported_type',
      'quota_exceeded',
      'reduced_capacity',
    ],
    handle: async (context, { body, files, headers }): Promise<Reply> => {
      requireConsent((body as ImportFields).consent === true);
      const file = files.find(({ field }) => field === 'file');
      const { sha256, ...imported } = await readImport(context, file);
      const name = (file?.name ?? '').slice(0, 200);
      const reports = await keep(context, imported, { name, sha256 });
      context.session.set(REPORT_SESSION, reports[0]?.report_id ?? null);
      if (!wantsJson(headers.accept)) return back(`${flow.base}/results?notice=imported`);
      const { read, mapped, unmapped, skipped } = imported.tally;
      return {
        headers: { 'Cache-Control': 'no-store' },
        body: { reports, observations: read, mapped, unmapped, skipped },
      };
    },
  });

export const fhirRoutes: readonly Route[] = WHOLE_FLOWS.map(importRoute);
