/** Prints how far the grader agrees with people: `node bench/grading/agreement.ts`. Needs the real data beside the project. */
import { grade } from '../../plugins/evidence/grading/grade.ts';
import type { Grading } from '../../plugins/evidence/grading/grading.ts';
import { compileVocabulary } from '../../plugins/evidence/matching/matcher.ts';
import type { SourceRecord } from '../../plugins/evidence/source-record.ts';
import {
  curatedTrials,
  dataIsThere,
  editorsReadings,
  nmnRecords,
  type ReadByEditor,
  supplementPapers,
  trialArticles,
} from './reference.ts';
import { contentVocabulary } from './vocabulary.ts';

interface Pair {
  readonly record: SourceRecord;
  readonly read: ReadByEditor;
  readonly grading: Grading;
}

const share = (part: number, whole: number): string =>
  `${String(part).padStart(4)} of ${String(whole).padEnd(4)} ${whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`}`;

const line = (label: string, part: number, whole: number): void =>
  console.log(`  ${label.padEnd(58)} ${share(part, whole)}`);

const near = (left: number, right: number): boolean => Math.abs(left - right) <= 0.05 * right;

const printSizes = (pairs: readonly Pair[]): void => {
  const sized = pairs.filter(({ read }) => read.sampleSize !== null);
  const found = sized.filter(({ grading }) => grading.sampleSizeN !== null);
  const exact = found.filter(({ read, grading }) => grading.sampleSizeN === read.sampleSize);
  const close = found.filter(({ read, grading }) => near(grading.sampleSizeN!, read.sampleSize!));
  const over = found.filter(({ read, grading }) => grading.sampleSizeN! > 1.05 * read.sampleSize!);
  line('sample size: exact, of all with a size', exact.length, sized.length);
  line('sample size: within 5 %', close.length, sized.length);
  line('sample size: not found', sized.length - found.length, sized.length);
  line('sample size: more than 5 % too high', over.length, sized.length);
  const pooled = pairs.filter(({ read }) => read.studies !== null);
  const studies = pooled.filter(({ read, grading }) =>
    new RegExp(`(^|in )${read.studies} stud`).test(grading.sampleSize.replaceAll(',', '')),
  );
  line('reviews: number of studies exact', studies.length, pooled.length);
};

const printDirections = (pairs: readonly Pair[]): void => {
  const said = pairs.filter(({ grading }) => grading.direction !== 'unclear');
  line(
    'direction: agrees',
    pairs.filter(({ read, grading }) => read.direction === grading.direction).length,
    pairs.length,
  );
  line(
    'direction: agrees, where the grader says one',
    said.filter(({ read, grading }) => read.direction === grading.direction).length,
    said.length,
  );
  const turned = pairs.filter(
    ({ read, grading }) =>
      grading.direction === 'positive' && (read.direction === 'null' || read.direction === 'negative'),
  );
  line('direction: called positive, read as null or harm', turned.length, pairs.length);
};

const printAgreement = (title: string, pairs: readonly Pair[]): void => {
  console.log(`\n${title}`);
  line('design', pairs.filter(({ read, grading }) => read.design === grading.evidenceLevel).length, pairs.length);
  const trials = pairs.filter(({ grading }) => grading.evidenceLevel === 'rct');
  line(
    'called a randomised trial, and read as one',
    trials.filter(({ read }) => read.design === 'rct').length,
    trials.length,
  );
  line('species', pairs.filter(({ read, grading }) => read.species === grading.species).length, pairs.length);
  printSizes(pairs);
  printDirections(pairs);
  line('funding', pairs.filter(({ read, grading }) => read.funding === grading.funding).length, pairs.length);
};

const printMatcher = (pairs: readonly Pair[]): void => {
  const vocabulary = contentVocabulary();
  const known = new Set(vocabulary.supplements.map(({ slug }) => slug));
  const matcher = compileVocabulary(vocabulary);
  const sums = { supplements: [0, 0, 0], topics: [0, 0, 0] };
  for (const { record, read } of pairs) {
    const match = matcher.match(record);
    for (const kind of ['supplements', 'topics'] as const) {
      const wanted = read[kind].filter((slug) => kind === 'topics' || known.has(slug));
      const right = match[kind].filter(({ slug }) => wanted.includes(slug)).length;
      sums[kind] = [sums[kind][0]! + right, sums[kind][1]! + match[kind].length, sums[kind][2]! + wanted.length];
    }
  }
  for (const [kind, [right, said, wanted]] of Object.entries(sums)) {
    line(`${kind}: right, of those matched (precision)`, right!, said!);
    line(`${kind}: found, of those the editors name (recall)`, right!, wanted!);
  }
};

const REFERENCE: readonly (readonly [RegExp, string])[] = [
  [/^(?:network )?meta-analysis$/i, 'meta_analysis'],
  [/^systematic review$/i, 'systematic_review'],
  [/^(?:rct|randomized controlled trial)$/i, 'rct'],
  [/^review$/i, 'expert_opinion'],
];

const printTypes = (records: readonly SourceRecord[]): void => {
  console.log('\nDesign from title and abstract alone, against the publication types PubMed gives');
  for (const [pattern, level] of REFERENCE) {
    const typed = records.filter(
      ({ publicationTypes }) =>
        REFERENCE.find(([type]) => publicationTypes.some((name) => type.test(name)))?.[0] === pattern,
    );
    const graded = typed.map((record) => grade({ ...record, publicationTypes: [] }));
    line(level, graded.filter(({ evidenceLevel }) => evidenceLevel === level).length, typed.length);
  }
};

const printCurated = (records: readonly SourceRecord[]): void => {
  let exact = 0;
  let close = 0;
  let compared = 0;
  for (const trial of curatedTrials()) {
    const found = records.filter(
      ({ authors, year, publicationTypes }) =>
        (authors[0] ?? '').startsWith(`${trial.author} `) &&
        year === trial.year &&
        publicationTypes.includes('Randomized Controlled Trial'),
    );
    if (found.length !== 1) continue;
    const { sampleSizeN } = grade(found[0]!);
    compared += 1;
    if (sampleSizeN === trial.randomised || sampleSizeN === trial.analysed) exact += 1;
    if (sampleSizeN !== null && (near(sampleSizeN, trial.randomised) || near(sampleSizeN, trial.analysed))) close += 1;
  }
  console.log('\nSample sizes of the NMN and NR review (randomised or analysed, by its authors; one record per study)');
  line('exact', exact, compared);
  line('within 5 %', close, compared);
};

const run = async (): Promise<void> => {
  if (!dataIsThere()) {
    console.log('Not measured: ../shared/data is absent, and the records to measure on are part of it.');
    return;
  }
  const [papers, nmn, articles] = [supplementPapers(), nmnRecords(), await trialArticles()];
  const records = new Map([...articles, ...nmn, ...papers].map((record) => [record.pmid, record]));
  const started = performance.now();
  const pairs: Pair[] = [];
  for (const read of editorsReadings().values()) {
    const record = records.get(read.pmid);
    if (record !== undefined) pairs.push({ record, read, grading: grade(record) });
  }
  console.log(
    `${pairs.length} sources read by editors, graded in ${((performance.now() - started) / pairs.length).toFixed(2)} ms each`,
  );
  const heldOut = pairs.filter(({ read }) => Number(read.pmid.at(-1)) % 2 === 0);
  printAgreement('Against the editors: all sources', pairs);
  printMatcher(pairs);
  printAgreement('Against the editors: PMIDs ending in an even digit; the rules were tuned on the odd ones', heldOut);
  printMatcher(heldOut);
  printTypes([...papers, ...nmn]);
  printCurated(nmn);
};

await run();
