/** POST /…-test/upload: accepts the files, seals them, and queues them for reading. */
import { open } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { coreErrors } from '#core/errors.ts';
import { pollUntil } from '#core/jobs/poll-until.ts';
import { type Context, defineRoute, type Reply, type Route, type UploadedFile } from '#core/plugin.ts';
import { back, keepConsent, requireConsent } from '#plugins/devices/index.ts';
import type { Flow } from './flows.ts';
import { kindOf } from './reading/sniff.ts';
import type { TestType } from './report.ts';
import { Day, REPORT_SESSION, tag } from './route-parts.ts';
import { EMPTY_REPORT } from './sealed-report.ts';
import type { LabServices } from './services.ts';
import { addReport, countReports, countWaiting, MOST_REPORTS, newReportId } from './store.ts';

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_FILES = 5;
/** Media types that a 415 response lists. */
const ACCEPTED = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'];
/** Limits on waiting files over all devices: bytes on disk, and rows. */
const MOST_WAITING_BYTES = 10 * 1024 ** 3;
const MOST_WAITING = 2_000;
/** Limit per address or device. */
const MOST_WAITING_OWN = 10;
const RETRY_SECONDS = 60;
/** Version of the consent wording; it changes with the sentence beside the checkbox. */
export const CONSENT_WORDING = 'lab-upload-2026-11';
const MODEL_WORDING = 'lab-model-2026-11';

const UploadFields = Type.Object({
  test_type: Type.Optional(Type.String({ enum: ['blood', 'urine', 'other'] })),
  collected_at: Type.Optional(Day),
  sex: Type.Optional(Type.String({ enum: ['female', 'male'] })),
  birth_year: Type.Optional(Type.Integer({ minimum: 1900, maximum: 2100 })),
  pregnant: Type.Optional(Type.String({ enum: ['yes', 'no'] })),
  fasting: Type.Optional(Type.String({ enum: ['yes', 'no'] })),
  consent: Type.Optional(Type.Boolean({ description: 'Required: `true`.' })),
  model_consent: Type.Optional(
    Type.Boolean({
      description: 'The pages may go to the vision model that the operator chose; without it none does.',
    }),
  ),
});
type UploadFields = Static<typeof UploadFields>;

const problem = (type: string, msg: string) =>
  coreErrors.validation_failed({}, { problems: [{ type, loc: ['body', 'file'], msg }] });

/** Number of leading bytes that suffice to detect the type of a file. */
const START_BYTES = 1_024;

const startOf = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/**
 * Returns the files that were sent.
 * @throws AppError 422 without a file or with too many, 415 for a file that is neither a PDF nor an image.
 */
const checkFiles = async (files: readonly UploadedFile[]): Promise<readonly UploadedFile[]> => {
  // A form with an empty file field sends a file without bytes and without a name.
  const sent = files.filter(({ bytes, name }) => bytes > 0 || name !== '');
  if (!sent.length) throw problem('missing', 'Choose at least one file: a PDF or a picture of the report.');
  if (sent.length > MAX_FILES) throw problem('too_long', `At most ${MAX_FILES} files belong to one report.`);
  for (const { path, bytes } of sent) {
    if (!bytes) throw problem('empty', 'A file is empty. Export or photograph the report again.');
    if (kindOf(await startOf(path)) === 'other')
      throw coreErrors.unsupported_type({}, { body: { accepted: ACCEPTED } });
  }
  return sent;
};

const yesNo = (value: string | undefined): boolean | null => (value === undefined ? null : value === 'yes');

const keep = async (
  context: Context<LabServices>,
  { flow, body, files }: { flow: Flow; body: UploadFields; files: readonly UploadedFile[] },
): Promise<string> => {
  const { db, secrets, services } = context;
  const device = context.device as string;
  const reportId = newReportId();
  const mayUseModel = body.model_consent === true;
  const sha256 = await services.uploads.put(
    reportId,
    files.map(({ path }) => path),
  );
  await db.write(async (em) => {
    await keepConsent(em, device, { subject: 'lab_upload', wording: CONSENT_WORDING, isGiven: true });
    if (mayUseModel) await keepConsent(em, device, { subject: 'lab_model', wording: MODEL_WORDING, isGiven: true });
    await addReport(
      { em, secrets, device },
      {
        reportId,
        testType: (body.test_type as TestType | undefined) ?? flow.testType,
        sourceType: 'lab_upload',
        files: files.length,
        waiting: {
          sender: services.budget.sendersOf(context.principal, device).address,
          bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        },
        kept: {
          ...EMPTY_REPORT,
          collectedAt: body.collected_at ?? null,
          sex: (body.sex as 'female' | 'male' | undefined) ?? null,
          birthYear: body.birth_year ?? null,
          isPregnant: yesNo(body.pregnant),
          isFasting: yesNo(body.fasting),
          files: files.map(({ name }) => ({ name: name.slice(0, 200), pages: 0, outcome: 'read' })),
          sha256,
          mayUseModel,
          readBy: 'text',
        },
      },
    );
  });
  return reportId;
};

/**
 * Checks that the upload can be accepted.
 * @throws AppError 503 while too many files wait, 429 when too many of them are the caller's own or the caller's files recently
 * used too much processor time, 422 when the device has the maximum number of reports
 */
const checkRoom = async (context: Context<LabServices>): Promise<void> => {
  const { db, services, principal } = context;
  const device = context.device as string;
  const { address, all } = services.budget.sendersOf(principal, device);
  services.budget.refuseOverspent(all);
  const retry = { headers: { 'Retry-After': String(RETRY_SECONDS) } };
  const waiting = await db.read((em) => countWaiting(em, { sender: address, device }));
  if (waiting.own >= MOST_WAITING_OWN)
    throw coreErrors.quota_exceeded(
      { bucket: 'waiting_files', used: waiting.own + 1, limit: MOST_WAITING_OWN },
      { ...retry, body: { 'violated-policies': ['waiting_files'], retry_after: RETRY_SECONDS } },
    );
  if (waiting.reports >= MOST_WAITING || waiting.bytes >= MOST_WAITING_BYTES)
    throw coreErrors.reduced_capacity({}, { ...retry, body: { retry_after: RETRY_SECONDS } });
  if ((await db.read((em) => countReports({ em, device }))) >= MOST_REPORTS)
    throw problem('too_many', `This device has ${MOST_REPORTS} reports, which is the most. Delete some first.`);
};

/** Returns whether the report was read before the polling time-out, which is as long as a person waits for a page. */
const isReadSoon = async ({ services, signal }: Context<LabServices>, reportId: string): Promise<boolean> =>
  (await pollUntil(async () => (await services.stateOf(reportId)) === 'ready' || undefined, signal)) ?? false;

export const uploadRoute = (flow: Flow): Route =>
  defineRoute<LabServices, { body: typeof UploadFields }>({
    id: `labs.${flow.id}.upload`,
    method: 'POST',
    path: `${flow.base}/upload`,
    summary: `Upload a report of a ${flow.name}: PDF, PNG, JPEG or WEBP, up to ${MAX_FILES} files`,
    description:
      'Fields `file` or `files`. What is read is kept unconfirmed until a person has looked at it. The files are not kept.',
    tag,
    access: 'public',
    device: 'make',
    request: { body: UploadFields },
    upload: { fields: ['file', 'files'], maxBytes: MAX_BYTES, maxFiles: MAX_FILES + 1 },
    throttle: { bucket: 'lab_upload', perMinute: 10, perDay: 100 },
    deadlineSeconds: 60,
    replies: [
      { status: 303, mediaType: 'text/html', description: 'To the results, or to the progress of the reading' },
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
    handle: async (context, { body, files }): Promise<Reply> => {
      requireConsent(body.consent === true);
      await checkRoom(context);
      const reportId = await keep(context, { flow, body, files: await checkFiles(files) });
      context.session.set(REPORT_SESSION, reportId);
      context.services.queue.wake();
      return back(`${flow.base}/${(await isReadSoon(context, reportId)) ? 'results' : 'progress'}`);
    },
  });
