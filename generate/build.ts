/**
 * Runs one build: plan, compare versions, load, check, render, compare bytes, pack, write sitemaps and index, publish, sweep. A
 * killed build wastes work but never leaves a partial site, because `current` is replaced last.
 */
import { join } from 'node:path';
import { OperatorError } from '#core/errors.ts';
import type { Runtime } from '#core/runtime.ts';
import { nextBuild, openCurrent, publish, release, sweep } from '#core/site/builds.ts';
import { PackWriter } from '#core/site/pack-writer.ts';
import { readCurrent } from '#core/site/site-layout.ts';
import { type Contents, writeContents } from './contents.ts';
import { type MadePages, makePages } from './make-pages.ts';
import { planOnly } from './only.ts';
import { kindsOf, NOTHING_PUBLISHED, type Plan, type PlannedPage, planChanges } from './plan.ts';
import { PreviousBuild } from './previous-build.ts';
import type { WorkerSource } from './workers.ts';

/** Timeout of a build, in milliseconds. */
const LONGEST = 6 * 3_600_000;

export interface BuildOptions {
  /** Renders every page, even when the published one is up to date. */
  readonly full?: boolean | undefined;
  /** A path or a plugin name: only its pages are rendered, all others are reused. */
  readonly only?: string | undefined;
  /** Whether compressed variants are stored where they save space. */
  readonly twins?: boolean;
  /** The server started the build: it publishes nothing while an operator pins a build. */
  readonly isAutomatic?: boolean | undefined;
  /** How worker threads start this program; without it all pages are rendered in this thread. */
  readonly workers?: WorkerSource | undefined;
}

export interface BuildReport {
  planned: number;
  rendered: number;
  /** Rendered pages whose bytes equal the published ones. */
  same: number;
  unchanged: number;
  removed: number;
  /** Pages in a list that were deleted or moved before they were loaded. */
  skipped: number;
  published: boolean;
  /** The build to which an operator rolled back, and which stays published. */
  held: string | null;
  /** Time until publication; files of earlier builds are swept after that. */
  seconds: number;
}

/** Builds the pages that changed since the last build, and publishes them. */
export const build = async (runtime: Runtime, options: BuildOptions = {}): Promise<BuildReport> => {
  const startedAt = performance.now();
  const siteDir = join(runtime.config.text('DATA_DIR'), 'site');
  const report = emptyReport();
  const done = (rest: Partial<BuildReport>): BuildReport => ({
    ...report,
    ...rest,
    seconds: (performance.now() - startedAt) / 1000,
  });
  const current = await readCurrent(siteDir);
  if (options.isAutomatic && current?.held) return done({ held: current.build });
  const work = await prepare(runtime, siteDir, options);
  const made = await makeAndWrite(work, report);
  if (!made) {
    if (!options.isAutomatic) await release(siteDir);
    return done({});
  }
  const isPublished = await publish(siteDir, made, { isAutomatic: options.isAutomatic === true });
  const held = isPublished ? null : ((await readCurrent(siteDir))?.build ?? null);
  const final = done({ published: isPublished, held });
  await sweep(siteDir);
  return final;
};

const prepare = async (runtime: Runtime, siteDir: string, options: BuildOptions): Promise<Work> => {
  const { full, only, twins = true } = options;
  const signal = AbortSignal.timeout(LONGEST);
  const common = { runtime, siteDir, options, signal };
  const kinds = kindsOf(runtime.plugins);
  const index = (await openCurrent(siteDir, runtime.log))?.index ?? null;
  if (only === undefined) {
    const before = new PreviousBuild(runtime, index, { kinds, twins });
    const plan = await planChanges(runtime, kinds, { published: full ? NOTHING_PUBLISHED : before, signal });
    return { ...common, before, plan, isWanted: (page, number) => full === true || !before.isUnchanged(number, page) };
  }
  if (!index) throw new OperatorError('Nothing is published yet: run `npm run generate` first, without --only.');
  const before = new PreviousBuild(runtime, index, { kinds, twins: index.names.twins });
  return { ...common, before, plan: await planOnly(runtime, before, { what: only, signal }), isWanted: () => true };
};

const emptyReport = (): BuildReport => ({
  planned: 0,
  rendered: 0,
  same: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
  published: false,
  held: null,
  seconds: 0,
});

interface Work {
  readonly runtime: Runtime;
  readonly siteDir: string;
  readonly before: PreviousBuild;
  readonly plan: Plan;
  isWanted(planned: PlannedPage, number: number): boolean;
  readonly options: BuildOptions;
  readonly signal: AbortSignal;
}

/** Renders and writes a build; returns its name, or null when there is nothing to publish. */
const makeAndWrite = async (work: Work, report: BuildReport): Promise<string | null> => {
  const { runtime, siteDir, before, plan, isWanted, options, signal } = work;
  const [name, numbers] = [await nextBuild(siteDir), before.numbersOf(plan.pages)];
  const pack = new PackWriter(siteDir, `${name}-0`);
  try {
    const made = await makePages(
      { runtime, siteDir, build: name, pack, signal, workers: options.workers },
      { pages: plan.pages, numbers, before, isWanted, mayStay: !options.full },
    );
    pack.begin();
    const contents = await writeContents({ runtime, siteDir, pack, before, plan, numbers, made });
    count(report, made, contents);
    if (!contents.isNew && !options.full) {
      await pack.abandon();
      return null;
    }
    const packs = new Map([...made.packs, ...pack.packs].map((written) => [written.name, written.bytes]));
    const about = {
      madeAt: new Date().toISOString(),
      pages: contents.pages,
      rendered: report.rendered,
      bytes: contents.bytes,
    };
    const bytesOfPack = (wanted: string): number => packs.get(wanted) ?? before.bytesOfPack(wanted);
    // Both files are written concurrently, and the build is published only when both are complete.
    const written = await Promise.allSettled([
      pack.finish(),
      contents.index.write(siteDir, name, { bytesOfPack, about }),
    ]);
    for (const part of written) if (part.status === 'rejected') throw part.reason;
    return name;
  } catch (error) {
    await pack.abandon();
    throw error;
  }
};

const count = (report: BuildReport, made: MadePages, { stayed, removed }: Contents): void => {
  report.planned = made.pages.length + stayed;
  report.unchanged = stayed;
  report.removed = removed;
  for (const page of made.pages) {
    if (page === 'unchanged') report.unchanged += 1;
    else if (!page) report.skipped += 1;
    else {
      report.rendered += 1;
      if (!page.place) report.same += 1;
    }
  }
};
