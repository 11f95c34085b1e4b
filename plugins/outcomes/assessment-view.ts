/** Describes assessments and findings in words, for pages. */
import { type AssessmentView, directionView, type FindingView } from '#plugins/evidence/index.ts';
import { type Finding, type FindingBook, type FindingMeasure, sourceUrl } from '#plugins/findings/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { CERTAINTY_WORDS, sizeInWords } from './grade-words.ts';
import { DIRECTIONS } from './grading/assess-findings.ts';
import type { Assessment, OutcomeLine } from './grading/assessment.ts';
import { CERTAINTY_MEANINGS } from './grading/method.ts';
import { nameOfPopulation } from './population-name.ts';

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });
const counted = (n: number, one: string, many: string): string => `${figures.format(n)} ${n === 1 ? one : many}`;
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const minus = (value: number): string => figures.format(value).replace('-', '−');

/** Returns "2,922 people in 16 studies", "2,922 people" or "number of people not stated". */
export const peopleInStudies = (people: number | null, studies: number | null): string => {
  if (people === null) return studies === null ? 'number of people not stated' : counted(studies, 'study', 'studies');
  const persons = counted(people, 'person', 'people');
  return studies === null ? persons : `${persons} in ${counted(studies, 'study', 'studies')}`;
};

const MEASURE_WORDS: Readonly<Record<FindingMeasure, string>> = {
  RR: 'risk ratio',
  OR: 'odds ratio',
  HR: 'hazard ratio',
  rate: 'ratio of rates',
  MD: 'difference',
  SMD: 'standardised difference',
  percent: 'difference',
  RD: 'difference of risks',
  other: 'figure',
};

const effectInWords = ({ measure, estimate, low, high, unit }: Finding): string => {
  if (!measure || estimate === null) return '';
  const mark = measure === 'percent' ? '%' : unit && ` ${unit}`;
  const interval = low === null || high === null ? '' : `, 95% interval ${minus(low)} to ${minus(high)}`;
  return `${capitalized(MEASURE_WORDS[measure])} ${minus(estimate)}${mark}${interval}`;
};

/** Returns absolute risks in words, such as "21 of 1,000 people with it, 30 of 1,000 without", or "" when they are not stated. */
const risksInWords = ({ measure, riskWith, riskWithout }: Finding): string =>
  riskWith === null || riskWithout === null || !['RR', 'OR', 'HR', 'rate', 'RD'].includes(measure)
    ? ''
    : `${minus(riskWith)} of 1,000 people with it, ${minus(riskWithout)} of 1,000 without`;

const numbersOf = (finding: Finding): FindingView['numbers'] =>
  [
    { label: 'In', value: finding.population },
    { label: 'Compared with', value: finding.comparator.replace('active:', '').replaceAll('-', ' ') },
    { label: 'Effect', value: effectInWords(finding) },
    { label: 'In 1,000 people', value: risksInWords(finding) },
    {
      label: 'People',
      value:
        finding.participants === null && finding.studies === null
          ? ''
          : peopleInStudies(finding.participants, finding.studies),
    },
    { label: 'Dose studied', value: finding.dose },
    { label: 'Followed for', value: finding.followUp },
  ].filter(({ value }) => value !== '');

const sourceOf = ({ firstAuthor, title, journal, year, source }: Finding): FindingView['source'] => ({
  name: [firstAuthor, title.replace(/\.$/, ''), journal, year === null ? '' : String(year)].filter(Boolean).join('. '),
  href: sourceUrl(source),
});

/** Builds the view of a finding. A finding without an assessed certainty shows the certainty that its authors stated. */
export const findingView = (finding: Finding, line: OutcomeLine | null): FindingView => {
  const level = line?.certainty ?? (finding.certainty || '');
  return {
    id: finding.id,
    outcome: capitalized(finding.outcome),
    summary: finding.summary,
    direction: directionView(line?.direction ?? DIRECTIONS[finding.direction]),
    level,
    word: level ? CERTAINTY_WORDS[level] : 'Not rated',
    numbers: numbersOf(finding),
    source: sourceOf(finding),
  };
};

const BASIS_WORDS: Readonly<Record<Assessment['basis'], string>> = {
  review: 'The authors of the review rated the certainty.',
  findings: 'We worked out the certainty from the figures of the reviews and trials below.',
  authority: 'A public authority states it. No review of this question rates its certainty here.',
  sources: 'No review of this question has been entered yet: the grade comes from the sources that were read.',
};

const DIRECTION_SENTENCES: Readonly<Record<string, string>> = {
  positive: 'Most of the studies that were read found a benefit',
  null: 'Most of the studies that were read found no difference',
  negative: 'Most of the studies that were read found harm or a worse result',
  mixed: 'The studies that were read disagree',
};

/** Returns the answer in one sentence. */
export const summaryOf = (assessment: Assessment): string =>
  assessment.summary || `${DIRECTION_SENTENCES[assessment.direction] ?? 'It is unclear what the studies found'}.`;

/**
 * Builds the view of an assessment. `byId` contains the findings that the assessment names; findings that no longer exist are
 * omitted.
 */
export const assessmentView = (
  assessment: Assessment,
  { terms, byId }: { readonly terms: Terms; readonly byId: ReadonlyMap<string, Finding> },
): AssessmentView => {
  const find = (ids: readonly string[]): FindingView[] =>
    ids.flatMap((id) => {
      const finding = byId.get(id);
      return finding ? [findingView(finding, null)] : [];
    });
  const { certainty, direction, magnitude, people, studies } = assessment;
  return {
    population: nameOfPopulation(assessment.population, terms),
    level: certainty,
    word: CERTAINTY_WORDS[certainty],
    meaning: CERTAINTY_MEANINGS[certainty],
    direction: toldDirection(assessment),
    size: sizeInWords(magnitude, direction),
    people: peopleInStudies(people, studies),
    summary: summaryOf(assessment),
    basis: BASIS_WORDS[assessment.basis],
    outcomes: assessment.outcomes.flatMap((line) => {
      const finding = byId.get(line.finding);
      return finding ? [findingView(finding, line)] : [];
    }),
    harms: find(assessment.harms),
    compared: find(assessment.compared),
    combined: find(assessment.combined),
    reasons: [
      ...new Set([...assessment.reasons.map(({ text }) => text), ...assessment.caps.map(({ reason }) => reason)]),
    ],
  };
};

/**
 * Returns the direction as pages show it. When a review suggests a direction but rates itself very uncertain, the word says so,
 * but the code stays `unclear`, so that lists of effective supplements do not include it.
 */
export const toldDirection = ({
  direction,
  reasons,
}: {
  readonly direction: string;
  readonly reasons: Assessment['reasons'];
}): AssessmentView['direction'] => {
  const told = directionView(direction);
  const has = (code: string): boolean => reasons.some((reason) => reason.code === code);
  if (has('leans_benefit')) return { ...told, word: 'May help, very uncertain' };
  return has('leans_null') ? { ...told, word: 'May make no difference, very uncertain' } : told;
};

const indexes = new WeakMap<FindingBook, ReadonlyMap<string, Finding>>();

/** Returns the findings by id. The index is built once for each state of the book. */
export const findingsById = (book: FindingBook): ReadonlyMap<string, Finding> => {
  const known = indexes.get(book) ?? new Map(book.all.map((finding) => [finding.id, finding]));
  indexes.set(book, known);
  return known;
};
