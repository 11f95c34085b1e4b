/**
 * Uploads the published build to a bucket or folder that a content delivery network serves. Only missing files are sent, in an
 * order in which no published file references a missing one; removed files are deleted last. The target contains a list of its
 * files. Files sent since that list was written are recorded in a local journal, so that an interrupted run can be resumed.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { tryLock } from '#core/db/file-lock.ts';
import { OperatorError } from '#core/errors.ts';
import { cacheControlOf } from '#core/http/published-site.ts';
import type { Log } from '#core/log.ts';
import { progressBar } from '#core/progress.ts';
import { openCurrent } from '#core/site/builds.ts';
import type { Role, SiteIndex } from '#core/site/site-index.ts';
import { openSite, type SiteReader } from '#core/site/site-reader.ts';
import type { SiteTarget } from '#core/storage/site-target.ts';
import { fileOf } from './export.ts';

export const ENCODINGS = ['identity', 'gzip', 'br'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Name of the list of the target's files, as the last completed run wrote it. */
const LIST = '.published.json.gz';
/** Number of concurrent uploads. */
const AT_ONCE = 16;
/** Increase it when files with the same bytes must be sent with other headers. */
const REVISION = 1;

interface Wanted {
  readonly siteDir: string;
  readonly target: SiteTarget;
  readonly encoding: Encoding;
  readonly log: Log;
}

export interface Sent {
  readonly build: string;
  readonly sent: number;
  readonly same: number;
  readonly removed: number;
}

interface Item {
  readonly path: string;
  readonly name: string;
  /** Changes with the bytes, type and encoding. */
  readonly mark: string;
}

interface Listed {
  readonly build: string;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Returns the upload step: assets before the pages that reference them, pages before the sitemaps, and the sitemap index last.
 */
const stepOf = (role: Role, path: string): number =>
  role === 'asset' ? 0 : role === 'page' ? 1 : path === '/sitemap.xml' ? 3 : 2;

const stepsOf = (index: SiteIndex, { target, encoding }: Wanted): readonly (readonly Item[])[] => {
  const steps: Item[][] = [[], [], [], []];
  for (let number = 0; number < index.count; number += 1) {
    const { path, role, type, hash, place } = index.entry(number);
    const form = place[encoding] || (encoding === 'gzip' && place.br) ? encoding : 'identity';
    const name = target.kind === 'folder' ? fileOf(path, type) : path === '/' ? 'index.html' : path.slice(1);
    steps[stepOf(role, path)]?.push({ path, name, mark: `${hash}.${form}.${REVISION}` });
  }
  return steps;
};

const readList = async (target: SiteTarget): Promise<Listed | null> => {
  const body = await target.get(LIST);
  try {
    return body && (JSON.parse(gunzipSync(body).toString()) as Listed);
  } catch {
    return null;
  }
};

/** A journal of the files sent since the list was written, one per line; its first line identifies that list. */
class Journal {
  readonly #path: string;
  #file: FileHandle | null = null;

  constructor(siteDir: string, target: SiteTarget) {
    const name = createHash('sha256').update(target.id).digest('hex').slice(0, 16);
    this.#path = join(siteDir, 'sent', name);
  }

  /** Opens the journal for appending and returns its entries; it is empty when the journal belongs to another list. */
  async open(build: string): Promise<ReadonlyMap<string, string>> {
    const [head, ...lines] = (await readFile(this.#path, 'utf8').catch(() => '')).split('\n');
    const isOurs = head === build;
    await mkdir(join(this.#path, '..'), { recursive: true });
    this.#file = await open(this.#path, isOurs ? 'a' : 'w');
    if (!isOurs) await this.#file.write(`${build}\n`);
    // The last line may be incomplete.
    return new Map(isOurs ? lines.slice(0, -1).map((line) => line.split(' ') as [string, string]) : []);
  }

  async add({ name, mark }: Item): Promise<void> {
    await this.#file?.write(`${name} ${mark}\n`);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  async forget(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }
}

const inParallel = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const rest = items.values();
  const one = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
};

const send = async (site: SiteReader, target: SiteTarget, { path, name, mark }: Item): Promise<void> => {
  const entry = site.find(path);
  if (!entry) throw new OperatorError('Another build was published meanwhile: run it again.');
  const encoding = ENCODINGS.find((each) => each === mark.split('.')[1]) ?? 'identity';
  const body = await site.read(entry, encoding);
  await target.put({ name, body, type: entry.type, cacheControl: cacheControlOf(path), encoding });
};

/**
 * Uploads the published build.
 * @throws OperatorError when nothing is published, or when another process is uploading.
 */
export const publishTo = async (wanted: Wanted): Promise<Sent> => {
  const { siteDir, target, log } = wanted;
  const current = await openCurrent(siteDir, log);
  if (!current) throw new OperatorError('Nothing is published yet: run `npm run generate` first.');
  const lock = tryLock(join(siteDir, 'publish.lock'));
  if (!lock) throw new OperatorError('Another process is sending the site.');
  const site = await openSite(siteDir, log);
  const journal = new Journal(siteDir, target);
  try {
    return await bringLevel(wanted, { ...current, site, journal });
  } finally {
    await journal.close();
    await site.close();
    lock.release();
  }
};

interface Sending {
  readonly build: string;
  readonly index: SiteIndex;
  readonly site: SiteReader;
  readonly journal: Journal;
}

const bringLevel = async (wanted: Wanted, { build, index, site, journal }: Sending): Promise<Sent> => {
  const { target } = wanted;
  const listed = await readList(target);
  const there = new Map(Object.entries(listed?.files ?? {}));
  // Includes files of an interrupted run whose build was never complete at the target.
  for (const [name, mark] of await journal.open(listed?.build ?? 'none')) there.set(name, mark);
  const steps = stepsOf(index, wanted);
  const files = Object.fromEntries(steps.flat().map(({ name, mark }) => [name, mark]));
  const bar = progressBar('publish', Object.keys(files).length);
  let [sent, same] = [0, 0];
  try {
    for (const step of steps) {
      await inParallel(step, async (item) => {
        if (there.get(item.name) === item.mark) same += 1;
        else {
          await send(site, target, item);
          await journal.add(item);
          sent += 1;
        }
        bar.update(sent + same, item.path);
      });
    }
    const gone = [...there.keys()].filter((name) => !(name in files));
    await inParallel(gone, (name) => target.remove(name));
    if (sent || gone.length || listed?.build !== build) await target.put(listFile({ build, files }));
    await journal.forget();
    return { build, sent, same, removed: gone.length };
  } finally {
    bar.stop();
  }
};

/** Builds the file of the list, which only the next run reads. */
const listFile = (list: Listed) => ({
  name: LIST,
  body: gzipSync(JSON.stringify(list)),
  type: 'application/gzip',
  cacheControl: 'private, no-store',
  encoding: 'identity' as const,
});
