/**
 * Reads synthetic reports, and the real one in the data folder if it exists, and prints how many (marker, value, unit) triples
 * were read correctly: precision, recall, wrong values without a doubt, correct values with a doubt; seconds and memory.
 * `--faults` prints missed and wrong values, `--seed=7` draws other rows and values; names of reports select only these.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUnit } from '#plugins/biomarkers/units.ts';
import { readReport } from '#plugins/labs/reading/index.ts';
import { contentBook } from './book.ts';
import { type Score, scoreOf } from './measures.ts';
import { makeReports, type Specimen } from './reports.ts';
import { pictures, scansOf } from './scans.ts';
import type { SpecimenRow } from './specimen.ts';

const dataFolder = join(import.meta.dirname, '../../../shared/data/lab-reports');
const given = process.argv.slice(2);
const showsFaults = given.includes('--faults');
const seed = Number(given.find((word) => word.startsWith('--seed='))?.slice(7) ?? 1000);
const wanted = given.filter((word) => !word.startsWith('-'));
const isWanted = (id: string): boolean => !wanted.length || wanted.includes(id);

const book = contentBook();

interface Class {
  reports: number;
  scores: Score[];
  seconds: number[];
  datesRight: number;
}
const classes = new Map<string, Class>();
let peakBytes = 0;
const watch = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 50);

type Case = Pick<Specimen, 'id' | 'rows' | 'testType' | 'collectedAt'> & { readonly files: readonly Buffer[] };

const measure = async (kind: string, { id, rows, testType, collectedAt, files }: Case): Promise<void> => {
  const begun = performance.now();
  const uploads = files.map((bytes, at) => ({ name: `${id}-${at}`, bytes }));
  const { reading } = await readReport(uploads, { book, testType });
  const own = classes.get(kind) ?? { reports: 0, scores: [], seconds: [], datesRight: 0 };
  classes.set(kind, own);
  const score = scoreOf(book, rows, reading);
  own.reports += 1;
  own.scores.push(score);
  own.seconds.push((performance.now() - begun) / 1000);
  if (reading.collectedAt === collectedAt) own.datesRight += 1;
  for (const silent of score.silent) console.log(`${kind}, ${id}: wrong without a doubt: ${silent}`);
  if (showsFaults) for (const fault of score.faults) console.log(`${kind}, ${id}: ${fault}`);
};

/** [name, value, unit, range text, low, high, flag], as in the data's ground truth. */
type TrueRow = readonly [string, string, string, ...unknown[]];

const dataRows = (truth: readonly TrueRow[]): SpecimenRow[] =>
  truth.map(([name, value, unit]) => ({
    section: '',
    slug: book.named(name, { specimen: 'blood', ucum: readUnit(unit) })[0]?.marker.slug ?? name,
    name,
    valueText: value,
    value: Number(value),
    comparator: '=',
    unit,
    ucum: readUnit(unit) ?? '',
    range: '',
    flag: '',
    previous: '',
  }));

const measureData = async (): Promise<void> => {
  const path = join(dataFolder, 'mgetech_doc01_ground_truth.json');
  if (!existsSync(path)) return console.log('no lab-reports in the data: its report is left out');
  const truth = JSON.parse(readFileSync(path, 'utf8')) as { results: TrueRow[]; collection_date: string };
  const same = { testType: 'blood' as const, rows: dataRows(truth.results), collectedAt: truth.collection_date };
  for (const name of ['mgetech_doc01_rows_clean.pdf', 'doc01-1.png'])
    await measure('data', { ...same, id: name, files: [readFileSync(join(dataFolder, name))] });
};

const sum = (scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((all, score) => all + of(score), 0);

const print = (): void => {
  console.log(
    '| class | reports | values | precision | recall | wrong without a doubt | right with a doubt | date right | s per report, median / most |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const [kind, { reports, scores, seconds, datesRight }] of classes) {
    const [right, wrong, missed] = [
      sum(scores, (s) => s.right),
      sum(scores, (s) => s.wrong),
      sum(scores, (s) => s.missed),
    ];
    const sorted = seconds.toSorted((a, b) => a - b);
    const times = `${sorted[Math.floor(sorted.length / 2)]?.toFixed(2)} / ${sorted.at(-1)?.toFixed(1)}`;
    const doubted = ((100 * sum(scores, (s) => s.doubted)) / right).toFixed(1);
    console.log(
      `| ${kind} | ${reports} | ${right + missed} | ${(right / (right + wrong)).toFixed(3)} | ${(right / (right + missed)).toFixed(3)} | ${sum(scores, (s) => s.silent.length)} | ${doubted} % | ${datesRight} | ${times} |`,
    );
  }
  console.log(`resident memory at most ${Math.round(peakBytes / 1e6)} MB, drawing and spoiling the reports included`);
};

const reports = await makeReports(seed);
for (const report of reports) if (isWanted(report.id)) await measure('text', { ...report, files: [report.pdf] });
for (const { id, kind, flaws } of pictures) {
  const report = reports.find((one) => one.id === id);
  if (report && isWanted(id)) await measure(kind, { ...report, files: await scansOf(report.pdf, flaws) });
}
if (!wanted.length) await measureData();
clearInterval(watch);
print();
