/**
 * Packs hold the bytes of pages, one behind the other; written once, never changed. Small writes are gathered and made at
 * once: handing each to another thread takes longer than the write.
 */
import { closeSync, fsync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IndexedPack, Place } from './site-index.ts';
import { packPath, syncFolder } from './site-layout.ts';

const GATHERED = 4 * 1024 * 1024;
/** Offsets are numbers of 32 bits. */
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

export class PackWriter {
  readonly #siteDir: string;
  readonly #prefix: string;
  readonly #full: OpenPack[] = [];
  #pack: OpenPack | null = null;
  #buffer = Buffer.allocUnsafe(GATHERED);
  #gathered = 0;

  /** @param prefix of the names of its packs; nobody else's in this site. */
  constructor(siteDir: string, prefix: string) {
    this.#siteDir = siteDir;
    this.#prefix = prefix;
  }

  /** Encodes a text where it would lie; `keep` keeps it, the next `stage` or `add` writes over it. */
  stage(text: string): Buffer {
    this.#begin(text.length * 3);
    const length = this.#buffer.write(text, this.#gathered, 'utf8');
    return this.#buffer.subarray(this.#gathered, this.#gathered + length);
  }

  /** Keeps what was staged last, with its twins behind it. */
  keep(staged: Buffer, twins: Twins): Place {
    this.#gathered += staged.length;
    return this.#placed(staged.length, twins);
  }

  /** Writes bytes that lie elsewhere. */
  add(identity: Buffer, twins: Twins): Place {
    this.#begin(identity.length);
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

  /** The forms of a page lie in one pack. */
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
    const pack = this.#opened();
    for (let done = 0; done < this.#gathered; )
      done += writeSync(pack.descriptor, this.#buffer, done, this.#gathered - done);
    pack.written += this.#gathered;
    this.#gathered = 0;
  }

  /** Flushes to disk and gives the packs their names; answers what was written. */
  async finish(): Promise<readonly IndexedPack[]> {
    this.#flush();
    const packs = this.#take();
    for (const { descriptor, name } of packs) {
      await promisify(fsync)(descriptor);
      closeSync(descriptor);
      await rename(this.#temporary(name), packPath(this.#siteDir, name));
    }
    if (packs.length) await syncFolder(join(this.#siteDir, 'packs'));
    return packs.map(({ name, written }) => ({ name, bytes: written }));
  }

  /** Of a build that comes to nothing. */
  abandon(): void {
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
