/**
 * Compares the importer's and the grader's extraction from 170 articles with manual readings. Needs the real data.
 * Usage: node bench/extraction/extraction.ts [name of a measure: prints its errors in the development half]
 */
import type { EffectDirection } from '../../plugins/evidence/source-record.ts';
import { dataIsThere } from '../grading/reference.ts';
import { abstractOnly, isDevelopment, labelledArticles } from './labels.ts';
import { MEASURES, type Measure, type Pair, pairOf } from './measures.ts';

interface Half {
  readonly name: string;
  readonly full: readonly Pair[];
  readonly abstract: readonly Pair[];
}

const share = ({ counts, right }: Measure, pairs: readonly Pair[]): string => {
  const counted = pairs.filter(counts);
  const hits = counted.filter(right).length;
  const percent = counted.length === 0 ? '' : `${((100 * hits) / counted.length).toFixed(0)} %`;
  return `${hits} of ${counted.length}  ${percent}`.padEnd(18);
};

const printTable = (halves: readonly Half[]): void => {
  const columns = halves.flatMap(({ name }) => [`${name}, full`, `${name}, abstract`]);
  console.log(`\n${''.padEnd(61)}${columns.map((column) => column.padEnd(18)).join('')}`);
  for (const measure of MEASURES) {
    const cells = halves.flatMap(({ full, abstract }) => [share(measure, full), share(measure, abstract)]);
    console.log(`${measure.name.padEnd(61)}${cells.join('')}`);
  }
};

const DIRECTIONS: readonly EffectDirection[] = ['positive', 'null', 'negative', 'mixed', 'unclear'];

const printConfusion = (title: string, pairs: readonly Pair[], read: (pair: Pair) => EffectDirection): void => {
  console.log(`\n${title}; rows as read, columns as graded`);
  console.log(`${''.padEnd(10)}${DIRECTIONS.map((name) => name.padStart(10)).join('')}`);
  for (const row of DIRECTIONS) {
    const ofRow = pairs.filter((pair) => read(pair) === row);
    const cells = DIRECTIONS.map((name) => ofRow.filter(({ grading }) => grading.direction === name).length);
    console.log(`${row.padEnd(10)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);
  }
};

const printErrors = (name: string, pairs: readonly Pair[]): void => {
  const measure = MEASURES.find((one) => one.name.startsWith(name));
  if (measure === undefined) {
    console.log(`no measure is called ${name}`);
    return;
  }
  for (const pair of pairs.filter((one) => measure.counts(one) && !measure.right(one)))
    console.log(JSON.stringify({ read: pair.label, graded: pair.grading, doubleBlind: pair.doubleBlind }));
};

const run = async (): Promise<void> => {
  if (!dataIsThere()) {
    console.log('Not measured: ../shared/data is absent, and the articles to measure on are part of it.');
    return;
  }
  const articles = await labelledArticles();
  const half = (name: string, wanted: boolean): Half => {
    const own = articles.filter(({ label }) => isDevelopment(label.pmcid) === wanted);
    return {
      name,
      full: own.map(({ label, record }) => pairOf(label, record)),
      abstract: own.map(({ label, record }) => pairOf(label, abstractOnly(record))),
    };
  };
  const [development, test] = [half('dev', true), half('test', false)];
  const errorsOf = process.argv[2];
  if (errorsOf !== undefined) return printErrors(errorsOf, development.full);
  console.log(`${articles.length} articles read by hand: ${development.full.length} dev, ${test.full.length} test`);
  printTable([development, test]);
  for (const { name, full } of [development, test]) {
    printConfusion(`Direction by the numbers, ${name}, full text`, full, ({ label }) => label.direction);
    printConfusion(`Direction by the conclusion, ${name}, full text`, full, ({ label }) => label.conclusion);
  }
};

await run();
