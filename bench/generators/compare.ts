/**
 * Compares the pages per second of `generate`, Eleventy and Hugo: the same label facts and the same page of 4 kB, in one run. The
 * generators run in turn, three times; the table shows the medians.
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

/** Normalizes HTML, because line breaks between elements and the order of attributes do not matter to a reader. */
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
  /** Later builds in the same process, each after changes to other pages. */
  readonly again: readonly { readonly rendered: number; readonly seconds: number }[];
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

const ROUNDS = 3;

/** Returns the run with the median time. */
const median = <R>(runs: readonly R[], secondsOf: (run: R) => number): R =>
  [...runs].sort((one, other) => secondsOf(one) - secondsOf(other))[Math.floor(runs.length / 2)] as R;

const spread = (numbers: readonly number[], digits: number): string =>
  `${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)}`;

interface Round {
  readonly plain: ReturnType<typeof ours>;
  readonly twins: ReturnType<typeof ours>;
  readonly share: ReturnType<typeof ours>;
  readonly nothing: ReturnType<typeof ours>;
  readonly peers: readonly GeneratorRun[];
}

const PART = 1 / 100;

const compare = async (count: number, eleventy: string | null, hugo: boolean): Promise<void> => {
  const work = mkdtempSync(join(tmpdir(), 'ekb-bench-'));
  try {
    const facts = await readFacts(count);
    const factsFile = join(work, 'facts.json');
    writeFileSync(factsFile, JSON.stringify(facts));
    const dataDir = join(work, 'data');
    timedProcess(process.execPath, [join(here, 'ours/fill.ts'), dataDir, factsFile], {});
    const sampleId = facts[5]?.id ?? 0;
    const changed = Math.round(count * PART);
    const round = (): Round => {
      const plain = ours('ours, no twins', dataDir, ['--full', '--no-twins', `--sample=${sampleId}`]);
      const twins = ours('ours, with Brotli twins', dataDir, ['--full', `--again=${changed}`]);
      const share = ours('one in a hundred changed, in a process of its own', dataDir, [`--touch=${changed}`]);
      const nothing = ours('nothing changed, in a process of its own', dataDir, []);
      const peers: GeneratorRun[] = [];
      if (eleventy) {
        peers.push(runEleventy(eleventy, work, factsFile));
        if (essence(samplePage(work, 'eleventy-out', sampleId)) !== essence(plain.report.sample))
          console.log('The pages are not the same!');
      }
      if (hugo) peers.push(runHugo(work, facts));
      return { plain, twins, share, nothing, peers };
    };
    tell(count, Array.from({ length: ROUNDS }, round));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const tell = (count: number, rounds: readonly Round[]): void => {
  const middle = <R extends GeneratorRun>(of: (round: Round) => R): R =>
    median(rounds.map(of), ({ buildSeconds }) => buildSeconds);
  const again = rounds.flatMap(({ twins }) => twins.report.again);
  const [plain, twins] = [middle((round) => round.plain), middle((round) => round.twins)];
  const peers = (rounds[0]?.peers ?? []).map((_, at) => middle((round) => round.peers[at] as GeneratorRun));
  console.log(`\n${count} pages, medians of ${rounds.length} rounds`);
  console.log('| | pages made | kB a page | build, s | pages/s | whole process, s | pages/s | resident, MB |');
  console.log('|---|---|---|---|---|---|---|---|');
  console.log(row(plain));
  console.log(row(twins));
  const then = median(again, ({ seconds }) => seconds);
  console.log(
    `| then one in a hundred changed, in the same process | ${then.rendered} | | ${then.seconds.toFixed(2)} | ${Math.round(then.rendered / then.seconds)} | | | |`,
  );
  const share = middle((round) => round.share);
  for (const run of [share, middle((round) => round.nothing), ...peers]) console.log(row(run));
  const percent = ({ seconds }: { readonly seconds: number }): number => (seconds / twins.buildSeconds) * 100;
  const first = median(
    rounds.flatMap((round) => round.twins.report.again.slice(0, 1)),
    ({ seconds }) => seconds,
  );
  console.log(
    `one in a hundred changed, of the full time: ${percent(then).toFixed(1)} % in the same process, the median of ${again.length} builds (${spread(again.map(percent), 1)}; the first ones ${percent(first).toFixed(1)}), ${((share.buildSeconds / twins.buildSeconds) * 100).toFixed(1)} % in a process that has just started`,
  );
  if (!peers.length) return;
  const best = (seconds: (run: GeneratorRun) => number): number =>
    Math.max(...peers.map((peer) => peer.pages / seconds(peer)));
  const times = (run: GeneratorRun): string =>
    `${(run.pages / run.buildSeconds / best((peer) => peer.buildSeconds)).toFixed(1)} times the better of them by their own clocks, ${(run.pages / run.processSeconds / best((peer) => peer.processSeconds)).toFixed(1)} times by the whole process`;
  const inEach = rounds.map(
    (round) =>
      round.plain.pages /
      round.plain.buildSeconds /
      Math.max(...round.peers.map((peer) => peer.pages / peer.buildSeconds)),
  );
  console.log(`without twins ${times(plain)} (${spread(inEach, 1)} in single rounds); with twins ${times(twins)}`);
};

const eleventy = eleventyProgram();
const hugo = spawnSync('hugo', ['version']).status === 0;
if (!eleventy) console.log('Eleventy is not installed: npm ci --prefix bench/sites');
if (!hugo) console.log('Hugo is not installed: apt-get install hugo');
for (const count of sizes.length > 0 ? sizes : [20_000, 95_000]) await compare(count, eleventy, hugo);
