/**
 * Renders every page again and compares its bytes with the published ones: pages must not depend on the time at which they are
 * rendered.
 */
import { join } from 'node:path';
import { OperatorError } from '#core/errors.ts';
import type { Runtime } from '#core/runtime.ts';
import { openCurrent } from '#core/site/builds.ts';
import { makePages } from './make-pages.ts';
import { kindsOf, planPages } from './plan.ts';
import { PreviousBuild } from './previous-build.ts';
import type { WorkerSource } from './workers.ts';

export interface CheckReport {
  readonly build: string;
  readonly checked: number;
  /** Pages that differ although their data is unchanged. */
  readonly different: readonly string[];
  /** Pages that differ because their data, template or settings changed. */
  readonly changed: readonly string[];
  /** Published pages that would no longer be generated. */
  readonly gone: readonly string[];
  /** Pages that would be generated but are not published. */
  readonly missing: readonly string[];
}

/**
 * Compares all pages.
 * @throws OperatorError when nothing is published.
 */
export const check = async (runtime: Runtime, workers?: WorkerSource): Promise<CheckReport> => {
  const siteDir = join(runtime.config.text('DATA_DIR'), 'site');
  const open = await openCurrent(siteDir, runtime.log);
  if (!open) throw new OperatorError('Nothing is published yet: run `npm run generate` first.');
  const { build, index } = open;
  const signal = new AbortController().signal;
  const plan = await planPages(runtime, signal);
  const before = new PreviousBuild(runtime, index, { kinds: kindsOf(runtime.plugins), twins: index.names.twins });
  const numbers = before.numbersOf(plan);
  const place = { runtime, siteDir, build, pack: null, signal, workers };
  const made = await makePages(place, { pages: plan, numbers, before, isWanted: () => true, mayStay: false });
  const report = { different: [] as string[], changed: [] as string[], gone: [] as string[], missing: [] as string[] };
  const found = new Set<number>();
  for (const [at, planned] of plan.entries()) {
    const [page, number] = [made.pages[at], numbers[at] ?? -1];
    if (!page || page === 'unchanged') continue;
    found.add(number);
    if (number < 0) report.missing.push(planned.url);
    else if (index.hash(number) !== page.hash)
      (before.isUnchanged(number, planned) ? report.different : report.changed).push(planned.url);
  }
  for (let number = 0; number < index.count; number += 1)
    if (index.role(number) === 'page' && !found.has(number)) report.gone.push(index.path(number));
  return { build, checked: plan.length, ...report };
};

const MOST_NAMED = 50;

/** Formats the report; pages without differences are omitted. */
export const linesOf = ({ build, checked, different, changed, gone, missing }: CheckReport): readonly string[] => [
  ...named('differs', different),
  ...named('differs, for it changed since', changed),
  ...named('is gone since', gone),
  ...named('is not published', missing),
  `${checked} pages made anew and compared with ${build}: ${different.length + changed.length + gone.length + missing.length || 'none'} differ`,
];

const named = (what: string, paths: readonly string[]): readonly string[] => [
  ...paths.slice(0, MOST_NAMED).map((path) => `${path} ${what}`),
  ...(paths.length > MOST_NAMED ? [`and ${paths.length - MOST_NAMED} more of which it ${what}`] : []),
];
