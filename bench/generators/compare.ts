/**
 * Pages per second of `generate` against Eleventy and Hugo: the same label facts, the same page of 4 kB, in one run.
 * Ours reads the database; Eleventy gets a data file, Hugo (Debian's, without content adapters) a folder of files.
 * Usage: node bench/generators/compare.ts [pages, default 20000 and 95000]; DATABASE_URL for PostgreSQL.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFacts } from './facts.ts';
import { eleventyProgram, type GeneratorRun, runEleventy, runHugo, samplePage, timedProcess } from './peers.ts';

const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const here = import.meta.dirname;

/** Line breaks between elements and the order of attributes say nothing to a reader. */
const essence = (html: string): string =>
  html
    .replace(/>\s+/g, '>')
    .replace(/\s+</g, '<')
    .replace(/&#0?39;|&#x27;/g, "'")
    .replace(/&quot;|&#34;/g, '"');

interface OurReport {
  readonly pages: number;
  readonly rendered: number;
  readonly seconds: number;
  readonly meanBytes: number;
  readonly sample: string;
  /** The build after it in the same process. */
  readonly again: { readonly rendered: number; readonly seconds: number } | null;
}

const ours = (name: string, dataDir: string, args: readonly string[]): GeneratorRun & { report: OurReport } => {
  const { processSeconds, residentMb, words } = timedProcess(
    process.execPath,
    [join(here, 'ours/generate.ts'), dataDir, ...args],
    { maxBuffer: 64 * 2 ** 20 },
  );
  const report = JSON.parse(/^\{.*\}$/m.exec(words)?.[0] ?? '{}') as OurReport;
  return {
    name,
    pages: report.rendered,
    buildSeconds: report.seconds,
    processSeconds,
    meanBytes: report.meanBytes,
    residentMb,
    report,
  };
};

const row = ({ name, pages, buildSeconds, processSeconds, meanBytes, residentMb }: GeneratorRun): string =>
  `| ${name} | ${pages} | ${(meanBytes / 1000).toFixed(1)} | ${buildSeconds.toFixed(2)} | ${Math.round(pages / buildSeconds)} | ${processSeconds.toFixed(2)} | ${Math.round(pages / processSeconds)} | ${residentMb} |`;

const compare = async (count: number, eleventy: string | null, hugo: boolean): Promise<void> => {
  const work = mkdtempSync(join(tmpdir(), 'ekb-bench-'));
  try {
    const facts = await readFacts(count);
    const factsFile = join(work, 'facts.json');
    writeFileSync(factsFile, JSON.stringify(facts));
    const dataDir = join(work, 'data');
    timedProcess(process.execPath, [join(here, 'ours/fill.ts'), dataDir, factsFile], {});
    console.log(`\n${count} pages`);
    console.log('| | pages made | kB a page | build, s | pages/s | whole process, s | pages/s | resident, MB |');
    console.log('|---|---|---|---|---|---|---|---|');
    const sampleId = facts[5]?.id ?? 0;
    const plain = ours('ours, no twins', dataDir, ['--full', '--no-twins', `--sample=${sampleId}`]);
    console.log(row(plain));
    const changed = Math.round(count / 100);
    const twins = ours('ours, with Brotli twins', dataDir, ['--full', `--again=${changed}`]);
    console.log(row(twins));
    const { again } = twins.report;
    if (again)
      console.log(
        `| then one in a hundred changed, in the same process | ${again.rendered} | | ${again.seconds.toFixed(2)} | ${Math.round(again.rendered / again.seconds)} | | | |`,
      );
    const share = ours('one in a hundred changed, in a process of its own', dataDir, [`--touch=${changed}`]);
    console.log(row(share));
    const nothing = ours('nothing changed, in a process of its own', dataDir, []);
    console.log(row(nothing));
    const peers: GeneratorRun[] = [];
    if (eleventy) {
      peers.push(runEleventy(eleventy, work, factsFile));
      if (essence(samplePage(work, 'eleventy-out', sampleId)) !== essence(plain.report.sample))
        console.log('The pages are not the same!');
    }
    if (hugo) peers.push(runHugo(work, facts));
    for (const peer of peers) console.log(row(peer));
    const best = Math.max(...peers.map(({ pages, buildSeconds }) => pages / buildSeconds));
    const bestWhole = Math.max(...peers.map(({ pages, processSeconds }) => pages / processSeconds));
    const times = ({ pages, buildSeconds, processSeconds }: GeneratorRun): string =>
      `${(pages / buildSeconds / best).toFixed(1)} times the better of them by their own clocks, ${(pages / processSeconds / bestWhole).toFixed(1)} times by the whole process`;
    if (peers.length) console.log(`without twins ${times(plain)}; with twins ${times(twins)}`);
    const percent = (seconds = 0): string => `${((seconds / twins.buildSeconds) * 100).toFixed(1)} %`;
    console.log(
      `one in a hundred changed, of the full time: ${percent(again?.seconds)} in the same process, ${percent(share.buildSeconds)} in one that has just started`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const eleventy = eleventyProgram();
const hugo = spawnSync('hugo', ['version']).status === 0;
if (!eleventy) console.log('Eleventy is not installed: npm ci --prefix bench/sites');
if (!hugo) console.log('Hugo is not installed: apt-get install hugo');
for (const count of sizes.length ? sizes : [20_000, 95_000]) await compare(count, eleventy, hugo);
