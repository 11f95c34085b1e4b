/** POST /wearables/phone-health: accepts the phone's export, waits briefly for its reading, and redirects. */
import { open } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { pollUntil } from '#core/jobs/poll-until.ts';
import { type Context, defineRoute, type Reply, type Route, type UploadedFile } from '#core/plugin.ts';
import { back, requireConsent } from '#plugins/devices/index.ts';
import { EXPORT_PATHS, idOf, tag } from '../route-parts.ts';
import type { WearableServices } from '../services.ts';
import { countOpen, type Import, newImportId, readImports } from './import-store.ts';
import { checkKind, emptyFile, fileProblem, MOST_XML, START_BYTES } from './kinds.ts';
import { queueImport, refuseWhenFull } from './taking.ts';

const UploadFields = Type.Object({ consent: Type.Optional(Type.Boolean({ description: 'Required: `true`.' })) });

const startOf = async (path: string): Promise<Buffer> => {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/**
 * Returns the uploaded file.
 * @throws AppError 422 without a file, 415 for a file that is neither ZIP nor XML, 413 for a file that is too large for its type.
 */
const checkedFile = async (files: readonly UploadedFile[]): Promise<UploadedFile> => {
  const [file] = files.filter(({ bytes, name }) => bytes > 0 || name !== '');
  if (!file) throw fileProblem('missing', 'Choose the ZIP file that your phone made, or the export.xml in it.');
  if (!file.bytes) throw emptyFile();
  checkKind(await startOf(file.path), file.bytes);
  return file;
};

const keep = async (
  { db, secrets, services, principal, device: own }: Context<WearableServices>,
  file: UploadedFile,
  { consent }: Static<typeof UploadFields>,
): Promise<string> => {
  const [device, importId] = [own as string, newImportId()];
  const key = await services.files.keep(importId, file.path);
  const kept = { name: file.name.slice(0, 200), bytes: file.bytes, key, outcome: null, report: null };
  const sender = services.budget.sendersOf(principal, device).address;
  const queued = { importId, place: services.files.place, sender, kept, consent: consent === true };
  await db.write((em) => queueImport({ em, secrets, device }, queued));
  return importId;
};

/** Polls for the import. Returns null when it no longer exists, undefined while it is not read. */
const readSoon = (
  { db, secrets, signal, device }: Context<WearableServices>,
  importId: string,
): Promise<Import | null | undefined> =>
  pollUntil(async () => {
    const all = await db.read((em) => readImports({ em, secrets, device: device as string }));
    const found = all.find((one) => one.importId === importId) ?? null;
    return found && found.state !== 'ready' ? undefined : found;
  }, signal);

/**
 * Returns the page to show after an import: the results if it contained laboratory values, otherwise the outcome of the reading.
 */
export const placeAfter = ({ reportId }: Pick<Import, 'reportId'>): string =>
  reportId ? `/blood-test/results?report_id=${reportId}` : '/wearables/success';

const uploadRoute = (path: (typeof EXPORT_PATHS)[number]): Route =>
  defineRoute<WearableServices, { body: typeof UploadFields }>({
    id: `wearables.${idOf(path)}.upload`,
    method: 'POST',
    path,
    summary: 'Upload a phone’s health export: the ZIP as the phone made it, or its export.xml',
    description:
      'Field `file`; up to 1 GB as ZIP, 4 GB as XML. Days are kept by source; clinical records with laboratory values become unconfirmed reports. The file is not kept.',
    tag,
    access: 'public',
    device: 'make',
    request: { body: UploadFields },
    upload: { fields: ['file'], maxBytes: MOST_XML, maxFiles: 1 },
    throttle: { bucket: 'phone_health', perMinute: 5, perDay: 50 },
    deadlineSeconds: 300,
    replies: [
      { status: 303, mediaType: 'text/html', description: 'To the results, to what was read, or to the progress' },
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
      requireConsent((body as Static<typeof UploadFields>).consent === true);
      const { db, device, services } = context;
      await refuseWhenFull(context);
      if (await db.read((em) => countOpen({ em, device: device as string }))) return back('/wearables?notice=waiting');
      const importId = await keep(context, await checkedFile(files), body as Static<typeof UploadFields>);
      services.imports.wake();
      const found = await readSoon(context, importId);
      return back(found ? placeAfter(found) : '/wearables/progress');
    },
  });

export const uploadRoutes: readonly Route[] = EXPORT_PATHS.map(uploadRoute);
