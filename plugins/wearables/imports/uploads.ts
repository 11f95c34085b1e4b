/**
 * Stores resumable uploads: their owner, total length, and the key of the received bytes. Only the file records how much has been
 * received. A finished upload keeps its row until it expires, because a client that missed the response asks again.
 */
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '#core/secrets.ts';
import { touch } from '#plugins/devices/index.ts';
import type { FileKey } from './files.ts';
import type { Shelf } from './import-store.ts';
import { busy, queueImport } from './taking.ts';

interface KeptUpload {
  /** File name, as given by the sender. */
  readonly name: string;
  readonly consent: boolean;
  /** Null once the import has the key. */
  readonly key: FileKey | null;
}

export interface Upload extends KeptUpload {
  readonly uploadId: string;
  /** Identifier of the file on disk and of the resulting import. */
  readonly importId: string;
  readonly place: string;
  /** Total size, in bytes. */
  readonly bytes: number;
  /** Pseudonym of the address that started the upload. */
  readonly sender: string | null;
  readonly createdAt: Date;
  readonly isDone: boolean;
}

interface Row {
  readonly id: string;
  readonly place: string;
  readonly bytes: string | number;
  readonly sender: string | null;
  readonly created_at: Date | string;
  readonly done_at: Date | string | null;
  readonly sealed: Uint8Array;
}

const PURPOSE = 'wearable_upload';
export const UPLOAD_HOURS = 24;
/** Maximum number of open uploads per device, and per address. The least recently active one is deleted for a new one. */
const MOST_OWN = 3;
const MOST_OF_ADDRESS = 20;
/**
 * Maximum number of open uploads without bytes, over all devices. Such an upload takes only a row, and never displaces one that
 * has bytes.
 */
const MOST_OPEN = 5_000;
const GIGABYTE = 1024 ** 3;
/** Maximum size of all uploads on one disk. Beyond it, the address with the most bytes loses an upload. */
const MOST_BYTES = 32 * GIGABYTE;
/**
 * Above this size no upload is accepted, unless an address uses more than `FAIR_BYTES`, the size of two exports, and can be made
 * to yield.
 */
const CROWDED_BYTES = 24 * GIGABYTE;
const FAIR_BYTES = 8 * GIGABYTE;
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
    sender: row.sender,
    createdAt: new Date(row.created_at),
    isDone: row.done_at !== null,
  };
};

const idsOf = async (em: EntityManager, sql: string, parameters: readonly string[] = []): Promise<readonly string[]> =>
  ((await em.execute(sql, [...parameters])) as unknown as { id: string }[]).map(({ id }) => id);

interface Held {
  readonly sender: string | null;
  readonly bytes: number;
}

/** Returns the bytes that each address has stored on a disk, the largest first. */
const heldBySender = async (em: EntityManager, place: string): Promise<readonly Held[]> =>
  (await em.execute(
    `select sender, sum(received)::float8 as bytes from wearable_upload where ${OPEN} and place = ?
     group by sender order by bytes desc`,
    [place],
  )) as unknown as Held[];

const totalOf = (held: readonly Held[]): number => held.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Deletes the least recently active upload of the address with the most bytes.
 * @returns ids of deleted uploads, whose files the caller removes
 */
const yieldLargest = (em: EntityManager, place: string, { sender }: Held): Promise<readonly string[]> =>
  idsOf(
    em,
    `delete from wearable_upload where id in
       (select id from wearable_upload where ${OPEN} and place = ? and coalesce(sender, '') = ? and received > 0
        order by touched_at limit 1) returning id`,
    [place, sender ?? ''],
  );

/**
 * Frees space on a crowded disk.
 * @throws AppError 503 while the disk is crowded by many senders, none of which exceeds its fair share
 */
const makeRoom = async (em: EntityManager, place: string): Promise<readonly string[]> => {
  const held = await heldBySender(em, place);
  const [largest] = held;
  if (!largest || totalOf(held) < CROWDED_BYTES) return [];
  if (largest.bytes <= FAIR_BYTES) throw busy(600);
  return yieldLargest(em, place, largest);
};

/**
 * Adds an upload, after making room for it.
 * @returns ids of displaced uploads, whose files the caller removes
 * @throws AppError 503 when the disk has no room for another upload
 */
export const addUpload = async (
  { em, secrets, device }: Shelf,
  { uploadId, place, bytes, sender, ...kept }: Pick<Upload, 'uploadId' | 'place' | 'bytes' | 'sender'> & KeptUpload,
): Promise<readonly string[]> => {
  await touch(em, device);
  const yielding = (where: string, most: number): string =>
    `delete from wearable_upload where done_at is null and id in
       (select id from wearable_upload where ${where} and ${OPEN} order by touched_at desc offset ${most - 1})
     returning id`;
  const yielded = [
    ...(await idsOf(em, yielding('device = ?', MOST_OWN), [device])),
    ...(await idsOf(em, yielding('sender = ?', MOST_OF_ADDRESS), [sender ?? ''])),
    ...(await idsOf(em, yielding('received = 0', MOST_OPEN))),
    ...(await makeRoom(em, place)),
  ];
  await em.execute('insert into wearable_upload (id, device, place, bytes, sender, sealed) values (?, ?, ?, ?, ?, ?)', [
    uploadId,
    device,
    place,
    bytes,
    sender,
    seal(secrets, uploadId, kept),
  ]);
  return yielded;
};

/** Returns an upload of this device; null if it belongs to another device or has expired. */
export const findUpload = async ({ em, secrets, device }: Shelf, uploadId: string): Promise<Upload | null> => {
  const [row] = (await em.execute(
    `select id, place, bytes, sender, created_at, done_at, sealed from wearable_upload
     where id = ? and device = ? and created_at > now() - interval '${UPLOAD_HOURS} hours'`,
    [uploadId, device],
  )) as unknown as Row[];
  return row ? opened(secrets, row) : null;
};

export interface Touched {
  /** False if the upload was cancelled, deleted or displaced. */
  readonly isOpen: boolean;
  /** Ids of displaced uploads, whose files the caller removes. */
  readonly yielded: readonly string[];
}

/**
 * Records the number of received bytes. If the disk limit is exceeded, displaces an upload of the address with the most bytes.
 */
export const touchUpload = async (
  em: EntityManager,
  { uploadId, place }: Pick<Upload, 'uploadId' | 'place'>,
  received: number,
): Promise<Touched> => {
  const touched = await idsOf(
    em,
    'update wearable_upload set touched_at = now(), received = ? where id = ? and done_at is null returning id',
    [String(received), uploadId],
  );
  if (!touched.length) return { isOpen: false, yielded: [] };
  const held = await heldBySender(em, place);
  const [largest] = held;
  const yielded = largest && totalOf(held) > MOST_BYTES ? await yieldLargest(em, place, largest) : [];
  return { isOpen: !yielded.includes(uploadId), yielded };
};

/** Turns a complete upload into an import, exactly once. Returns whether this call did so. */
export const finishUpload = async (shelf: Shelf, upload: Upload): Promise<boolean> => {
  const { em, secrets } = shelf;
  const { uploadId, importId, place, name, bytes, consent, key, sender } = upload;
  const ended = seal(secrets, uploadId, { name, consent, key: null });
  const [isFirst] = (await em.execute(
    'update wearable_upload set done_at = now(), sealed = ? where id = ? and device = ? and done_at is null returning id',
    [ended, uploadId, shelf.device],
  )) as unknown as { id: string }[];
  if (!isFirst) return false;
  await queueImport(shelf, {
    importId,
    place,
    sender: sender ?? '',
    consent,
    kept: { name, bytes, key, outcome: null, report: null },
  });
  return true;
};

/** Cancels an unfinished upload. Returns whether there was one. */
export const dropUpload = async ({ em, device }: Omit<Shelf, 'secrets'>, uploadId: string): Promise<boolean> =>
  (
    await idsOf(em, 'delete from wearable_upload where id = ? and device = ? and done_at is null returning id', [
      uploadId,
      device,
    ])
  ).length > 0;

export const countUploads = async ({ em, device }: Omit<Shelf, 'secrets'>): Promise<number> =>
  (await idsOf(em, `select id from wearable_upload where device = ? and ${OPEN}`, [device])).length;

/**
 * Deletes all uploads of the device. Returns the names of the files to remove; the file of a finished upload is removed when its
 * import ends.
 */
export const eraseUploads = async ({ em, device }: Omit<Shelf, 'secrets'>): Promise<readonly string[]> =>
  (await idsOf(em, 'delete from wearable_upload where device = ? returning id', [device])).map(importIdOf);

/** Deletes the expired uploads of all devices. Returns the names of the files of unfinished ones. */
export const expireUploads = async (em: EntityManager): Promise<readonly string[]> => {
  const over = `created_at <= now() - interval '${UPLOAD_HOURS} hours'`;
  const unfinished = await idsOf(em, `delete from wearable_upload where done_at is null and ${over} returning id`);
  await em.execute(`delete from wearable_upload where ${over}`);
  return unfinished.map(importIdOf);
};
