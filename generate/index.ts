/**
 * Pages ahead of time: plan → digest → load, render, compare → sitemaps → publish in one step → record → sweep.
 * A killed build costs work and never leaves a half site.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withLease } from '#core/db/lease.ts';
import { OperatorError } from '#core/errors.ts';
import type { Page, PageView } from '#core/plugin.ts';
import { progressBar } from '#core/progress.ts';
import type { Runtime } from '#core/runtime.ts';
import { systemContext } from '#core/system-context.ts';
import { type BuildRecord, GENERATOR_VERSION, type RecordedPage, readRecord, writeRecord } from './build-record.ts';
import { type PlannedPage, planPages } from './plan.ts';
import { discoveryFiles } from './sitemap.ts';
import { currentBuild, linkPage, nextBuild, publish, readPage, sweep, writePage } from './write.ts';

/** Batches in the making at the same time. */
const CONCURRENCY = 4;
const LOAD_MANY = 200;
const LOAD_FEW = 8;

export interface BuildReport {
  planned: number;
  rendered: number;
  /** Rendered, and equal to the byte to what was published. */
  same: number;
  unchanged: number;
  removed: number;
  /** Listed, but gone or moved by the time they were loaded. */
  skipped: number;
  published: boolean;
  seconds: number;
}

export const generateCommand = async (
  runtime: Runtime,
  args: readonly string[],
  out: (line: string) => unknown,
): Promise<number> => {
  const { values } = parseArgs({ args: [...args], options: { full: { type: 'boolean' } } });
  const done = await withLease(runtime.db, 'generate', { waitSeconds: 300 }, () =>
    build(runtime, values.full === true),
  );
  if (!done) throw new OperatorError('Another process has been generating pages for over five minutes.');
  const report = done.result;
  const rate = report.seconds ? Math.round(report.planned / report.seconds) : report.planned;
  out(
    `${report.planned} pages: ${report.rendered} rendered (${report.same} of them as before), ${report.unchanged} unchanged, ${report.removed} removed, ${report.skipped} skipped in ${report.seconds.toFixed(1)} s (${rate} pages/s); ${report.published ? 'published' : 'nothing to publish'}`,
  );
  return 0;
};

/** Builds and publishes what changed since the last build; everything when `full`. */
export const build = async (runtime: Runtime, full: boolean): Promise<BuildReport> => {
  const startedAt = performance.now();
  const siteDir = join(runtime.config.text('DATA_DIR'), 'site');
  const signal = AbortSignal.timeout(6 * 3_600_000);
  const plan = await planPages(runtime, signal);
  const [recorded, published] = [await readRecord(siteDir), await currentBuild(siteDir)];
  const before = full || recorded?.build !== published ? null : recorded;
  const report: BuildReport = {
    planned: plan.length,
    rendered: 0,
    same: 0,
    unchanged: 0,
    removed: 0,
    skipped: 0,
    published: false,
    seconds: 0,
  };
  const digestOf = digester(runtime);
  const digests = new Map(plan.map((planned) => [planned.url, digestOf(planned)]));
  const baseUrl = runtime.config.text('BASE_URL');
  const discovery = await discoveryFiles(plan, baseUrl);
  const discoveryDigest = hash(discovery.map(({ file, text }) => `${file}\0${text}`));
  report.removed = before ? [...before.pages.keys()].filter((url) => !digests.has(url)).length : 0;
  const isSame =
    before &&
    !report.removed &&
    before.discovery === discoveryDigest &&
    plan.every(({ url }) => before.pages.get(url)?.digest === digests.get(url));
  if (isSame) return { ...report, unchanged: plan.length, seconds: (performance.now() - startedAt) / 1000 };
  const name = await nextBuild(siteDir);
  const work = new Build(runtime, { siteDir, name, before, digests, report, signal });
  const pages = await work.makeAll(plan);
  const made = plan.filter(({ url }) => pages.has(url));
  // A page that could not be made is in no sitemap; the digest stays that of the plan, and the next build tries again.
  const files = made.length < plan.length ? await discoveryFiles(made, baseUrl) : discovery;
  for (const { file, text } of files) await writePage(work.folder, file, text);
  // The pages name them by their content: they stay beside the pages, whatever the program has by then.
  for (const { url, body } of runtime.pages.assets.all) await writePage(work.folder, url.slice(1), body);
  await publish(siteDir, name);
  await writeRecord(siteDir, { generator: GENERATOR_VERSION, build: name, discovery: discoveryDigest, pages });
  // A server may look at the link of a moment ago: what was published last stays until the next build.
  await sweep(siteDir, [name, ...(published ? [published] : [])]);
  return { ...report, published: true, seconds: (performance.now() - startedAt) / 1000 };
};

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);

/** What a page's digest is made of is the same for all instances of a kind, but for the instance itself. */
const digester = (runtime: Runtime): ((planned: PlannedPage) => string) => {
  const kinds = new Map<Page, string>();
  return ({ page, url, instance }) => {
    const kind = kinds.get(page) ?? runtime.pages.digestOf(page);
    kinds.set(page, kind);
    return hash([GENERATOR_VERSION, kind, url, instance.version]);
  };
};

interface BuildParts {
  readonly siteDir: string;
  readonly name: string;
  readonly before: BuildRecord | null;
  readonly digests: ReadonlyMap<string, string>;
  readonly report: BuildReport;
  readonly signal: AbortSignal;
}

class Build {
  readonly folder: string;
  readonly #runtime: Runtime;
  readonly #parts: BuildParts;
  readonly #oldFolder: string | null;

  constructor(runtime: Runtime, parts: BuildParts) {
    this.#runtime = runtime;
    this.#parts = parts;
    this.folder = join(parts.siteDir, 'builds', parts.name);
    this.#oldFolder = parts.before && join(parts.siteDir, 'builds', parts.before.build);
  }

  async makeAll(plan: readonly PlannedPage[]): Promise<ReadonlyMap<string, RecordedPage>> {
    const bar = progressBar('generate', plan.length);
    const pages = new Map<string, RecordedPage>();
    const queue = batchesOf(plan).values();
    let done = 0;
    const worker = async (): Promise<void> => {
      for (const batch of queue) {
        for (const [url, recorded] of await this.#makeBatch(batch)) pages.set(url, recorded);
        done += batch.length;
        bar.update(done, batch.at(-1)?.url ?? '');
      }
    };
    try {
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    } finally {
      bar.stop();
    }
    return pages;
  }

  /** Pages of one kind: those that changed are loaded together. */
  async #makeBatch(batch: readonly PlannedPage[]): Promise<readonly (readonly [string, RecordedPage])[]> {
    const made: (readonly [string, RecordedPage])[] = [];
    const changed: PlannedPage[] = [];
    for (const planned of batch) {
      if (await this.#takeOver(planned)) made.push([planned.url, this.#recorded(planned)]);
      else changed.push(planned);
    }
    if (!changed.length) return made;
    const answers = await this.#load(changed);
    for (const [at, planned] of changed.entries()) {
      const answer = answers[at];
      if (!answer || !('view' in answer)) this.#parts.report.skipped += 1;
      else {
        const text = this.#runtime.pages.render(planned.page, planned.url, answer.head, answer.view);
        await this.#keep(planned, text);
        made.push([planned.url, this.#recorded(planned)]);
      }
    }
    return made;
  }

  #recorded({ url, file, instance }: PlannedPage): RecordedPage {
    return { file, digest: this.#parts.digests.get(url) ?? '', changedAt: instance.changedAt };
  }

  /** Unchanged pages are taken over from the build before, unread. */
  async #takeOver({ url, file }: PlannedPage): Promise<boolean> {
    const { report, before, digests } = this.#parts;
    if (!this.#oldFolder || before?.pages.get(url)?.digest !== digests.get(url)) return false;
    if (!(await linkPage(this.#oldFolder, this.folder, file))) return false;
    report.unchanged += 1;
    return true;
  }

  async #keep({ file }: PlannedPage, text: string): Promise<void> {
    const { report } = this.#parts;
    report.rendered += 1;
    const asBefore = this.#oldFolder && (await readPage(this.#oldFolder, file)) === text;
    if (asBefore && (await linkPage(this.#oldFolder as string, this.folder, file))) report.same += 1;
    else await writePage(this.folder, file, text);
  }

  async #load(batch: readonly PlannedPage[]): Promise<readonly PageView<unknown>[]> {
    const [first] = batch;
    if (!first) return [];
    const { plugin, page } = first;
    const context = systemContext(this.#runtime, plugin, this.#parts.signal);
    if (page.loadMany) return page.loadMany(context, batch.map(({ instance }) => instance.params) as never);
    const query = defaultsOf(page.query) as never;
    const answers: PageView<unknown>[] = [];
    for (const { instance } of batch)
      answers.push(await page.load(context, { params: instance.params as never, query }));
    return answers;
  }
}

/** Neighbours of one kind, in the order of the plan: many at once where the page can load many, else few. */
const batchesOf = (plan: readonly PlannedPage[]): readonly PlannedPage[][] => {
  const batches: PlannedPage[][] = [];
  for (const planned of plan) {
    const last = batches.at(-1);
    const size = planned.page.loadMany ? LOAD_MANY : LOAD_FEW;
    if (last && last.length < size && last[0]?.page === planned.page) last.push(planned);
    else batches.push([planned]);
  }
  return batches;
};

/** The query of an address without one: every parameter at its default. */
const defaultsOf = (schema: unknown): Record<string, unknown> => {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { default?: unknown }> };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => ('default' in property ? [[name, property.default]] : [])),
  );
};
