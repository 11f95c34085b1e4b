/** Storage of @tus/server for one request of one device; the bytes are sealed from the first one. */
import { DataStore, Upload as TusUpload } from '@tus/server';
import { notFound } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import type { WearableServices } from '../services.ts';
import { newFileKey } from './files.ts';
import type { Shelf } from './import-store.ts';
import { checkKind, START_BYTES } from './kinds.ts';
import {
  addUpload,
  dropUpload,
  findUpload,
  finishUpload,
  importIdOf,
  touchUpload,
  UPLOAD_HOURS,
  type Upload,
} from './uploads.ts';

type Request = Pick<Context<WearableServices>, 'db' | 'secrets' | 'services' | 'principal'> & {
  readonly device: string;
};

/** Intervals at which the row is updated and checked during an upload: by time, and by received bytes. */
const TOUCH_MS = 10_000;
const TOUCH_BYTES = 64 * 1024 ** 2;

export class UploadStore extends DataStore {
  override readonly extensions = ['creation', 'termination', 'expiration'];
  readonly #request: Request;

  constructor(request: Request) {
    super();
    this.#request = request;
  }

  override getExpiration(): number {
    return UPLOAD_HOURS * 3_600_000;
  }

  override async create(given: TusUpload): Promise<TusUpload> {
    const { services, principal, device } = this.#request;
    const { filename, consent } = given.metadata ?? {};
    const yielded = await this.#write((shelf) =>
      addUpload(shelf, {
        uploadId: given.id,
        place: services.files.place,
        bytes: given.size ?? 0,
        sender: services.budget.sendersOf(principal, device).address,
        name: (filename ?? '').slice(0, 200),
        consent: consent === 'true',
        key: newFileKey(),
      }),
    );
    await this.#removeFiles(yielded);
    return given;
  }

  override async getUpload(uploadId: string): Promise<TusUpload> {
    const upload = await this.#found(uploadId);
    const { importId, bytes, name, consent, createdAt, isDone } = upload;
    return new TusUpload({
      id: uploadId,
      size: bytes,
      offset: isDone ? bytes : Math.min(bytes, await this.#request.services.files.sizeOf(importId)),
      metadata: { filename: name, consent: String(consent) },
      creation_date: createdAt.toISOString(),
    });
  }

  override async write(pieces: AsyncIterable<Buffer>, uploadId: string, from: number): Promise<number> {
    const { importId, key, bytes, place } = await this.#found(uploadId);
    // The upload is complete and accepts no more bytes.
    if (!key) return from;
    const { files } = this.#request.services;
    const needed = Math.min(START_BYTES, bytes);
    // Earlier bytes are checked too, because the server may have been killed before the check.
    let isKindKnown = false;
    let touched = { at: 0, bytes: from };
    const touch = async (received: number): Promise<void> => {
      touched = { at: Date.now(), bytes: received };
      const { isOpen, yielded } = await this.#write(({ em }) => touchUpload(em, { uploadId, place }, received));
      await this.#removeFiles(yielded);
      // The upload was deleted meanwhile, or exceeds the disk limit, so it is aborted.
      if (!isOpen) throw notFound('Upload', uploadId);
    };
    const onKept = async (kept: number): Promise<void> => {
      if (!isKindKnown && kept >= needed) {
        await this.#checkStart(uploadId, { start: await files.startOf(importId, key, needed), bytes });
        isKindKnown = true;
      }
      if (Date.now() - touched.at >= TOUCH_MS || kept - touched.bytes >= TOUCH_BYTES) await touch(kept);
    };
    const end = await files.append(importId, key, { from, pieces, onKept });
    if (end > touched.bytes && end < bytes) await touch(end);
    return end;
  }

  override async remove(uploadId: string): Promise<void> {
    if (!(await this.#write((shelf) => dropUpload(shelf, uploadId)))) throw notFound('Upload', uploadId);
    await this.#request.services.files.remove(importIdOf(uploadId));
  }

  /** Queues a complete upload for reading; idempotent. */
  async finish(uploadId: string): Promise<void> {
    const { services } = this.#request;
    const upload = await this.#found(uploadId);
    if (upload.isDone || (await services.files.sizeOf(upload.importId)) < upload.bytes) return;
    if (await this.#write((shelf) => finishUpload(shelf, upload))) services.imports.wake();
  }

  /** Removes an upload at once if its first bytes are not those of an export, or if it is too large for its type. */
  async #checkStart(uploadId: string, { start, bytes }: { readonly start: Buffer; readonly bytes: number }) {
    try {
      checkKind(start, bytes);
    } catch (error) {
      await this.remove(uploadId);
      throw error;
    }
  }

  /**
   * Returns the upload.
   * @throws AppError 404 if it belongs to another device or another node, or no longer exists
   */
  async #found(uploadId: string): Promise<Upload> {
    const { db, secrets, device, services } = this.#request;
    const upload = await db.read((em) => findUpload({ em, secrets, device }, uploadId));
    if (!upload || (!upload.isDone && upload.place !== services.files.place)) throw notFound('Upload', uploadId);
    return upload;
  }

  async #removeFiles(uploadIds: readonly string[]): Promise<void> {
    for (const uploadId of uploadIds) await this.#request.services.files.remove(importIdOf(uploadId));
  }

  #write<T>(work: (shelf: Shelf) => Promise<T>): Promise<T> {
    const { db, secrets, device } = this.#request;
    return db.write((em) => work({ em, secrets, device }));
  }
}
