/**
 * Writes packs, which contain the bytes of pages one after the other and are never changed. Small writes are buffered, and
 * full buffers are written by another thread while this one continues.
 */
import { closeSync, fdatasync, fsync, mkdirSync, openSync, rmSync, write, writeSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IndexedPack, Place } from './site-index.ts';
import { packPath, syncFolder } from './site-layout.ts';

const GATHERED = 512 * 1024;
/** Maximum number of buffers that wait for the disk; the next one is written in this thread, to limit memory. */
const MOST_WAITING = 3;
/** Size at which a new pack is started, in bytes: offsets are 32-bit numbers. */
const LARGEST = 1024 * 1024 * 1024;

export interface Twins {
  readonly gzip: Buffer | null;
  readonly br: Buffer | null;
}

interface OpenPack {
  readonly name: string;
  readonly descriptor: number;
  written: number;
}

const writeApart = promisify(write);

export class PackWriter {
  readonly #siteDir: string;
  readonly #prefix: string;
  readonly #full: OpenPack[] = [];
  #pack: OpenPack | null = null;
  #buffer: Buffer = Buffer.allocUnsafe(GATHERED);
  readonly #spare: Buffer[] = [];
  readonly #waiting = new Set<Promise<void>>();
  #failed: Error | null = null;
  #gathered = 0;

  /** @param prefix prefix of the names of its packs, unique within the site */
  constructor(siteDir: string, prefix: string) {
    this.#siteDir = siteDir;
    this.#prefix = prefix;
  }

  /** Encodes a text into the buffer. `keep` adds it to the pack; otherwise, the next `stage` or `add` overwrites it. */
  stage(text: string): Buffer {
    this.#begin(text.length * 3);
    const length = this.#buffer.write(text, this.#gathered, 'utf8');
    return this.#buffer.subarray(this.#gathered, this.#gathered + length);
  }

  /** Adds the text that was staged last, followed by its compressed forms. */
  keep(staged: Buffer, twins: Twins): Place {
    this.#gathered += staged.length;
    return this.#placed(staged.length, twins);
  }

  /** Adds bytes of another buffer, which must not change before `finish` when they are longer than GATHERED. */
  add(identity: Buffer, twins: Twins): Place {
    this.#begin(0);
    this.#append(identity);
    return this.#placed(identity.length, twins);
  }

  #placed(identity: number, { gzip, br }: Twins): Place {
    const pack = this.#opened();
    const offset = pack.written + this.#gathered - identity;
    if (gzip) this.#append(gzip);
    if (br) this.#append(br);
    return { pack: pack.name, offset, identity, gzip: gzip?.length ?? 0, br: br?.length ?? 0 };
  }

  /** Starts a page, in a new pack when the current one is full, because all forms of a page lie in one pack. */
  #begin(bytes: number): void {
    if (this.#pack && this.#pack.written + this.#gathered > LARGEST) {
      this.#flush();
      this.#full.push(this.#pack);
      this.#pack = null;
    }
    this.#makeRoom(bytes);
  }

  #makeRoom(bytes: number): void {
    if (this.#gathered + bytes <= this.#buffer.length) return;
    this.#flush();
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(bytes);
  }

  #append(bytes: Buffer): void {
    if (bytes.length > GATHERED) {
      this.#flush();
      this.#send(bytes);
      return;
    }
    this.#makeRoom(bytes.length);
    bytes.copy(this.#buffer, this.#gathered);
    this.#gathered += bytes.length;
  }

  #opened(): OpenPack {
    if (this.#pack) return this.#pack;
    const name = `${this.#prefix}-${this.#full.length}.pack`;
    mkdirSync(join(this.#siteDir, 'packs'), { recursive: true });
    this.#pack = { name, descriptor: openSync(this.#temporary(name), 'wx'), written: 0 };
    return this.#pack;
  }

  #temporary(name: string): string {
    return packPath(this.#siteDir, `${name}.tmp`);
  }

  #flush(): void {
    if (!this.#gathered) return;
    const full = this.#buffer.subarray(0, this.#gathered);
    this.#gathered = 0;
    if (this.#send(full)) this.#buffer = this.#spare.pop() ?? Buffer.allocUnsafe(GATHERED);
  }

  /** Writes bytes to the pack; returns whether another thread still reads them. */
  #send(bytes: Buffer): boolean {
    const pack = this.#opened();
    const from = pack.written;
    pack.written += bytes.length;
    if (this.#waiting.size >= MOST_WAITING) {
      for (let done = 0; done < bytes.length; )
        done += writeSync(pack.descriptor, bytes, done, bytes.length - done, from + done);
      return false;
    }
    const writing: Promise<void> = this.#write(pack, bytes, from)
      .catch((error) => {
        this.#failed ??= error;
      })
      .finally(() => {
        this.#waiting.delete(writing);
        if (bytes.buffer.byteLength === GATHERED) this.#spare.push(Buffer.from(bytes.buffer));
      });
    this.#waiting.add(writing);
    return true;
  }

  async #write({ descriptor }: OpenPack, bytes: Buffer, from: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeApart(descriptor, bytes, done, bytes.length - done, from + done);
      done += bytesWritten;
    }
  }

  /** Returns the result of `finish` in advance, provided nothing more is added, for an index that is written concurrently. */
  get packs(): readonly IndexedPack[] {
    this.#flush();
    return [...this.#full, ...(this.#pack ? [this.#pack] : [])].map(({ name, written }) => ({ name, bytes: written }));
  }

  /** Starts flushing the buffered data to disk while this thread continues. */
  begin(): void {
    this.#flush();
    const { descriptor } = this.#pack ?? {};
    if (descriptor === undefined) return;
    const syncing: Promise<void> = Promise.all(this.#waiting)
      .then(() => promisify(fdatasync)(descriptor))
      .catch((error) => {
        this.#failed ??= error;
      })
      .finally(() => this.#waiting.delete(syncing));
    this.#waiting.add(syncing);
  }

  /**
   * Flushes to disk, renames the packs to their final names and returns them.
   * @throws Error of the system when any write failed
   */
  async finish(): Promise<readonly IndexedPack[]> {
    this.#flush();
    await Promise.all(this.#waiting);
    if (this.#failed) throw this.#failed;
    const packs = this.#take();
    for (const { descriptor, name } of packs) {
      await promisify(fsync)(descriptor);
      closeSync(descriptor);
      await rename(this.#temporary(name), packPath(this.#siteDir, name));
    }
    if (packs.length) await syncFolder(join(this.#siteDir, 'packs'));
    return packs.map(({ name, written }) => ({ name, bytes: written }));
  }

  /** Deletes the packs of a build that was cancelled or failed. */
  async abandon(): Promise<void> {
    await Promise.all(this.#waiting);
    for (const { descriptor, name } of this.#take()) {
      closeSync(descriptor);
      rmSync(this.#temporary(name), { force: true });
    }
  }

  #take(): readonly OpenPack[] {
    const packs = [...this.#full.splice(0), ...(this.#pack ? [this.#pack] : [])];
    this.#pack = null;
    return packs;
  }
}
