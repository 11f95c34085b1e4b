/**
 * Runs Lighthouse on every kind of page, with its default mobile profile, against the real server with its pages published.
 * Usage: node bench/lighthouse/lighthouse.ts [--url=http://127.0.0.1:3000] [--only=<kind or part of its name>,…] [--runs=3]
 * Without a url it starts its own server; when all kinds were measured, it writes bench/lighthouse/README.md.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { pageKinds } from '../audit/page-kinds.ts';
import { freePort, startPublishedServer } from '../audit/published-server.ts';
import { type Measured, reportOf, tableOf } from './report.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const GOAL = 98;
/** Chromium's flags; no request may leave this machine. */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

interface Audit {
  readonly id: string;
  readonly title: string;
  readonly score: number | null;
  readonly numericValue?: number;
  readonly displayValue?: string;
}
interface Result {
  readonly lighthouseVersion: string;
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<
    Record<string, { readonly score: number | null; readonly auditRefs: readonly { id: string; weight: number }[] }>
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}
type Lighthouse = (url: string, flags: object) => Promise<{ readonly lhr: Result } | undefined>;
interface Chrome {
  readonly port: number;
  kill(): void;
}
type Launch = (options: object) => Promise<Chrome>;

/** Loads a package of bench/sites, which the service does not depend on. */
const load = async <T>(name: string): Promise<T> => {
  const peers = createRequire(join(import.meta.dirname, '../sites/package.json'));
  try {
    return (await import(pathToFileURL(peers.resolve(name)).href)) as T;
  } catch {
    console.log(`${name} is missing: npm ci --prefix bench/sites`);
    process.exit(2);
  }
};

const { values: options } = parseArgs({
  options: { url: { type: 'string' }, only: { type: 'string' }, runs: { type: 'string', default: '3' } },
});
const chromePath = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
if (!chromePath) {
  console.log('no Chromium: set CHROMIUM to where it is');
  process.exit(2);
}
const { default: lighthouse } = await load<{ default: Lighthouse }>('lighthouse');
const { launch } = await load<{ launch: Launch }>('chrome-launcher');

const wanted = options.only?.split(',');
const kinds = Object.entries(pageKinds).filter(([kind]) => !wanted || wanted.some((word) => kind.includes(word)));

/** A trace may be lost on a busy machine; the measurement is then repeated. */
const ATTEMPTS = 3;

const once = async (chrome: Chrome, url: string): Promise<Result> => {
  const flags = { port: chrome.port, output: 'json', logLevel: 'silent', onlyCategories: CATEGORIES };
  let trouble = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const result = (await lighthouse(url, flags))?.lhr;
    if (result && !result.runtimeError) return result;
    trouble = result?.runtimeError?.message ?? 'no result';
  }
  throw new Error(`${url}: ${trouble}`);
};

const percent = (result: Result, category: string): number =>
  Math.round((result.categories[category]?.score ?? 0) * 100);

/** Returns the audits that score below 0.9, by category. */
const failed = (result: Result, isFindable: boolean): string[] =>
  CATEGORIES.filter((category) => isFindable || category !== 'seo').flatMap((category) =>
    (result.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${category}: ${id} ${result.audits[id]?.displayValue ?? ''}`.trim()),
  );

/**
 * Measures a page once, or up to `--runs` times if performance is below the goal, because a busy machine costs points; uses the
 * median.
 */
const measure = async (
  chrome: Chrome,
  { kind, path, base }: Record<'kind' | 'path' | 'base', string>,
): Promise<Measured> => {
  const results = [await once(chrome, `${base}${path}`)];
  while (results.length < Number(options.runs) && percent(results[0]!, 'performance') < GOAL)
    results.push(await once(chrome, `${base}${path}`));
  results.sort((a, b) => percent(a, 'performance') - percent(b, 'performance'));
  const result = results[Math.floor(results.length / 2)]!;
  const value = (id: string): number => result.audits[id]?.numericValue ?? 0;
  const isFindable = result.audits['is-crawlable']?.score !== 0;
  return {
    kind,
    path,
    scores: {
      performance: percent(result, 'performance'),
      accessibility: percent(result, 'accessibility'),
      bestPractices: percent(result, 'best-practices'),
      seo: isFindable ? percent(result, 'seo') : null,
    },
    runs: results.length,
    firstPaintMs: value('first-contentful-paint'),
    largestPaintMs: value('largest-contentful-paint'),
    blockingMs: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    bytes: value('total-byte-weight'),
    failed: failed(result, isFindable),
    version: result.lighthouseVersion,
  };
};

const server = options.url ? null : await startPublishedServer(await freePort());
const base = options.url ?? server!.url;
const chrome = await launch({ chromePath, chromeFlags: FLAGS, ignoreDefaultFlags: false });
const measured: Measured[] = [];
try {
  for (const [kind, [path = '']] of kinds) {
    const one = await measure(chrome, { kind, path, base });
    measured.push(one);
    console.log(tableOf([one]).split('\n').at(-1), one.failed.length ? `  ${one.failed.join('; ')}` : '');
  }
} finally {
  chrome.kill();
  await server?.stop();
}
const under = measured.filter(({ scores }) => Object.values(scores).some((score) => score !== null && score < GOAL));
console.log(`${measured.length} kinds, ${under.length} under ${GOAL} in something`);
if (!wanted)
  await writeFile(
    join(import.meta.dirname, 'README.md'),
    reportOf(measured, { goal: GOAL, cores: cpus().length, day: new Date().toISOString().slice(0, 10) }),
  );
process.exitCode = under.length ? 1 : 0;
