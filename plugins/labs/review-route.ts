/**
 * POST …/reports/{report_id}/review, with which a person confirms or corrects what was read, and the route that creates reports
 * by hand.
 */
import { type Static, Type } from 'typebox';
import { coreErrors, notFound } from '#core/errors.ts';
import { type Context, defineRoute, type Input, type Reply, type RequestSchemas, type Route } from '#core/plugin.ts';
import { back, keepOrFindConsent } from '#plugins/devices/index.ts';
import type { Flow } from './flows.ts';
import type { TestType } from './report.ts';
import { applyReview, type Review } from './review.ts';
import { Day, REPORT_SESSION, ReportId, tag } from './route-parts.ts';
import { EMPTY_REPORT } from './sealed-report.ts';
import type { LabServices } from './services.ts';
import { shownReport } from './shown.ts';
import { addReport, countReports, MOST_REPORTS, newReportId, readOne, replaceKept } from './store.ts';

const ReportParams = Type.Object({ report_id: ReportId });
const Short = Type.Optional(Type.String({ maxLength: 200 }));
const Box = Type.Optional(Type.String({ maxLength: 10 }));
const Edit = Type.Object({ name: Short, value: Short, unit: Short, range: Short, ok: Box, sure: Box, remove: Box });
const Edits = Type.Optional(Type.Record(Type.String({ maxLength: 20 }), Edit, { maxProperties: 500 }));

const PersonFields = {
  collected_at: Type.Optional(Day),
  lab_name: Type.Optional(Type.String({ maxLength: 200 })),
  sex: Type.Optional(Type.String({ enum: ['female', 'male', 'unknown'] })),
  birth_year: Type.Optional(Type.Integer({ minimum: 1900, maximum: 2100 })),
  pregnant: Type.Optional(Type.String({ enum: ['yes', 'no', 'unknown'] })),
  fasting: Type.Optional(Type.String({ enum: ['yes', 'no', 'unknown'] })),
};

const ReviewBody = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  ...PersonFields,
  markers: Edits,
  added: Edits,
});

/**
 * Consent for typed values. Its subject is the same as for uploads, because they are stored in the same way; only the wording
 * differs.
 */
const CONSENT = { subject: 'lab_upload', wording: 'lab-typed-2026-11' };

const ManualBody = Type.Object({
  consent: Type.Optional(
    Type.Boolean({ description: 'Required with the first report of a device, whichever way it came: `true`.' }),
  ),
  test_type: Type.Optional(Type.String({ enum: ['blood', 'urine', 'other'] })),
  ...PersonFields,
  added: Edits,
});

type Person = Partial<Pick<Static<typeof ReviewBody>, keyof typeof PersonFields>>;

const told = (value: string | undefined): boolean | null | undefined =>
  value === undefined ? undefined : value === 'unknown' ? null : value === 'yes';

const personFrom = (body: Person): Omit<Review, 'markers' | 'added'> => {
  const [isPregnant, isFasting] = [told(body.pregnant), told(body.fasting)];
  return {
    ...(body.lab_name !== undefined && { labName: body.lab_name }),
    ...(body.collected_at !== undefined && { collectedAt: body.collected_at }),
    ...(body.sex !== undefined && { sex: body.sex === 'unknown' ? null : (body.sex as 'female' | 'male') }),
    ...(body.birth_year !== undefined && { birthYear: body.birth_year }),
    ...(isPregnant !== undefined && { isPregnant }),
    ...(isFasting !== undefined && { isFasting }),
  };
};

/**
 * Rejects a draw in the future, because a mistyped year would corrupt every trend.
 * @throws AppError 422 for a day later than tomorrow (UTC)
 */
const checkDay = (day: string | null | undefined): void => {
  if (!day || day <= new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)) return;
  const problem = { type: 'value_error', loc: ['body', 'collected_at'], msg: 'The day of the draw lies in the future' };
  throw coreErrors.validation_failed({}, { problems: [problem] });
};

export const isJson = (headers: Input<RequestSchemas>['headers']): boolean =>
  /^application\/json\b/i.test(headers['content-type'] ?? '');

const raises = ['cross_site_request', 'validation_failed', 'malformed_json', 'file_too_large'];
const seeOther = { status: 303, mediaType: 'text/html', description: 'Back to the results' };
const shown = { status: 200, mediaType: 'application/json', description: 'The report as it is now' };

/** Responds to JSON with the report as JSON, and to a form with a redirect to the results. */
const answer = async (
  context: Context<LabServices>,
  { flow, reportId, asJson, notice }: { flow: Flow; reportId: string; asJson: boolean; notice: string },
): Promise<Reply> => {
  context.session.set(REPORT_SESSION, reportId);
  if (!asJson) return back(`${flow.base}/results?report_id=${reportId}&notice=${notice}`);
  const { db, secrets, device, services } = context;
  const report = await db.read((em) => readOne({ em, secrets, device: device as string }, reportId));
  return report ? { body: shownReport(await services.book(), report), headers: { 'Cache-Control': 'no-store' } } : {};
};

export const reviewRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { params: typeof ReportParams; body: typeof ReviewBody }>({
    id: `labs.${flow.id}.review`,
    method: 'POST',
    path: `${flow.base}/reports/{report_id}/review`,
    summary: 'Confirm, correct, remove or add values of a report',
    description:
      '`markers.<id>.ok` confirms a value as its fields say, `.remove` takes it out; `added.<any>` is a new one. ' +
      'A number that can hardly be needs `.sure` as well. `revision` is that of the report that was looked at.',
    tag,
    access: 'public',
    device: 'read',
    isPrivate: true,
    request: { params: ReportParams, body: ReviewBody },
    replies: [seeOther, shown],
    raises: [...raises, 'not_found'],
    handle: async (context, { params, body, headers }) => {
      checkDay(body.collected_at);
      const { db, secrets, device, services } = context;
      const [book, reportId] = [await services.book(), params.report_id];
      if (device === null) throw notFound('Report', reportId);
      const isKept = await db.write(async (em) => {
        const shelf = { em, secrets, device };
        const report = await readOne(shelf, reportId);
        if (!report) throw notFound('Report', reportId);
        if (report.revision !== body.revision || report.state !== 'ready') return false;
        const review = {
          ...personFrom(body),
          markers: (body.markers ?? {}) as Review['markers'],
          added: Object.values(body.added ?? {}) as Review['added'],
        };
        return replaceKept(shelf, report, applyReview({ book, testType: report.testType }, report, review));
      });
      const asJson = isJson(headers);
      return answer(context, { flow, reportId, asJson, notice: isKept ? 'saved' : 'changed_elsewhere' });
    },
  });

/** Creates a report from typed values, without a file. This was the most frequent request of users. */
export const manualRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { body: typeof ManualBody }>({
    id: `labs.${flow.id}.manual`,
    method: 'POST',
    path: `${flow.base}/reports`,
    summary: 'Make a report of values typed by hand, or an empty one to add them to',
    tag,
    access: 'public',
    device: 'make',
    isPrivate: true,
    throttle: { bucket: 'lab_upload', perMinute: 10, perDay: 100 },
    request: { body: ManualBody },
    replies: [seeOther, shown],
    raises: [...raises, 'consent_required', 'quota_exceeded'],
    handle: async (context, { body, headers }) => {
      checkDay(body.collected_at);
      const { db, secrets, device, services } = context;
      const [book, reportId] = [await services.book(), newReportId()];
      const testType = (body.test_type as TestType | undefined) ?? flow.testType;
      const review = {
        ...personFrom(body),
        markers: {},
        added: Object.values(body.added ?? {}) as Review['added'],
      };
      await db.write(async (em) => {
        const shelf = { em, secrets, device: device as string };
        await keepOrFindConsent(em, shelf.device, { ...CONSENT, isGiven: body.consent === true });
        if ((await countReports(shelf)) >= MOST_REPORTS) {
          const msg = `This device has ${MOST_REPORTS} reports, which is the most. Delete some first.`;
          throw coreErrors.validation_failed({}, { problems: [{ type: 'too_many', loc: ['body'], msg }] });
        }
        await addReport(shelf, {
          reportId,
          testType,
          sourceType: 'manual',
          files: 0,
          kept: applyReview({ book, testType }, EMPTY_REPORT, review),
        });
      });
      return answer(context, { flow, reportId, asJson: isJson(headers), notice: 'made' });
    },
  });
