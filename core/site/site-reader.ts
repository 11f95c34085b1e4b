/** Reads the published site: addresses from the index in memory, bytes from the packs on disk. */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Log } from '../log.ts';
import { type IndexedPack, openIndex, type Place, type SiteIndex } from './site-index.ts';
import { indexPath, packPath, readCurrent } from './site-layout.ts';

export type Encoding = 'identity' | 'gzip' | 'br';

/** A published file with the metadata for HTTP. */
export interface SiteEntry {
  readonly path: string;
  readonly type: string;
  /** Value of the strong ETag of the identity bytes, without quotes. */
  readonly etag: string;
  readonly modified: Date;
  /**
   * Size of each form; 0 when it does not exist. Wherever a Brotli form exists, a gzip form that is not stored is compressed
   * when it is read; its size is not known in advance, so the Brotli size is stated.
   */
  readonly bytes: { readonly identity: number; readonly gzip: number; readonly br: number };
}

export interface SiteReader {
  /** Returns the build in use; null before the first one. */
  build(): string | null;
  /** Looks up a path in the index in memory. */
  find(path: string): SiteEntry | null;
  /** Reads a form from disk, for one minute also that of an entry that was found before the last `refresh`. */
  read(entry: SiteEntry, encoding: Encoding): Promise<Buffer>;
  /** Checks whether another build was published; returns whether the build in use changed. */
  refresh(): Promise<boolean>;
  close(): Promise<void>;
}

/** Time for which packs that a new build does not use stay open for pending reads, in milliseconds. */
const GRACE = 60_000;
/** Number of attempts: a build may be deleted after its name was read and before its packs are open. */
const ATTEMPTS = 3;

/** An open build. All its packs are open, so that deleting the files does not interrupt readers. */
interface OpenBuild {
  readonly name: string;
  readonly index: SiteIndex;
  readonly packs: ReadonlyMap<string, FileHandle>;
}

interface Source {
  readonly handle: FileHandle;
  readonly place: Place;
}

const compress = promisify(gzip);

const readBytes = async (handle: FileHandle, from: number, length: number): Promise<Buffer> => {
  const body = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(body, done, length - done, from + done);
    if (!bytesRead) throw new Error('A pack of the published site ends early');
    done += bytesRead;
  }
  return body;
};

/** Opens the published build; a site that is absent or damaged has no entries. */
export const openSite = async (siteDir: string, log?: Log): Promise<SiteReader> => {
  const site = new OpenSite(siteDir, log);
  await site.refresh();
  return site;
};

class OpenSite implements SiteReader {
  readonly #siteDir: string;
  readonly #log: Log | undefined;
  readonly #sources = new WeakMap<SiteEntry, Source>();
  readonly #closing = new Map<NodeJS.Timeout, readonly FileHandle[]>();
  #build: OpenBuild | null = null;
  /** Name of the build that is known to be unreadable, so that it is logged once. */
  #damaged: string | null = null;
  #refreshing: Promise<boolean> | null = null;

  constructor(siteDir: string, log: Log | undefined) {
    this.#siteDir = siteDir;
    this.#log = log;
  }

  build(): string | null {
    return this.#build?.name ?? null;
  }

  find(path: string): SiteEntry | null {
    if (!this.#build) return null;
    const { index, packs } = this.#build;
    const number = index.find(path);
    if (number < 0) return null;
    const { type, hash, modified, place } = index.entry(number);
    const { identity, gzip, br } = place;
    const bytes = { identity, gzip: gzip || br, br };
    const entry = { path, type, etag: hash, modified: new Date(modified), bytes };
    const handle = packs.get(place.pack);
    if (!handle) return null;
    this.#sources.set(entry, { handle, place });
    return entry;
  }

  async read(entry: SiteEntry, encoding: Encoding): Promise<Buffer> {
    const source = this.#sources.get(entry);
    if (!source || (!entry.bytes[encoding] && encoding !== 'identity'))
      throw new Error(`${entry.path} has no form ${encoding}`);
    const { handle, place } = source;
    const { offset, identity, gzip, br } = place;
    if (encoding === 'br') return readBytes(handle, offset + identity + gzip, br);
    if (encoding === 'gzip' && gzip) return readBytes(handle, offset + identity, gzip);
    const body = await readBytes(handle, offset, identity);
    return encoding === 'gzip' ? compress(body) : body;
  }

  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#look().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #look(): Promise<boolean> {
    const before = this.#build?.name ?? null;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const name = (await readCurrent(this.#siteDir))?.build ?? null;
      if (name === before || (name && name === this.#damaged)) return false;
      if (!name) {
        this.#use(null);
        return true;
      }
      try {
        this.#use(await this.#open(name));
        return true;
      } catch (error) {
        // A build that was deleted in the meantime already has a successor.
        if (attempt < ATTEMPTS && (await readCurrent(this.#siteDir))?.build !== name) continue;
        this.#damaged = name;
        this.#log?.warn('site_unreadable', { build: name, reason: (error as Error).message });
      }
    }
    return false;
  }

  async #open(name: string): Promise<OpenBuild> {
    const index = await openIndex(await readFile(indexPath(this.#siteDir, name)));
    const packs = new Map<string, FileHandle>();
    try {
      for (const pack of index.names.packs) packs.set(pack.name, await this.#openPack(pack));
      return { name, index, packs };
    } catch (error) {
      for (const [pack, handle] of packs) if (!this.#build?.packs.has(pack)) await handle.close();
      throw error;
    }
  }

  async #openPack({ name, bytes }: IndexedPack): Promise<FileHandle> {
    const known = this.#build?.packs.get(name);
    if (known) return known;
    const handle = await open(packPath(this.#siteDir, name), 'r');
    const { size } = await handle.stat();
    if (size === bytes) return handle;
    await handle.close();
    throw new Error(`${name} has ${size} bytes instead of ${bytes}`);
  }

  #use(build: OpenBuild | null): void {
    const unused = [...(this.#build?.packs ?? [])].flatMap(([name, handle]) =>
      build?.packs.has(name) ? [] : [handle],
    );
    this.#build = build;
    if (!unused.length) return;
    const timer = setTimeout(() => {
      this.#closing.delete(timer);
      for (const handle of unused) void handle.close();
    }, GRACE).unref();
    this.#closing.set(timer, unused);
  }

  async close(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    const handles = [...(this.#build?.packs.values() ?? []), ...[...this.#closing.values()].flat()];
    for (const timer of this.#closing.keys()) clearTimeout(timer);
    this.#closing.clear();
    this.#build = null;
    for (const handle of handles) await handle.close();
  }
}
