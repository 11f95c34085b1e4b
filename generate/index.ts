/** The `npm run generate` command: parses its options and prints the results. build.ts implements the build. */
import { parseArgs } from 'node:util';
import { withLease } from '#core/db/lease.ts';
import { OperatorError } from '#core/errors.ts';
import type { Log } from '#core/log.ts';
import type { Runtime } from '#core/runtime.ts';
import { type ListedBuild, listBuilds, rollBack } from '#core/site/builds.ts';
import type { SiteTarget } from '#core/storage/site-target.ts';
import { type BuildOptions, type BuildReport, build } from './build.ts';
import { check, linesOf } from './check.ts';
import { exportSite } from './export.ts';
import { ENCODINGS, publishTo } from './publish.ts';
import type { WatchOptions } from './watch.ts';
import type { WorkerSource } from './workers.ts';

/** The dependencies of the command. */
export interface GenerateParts {
  readonly out: (line: string) => unknown;
  /** Returns DATA_DIR/site, for actions that need no database. */
  readonly siteDir: () => string;
  readonly log: Log;
  /** Opens the target that `--publish` names. */
  readonly openTarget?: (wanted: string) => SiteTarget;
  readonly withRuntime: (work: (runtime: Runtime) => Promise<number>) => Promise<number>;
  readonly workers?: WorkerSource;
  /** Previews drafts until it is interrupted. */
  readonly watch?: (options: WatchOptions) => Promise<number>;
}

const OPTIONS = {
  full: { type: 'boolean' },
  only: { type: 'string' },
  list: { type: 'boolean' },
  rollback: { type: 'boolean' },
  check: { type: 'boolean' },
  out: { type: 'string' },
  publish: { type: 'string' },
  encoding: { type: 'string' },
  'no-twins': { type: 'boolean' },
  watch: { type: 'boolean' },
  port: { type: 'string' },
  database: { type: 'string' },
  /** Used by the server's publisher: nothing is published while an operator pins a build. */
  automatic: { type: 'boolean' },
} as const;

const ACTIONS = ['full', 'only', 'list', 'rollback', 'check', 'out', 'publish', 'watch', 'automatic'] as const;

/** Runs the command. Exit status: 0 on success; 1 on failure or when `--check` finds differences. */
export const generateCommand = async (args: readonly string[], parts: GenerateParts): Promise<number> => {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const asked = ACTIONS.filter((action) => values[action] !== undefined);
  if (asked.length > 1)
    throw new OperatorError(`Give one of ${asked.map((action) => `--${action}`).join(' and ')}, not both.`);
  const [build, ...others] = positionals;
  if (others.length || (build !== undefined && !values.rollback))
    throw new OperatorError(
      `generate takes no "${others[0] ?? build}"; a page is named with --only, a build with --rollback.`,
    );
  const twins = !values['no-twins'];
  if (!twins && (values.list || values.rollback || values.check || values.only !== undefined))
    throw new OperatorError('--no-twins goes with --full and --out, or stands alone.');
  if (values.watch && parts.watch) return parts.watch(watchOptions(values));
  if (values.port !== undefined || values.database !== undefined)
    throw new OperatorError('--port and --database go with --watch.');
  if (values.encoding !== undefined && values.publish === undefined)
    throw new OperatorError('--encoding goes with --publish.');
  if (values.publish !== undefined) return send(parts, values.publish, values.encoding ?? 'identity');
  if (values.list) return list(parts);
  if (values.rollback) return rollback(parts, build ?? null);
  if (values.out !== undefined) return writeOut(parts, values.out, twins);
  if (values.check) return parts.withRuntime((runtime) => runCheck(runtime, parts));
  const { full, automatic: isAutomatic, only } = values;
  return parts.withRuntime((runtime) =>
    runBuild(runtime, { full, isAutomatic, only, twins, workers: parts.workers }, parts.out),
  );
};

const watchOptions = ({ port, database }: { port?: string; database?: string }): WatchOptions => {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
    throw new OperatorError(`--port is "${port}": a number up to 65535 is needed.`);
  return { port: port === undefined ? null : Number(port), database: database ?? null };
};

const runBuild = async (runtime: Runtime, options: BuildOptions, out: GenerateParts['out']): Promise<number> => {
  const done = await withLease(runtime.db, 'generate', { waitSeconds: 300 }, () => build(runtime, options));
  if (!done) throw new OperatorError('Another process has been generating pages for over five minutes.');
  out(wordsOf(done.result));
  return 0;
};

const wordsOf = (report: BuildReport): string => {
  const { planned, rendered, same, unchanged, removed, skipped, published, held, seconds } = report;
  if (held) return `held at ${held}: somebody rolled back to it, and only a run by hand publishes again`;
  const rate = Math.round(seconds ? planned / seconds : planned);
  return `${planned} pages: ${rendered} rendered (${same} of them as before), ${unchanged} unchanged, ${removed} removed, ${skipped} skipped in ${seconds.toFixed(1)} s (${rate} pages/s); ${published ? 'published' : 'nothing to publish'}`;
};

const runCheck = async (runtime: Runtime, { out, workers }: GenerateParts): Promise<number> => {
  const report = await check(runtime, workers);
  for (const line of linesOf(report)) out(line);
  const { different, changed, gone, missing } = report;
  return different.length + changed.length + gone.length + missing.length ? 1 : 0;
};

const count = new Intl.NumberFormat('en-GB');

const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;

const lineOf = ({ build: name, madeAt, pages, rendered, bytes, isCurrent, isHeld }: ListedBuild): string => {
  const state = isHeld ? 'public, held' : isCurrent ? 'public' : '';
  const cells = [name.padEnd(9), madeAt.slice(0, 19).padEnd(21), count.format(pages).padStart(9)];
  return [...cells, count.format(rendered).padStart(10), sizeOf(bytes).padStart(11), ` ${state}`].join(' ').trimEnd();
};

const list = async ({ out, siteDir }: GenerateParts): Promise<number> => {
  const builds = await listBuilds(siteDir());
  if (!builds.length) out('Nothing is published yet.');
  else out(['build    ', 'made at (UTC)'.padEnd(21), '    pages', '  rendered', '       size'].join(' '));
  for (const each of builds) out(lineOf(each));
  return 0;
};

const rollback = async ({ out, siteDir }: GenerateParts, wanted: string | null): Promise<number> => {
  const { build: name } = await rollBack(siteDir(), wanted);
  out(
    `${name} is public again, and stays: builds of the running server publish nothing until \`npm run generate\` is run by hand.`,
  );
  return 0;
};

const writeOut = async ({ out, siteDir, log }: GenerateParts, folder: string, twins: boolean): Promise<number> => {
  const { build: name, files, folder: made } = await exportSite({ siteDir: siteDir(), folder, twins, log });
  out(`${count.format(files)} files of ${name} are in ${made}`);
  return 0;
};

const send = async (
  { out, siteDir, log, openTarget }: GenerateParts,
  wanted: string,
  given: string,
): Promise<number> => {
  const encoding = ENCODINGS.find((each) => each === given);
  if (!encoding) throw new OperatorError(`--encoding is one of ${ENCODINGS.join(', ')}.`);
  const target = openTarget?.(wanted);
  if (!target) throw new OperatorError('There is nothing here that could send a site.');
  if (target.kind === 'folder' && encoding !== 'identity')
    throw new OperatorError('--encoding goes with a bucket: a folder says nothing of how its files are encoded.');
  const { build: name, sent, same, removed } = await publishTo({ siteDir: siteDir(), target, encoding, log });
  out(
    `${name} is at ${wanted}: ${count.format(sent)} files sent, ${count.format(same)} as they were, ${count.format(removed)} removed`,
  );
  return 0;
};
