/**
 * Rows of uploads in parts: whose they are, how long the whole is, and the key of what has come. The file alone says how much
 * that is. One that ended stays as a row until its time is over: who missed the answer asks once more.
 */
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '#core/secrets.ts';
import { touch } from '#plugins/devices/index.ts';
import type { FileKey } from './files.ts';
import type { Shelf } from './import-store.ts';
import { busy, queueImport } from './taking.ts';

interface KeptUpload {
  /** As the sender called it. */
  readonly name: string;
  readonly consent: boolean;
  /** Null once the import has it. */
  readonly key: FileKey | null;
}

export interface Upload extends KeptUpload {
  readonly uploadId: string;
  /** Of the file on disk, and of the import that it becomes. */
  readonly importId: string;
  readonly place: string;
  /** Of the whole. */
  readonly bytes: number;
  readonly createdAt: Date;
  readonly isDone: boolean;
}

interface Row {
  readonly id: string;
  readonly place: string;
  readonly bytes: string | number;
  readonly created_at: Date | string;
  readonly done_at: Date | string | null;
  readonly sealed: Uint8Array;
}

const PURPOSE = 'wearable_upload';
export const UPLOAD_HOURS = 24;
/** Of one device: its oldest yields to a new one. */
const MOST_OWN = 3;
/** Of all devices. */
const MOST_OPEN = 40;
/** One that was silent for so long yields when there are too many. */
const YIELDS = '1 hour';
const OPEN = `done_at is null and created_at > now() - interval '${UPLOAD_HOURS} hours'`;

export const newUploadId = (): string => randomBytes(16).toString('hex');

export const importIdOf = (uploadId: string): string => `imp_${uploadId}`;

const seal = (secrets: Secrets, uploadId: string, kept: KeptUpload): Buffer =>
  secrets.seal({ purpose: PURPOSE, id: uploadId }, Buffer.from(JSON.stringify(kept)));

const opened = (secrets: Secrets, row: Row): Upload => {
  const kept: KeptUpload = JSON.parse(
    secrets.open({ purpose: PURPOSE, id: row.id }, Buffer.from(row.sealed)).toString(),
  );
  return {
    ...kept,
    uploadId: row.id,
    importId: importIdOf(row.id),
    place: row.place,
    bytes: Number(row.bytes),
    createdAt: new Date(row.created_at),
    isDone: row.done_at !== null,
  };
};

const idsOf = async (em: EntityManager, sql: string, parameters: readonly string[] = []): Promise<readonly string[]> =>
  ((await em.execute(sql, [...parameters])) as unknown as { id: string }[]).map(({ id }) => id);

/**
 * Makes room for it first.
 * @returns ids of uploads that yielded: their files go with them
 * @throws AppError 503 when too many are under way
 */
export const addUpload = async (
  { em, secrets, device }: Shelf,
  { uploadId, place, bytes, ...kept }: Pick<Upload, 'uploadId' | 'place' | 'bytes'> & KeptUpload,
): Promise<readonly string[]> => {
  await touch(em, device);
  const own = await idsOf(
    em,
    `delete from wearable_upload where done_at is null and id in
       (select id from wearable_upload where device = ? and ${OPEN} order by created_at desc offset ${MOST_OWN - 1})
     returning id`,
    [device],
  );
  const open = (await idsOf(em, `select id from wearable_upload where ${OPEN}`)).length;
  const silent =
    open < MOST_OPEN
      ? []
      : await idsOf(
          em,
          `delete from wearable_upload where id in
             (select id from wearable_upload where ${OPEN} and touched_at < now() - interval '${YIELDS}'
              order by touched_at limit 1) returning id`,
        );
  if (open - silent.length >= MOST_OPEN) throw busy(600);
  await em.execute('insert into wearable_upload (id, device, place, bytes, sealed) values (?, ?, ?, ?, ?)', [
    uploadId,
    device,
    place,
    bytes,
    seal(secrets, uploadId, kept),
  ]);
  return [...own, ...silent];
};

/** Null for one of another device, and for one whose time is over. */
export const findUpload = async ({ em, secrets, device }: Shelf, uploadId: string): Promise<Upload | null> => {
  const [row] = (await em.execute(
    `select id, place, bytes, created_at, done_at, sealed from wearable_upload
     where id = ? and device = ? and created_at > now() - interval '${UPLOAD_HOURS} hours'`,
    [uploadId, device],
  )) as unknown as Row[];
  return row ? opened(secrets, row) : null;
};

/** It goes on; false when it is no more. */
export const touchUpload = async (em: EntityManager, uploadId: string): Promise<boolean> =>
  (
    await idsOf(em, 'update wearable_upload set touched_at = now() where id = ? and done_at is null returning id', [
      uploadId,
    ])
  ).length > 0;

/** All of it is here: it becomes an import, once. Answers whether it did so now. */
export const finishUpload = async (shelf: Shelf, upload: Upload): Promise<boolean> => {
  const { em, secrets } = shelf;
  const { uploadId, importId, place, name, bytes, consent, key } = upload;
  const ended = seal(secrets, uploadId, { name, consent, key: null });
  const [isFirst] = (await em.execute(
    'update wearable_upload set done_at = now(), sealed = ? where id = ? and device = ? and done_at is null returning id',
    [ended, uploadId, shelf.device],
  )) as unknown as { id: string }[];
  if (!isFirst) return false;
  await queueImport(shelf, { importId, place, consent, kept: { name, bytes, key, outcome: null, report: null } });
  return true;
};

/** Gives up one that has not ended; answers whether there was one. */
export const dropUpload = async ({ em, device }: Omit<Shelf, 'secrets'>, uploadId: string): Promise<boolean> =>
  (
    await idsOf(em, 'delete from wearable_upload where id = ? and device = ? and done_at is null returning id', [
      uploadId,
      device,
    ])
  ).length > 0;

export const countUploads = async ({ em, device }: Omit<Shelf, 'secrets'>): Promise<number> =>
  (await idsOf(em, `select id from wearable_upload where device = ? and ${OPEN}`, [device])).length;

/** Answers the names of the files that go with them; of one that ended, the import's own end removes it. */
export const eraseUploads = async ({ em, device }: Omit<Shelf, 'secrets'>): Promise<readonly string[]> =>
  (await idsOf(em, 'delete from wearable_upload where device = ? returning id', [device])).map(importIdOf);

/** Of any device: those whose time is over go. Answers the names of the files of those that never ended. */
export const expireUploads = async (em: EntityManager): Promise<readonly string[]> => {
  const over = `created_at <= now() - interval '${UPLOAD_HOURS} hours'`;
  const unfinished = await idsOf(em, `delete from wearable_upload where done_at is null and ${over} returning id`);
  await em.execute(`delete from wearable_upload where ${over}`);
  return unfinished.map(importIdOf);
};
