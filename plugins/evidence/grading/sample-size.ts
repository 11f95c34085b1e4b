import type { SourceRecord, Species } from '../source-record.ts';
import type { RecordText } from './record-text.ts';
import { pooledSize } from './review-size.ts';
import { addSexes, fromArms, fromNounWithN, perGroup } from './sample-arms.ts';
import { countedNouns, type SampleCandidate } from './sample-candidates.ts';
import { ANIMAL_NOUNS, PEOPLE_NOUNS } from './sample-nouns.ts';
import { saidRandomised } from './sample-randomised.ts';
import type { StudyDesign } from './study-design.ts';

export interface SampleSize {
  /** Number of people or animals randomised or analysed; null when the text does not state it. */
  readonly n: number | null;
  /** Number of studies that a review pools, else null. */
  readonly studies: number | null;
  readonly planned: boolean;
  /** The counted phrase in lower case, as in "healthy young men"; used to read the population. */
  readonly phrase: string;
}

const NONE: SampleSize = { n: null, studies: null, planned: false, phrase: '' };
const BODY_PART = 15_000;
/**
 * Lowest accepted score. A candidate below it is a guess (a count of drop-outs or of one arm), and no value is better than a
 * guess.
 */
const MINIMUM_SCORE = 2;

// Two or three people are far more often a subgroup or drop-outs than a whole study.
const LEAST = 4;

const best = (candidates: readonly (SampleCandidate | null)[]): SampleCandidate | null => {
  let winner: SampleCandidate | null = null;
  for (const candidate of candidates) {
    if (candidate === null || candidate.score < MINIMUM_SCORE || candidate.n < LEAST) continue;
    if (
      winner === null ||
      candidate.score > winner.score ||
      (candidate.score === winner.score && candidate.at < winner.at)
    )
      winner = candidate;
  }
  return winner;
};

/**
 * Returns the candidate that is the sum of several arms of equal size, else the winner: "192 patients … sixty-four patients were
 * given …, another 64 …".
 */
const sumOfArms = (winner: SampleCandidate | null, counted: readonly SampleCandidate[]): SampleCandidate | null => {
  const arms = winner === null ? 0 : counted.filter(({ n }) => n === winner.n).length;
  const whole = counted.find(({ n, score }) => arms >= 2 && n === arms * (winner?.n ?? 0) && score >= MINIMUM_SCORE);
  return whole ?? winner;
};

const readFrom = (text: string, nouns: ReadonlySet<string>): SampleCandidate | null => {
  const counted = countedNouns(text, nouns);
  const winner = best([
    ...counted,
    ...fromNounWithN(text, nouns),
    perGroup(text, counted),
    fromArms(text),
    addSexes(text, counted),
  ]);
  return sumOfArms(winner, counted);
};

const fromText = (text: RecordText, species: Species): SampleSize => {
  const nouns = species === 'animal' ? ANIMAL_NOUNS : PEOPLE_NOUNS;
  const found =
    readFrom(`${text.abstract} `, nouns) ??
    readFrom(`${text.title} `, nouns) ??
    readFrom(text.body.slice(0, BODY_PART), nouns);
  return found === null ? NONE : { n: found.n, studies: null, planned: false, phrase: found.phrase };
};

/**
 * Largest accepted ratio of the people randomised to those counted. An abstract may count only those who finished; a larger
 * number may belong to another study.
 */
const MOST_LOST = 1.15;
const RESULTS_PART = 60_000;

/**
 * Replaces the size with the stated number randomised where it fits the size found: an equal number, or a larger one that
 * includes the drop-outs.
 */
const withRandomised = (found: SampleSize, text: RecordText): SampleSize => {
  const fits = (n: number | null): n is number =>
    n !== null && (found.n === null || (n >= found.n && n <= MOST_LOST * found.n));
  const inAbstract = saidRandomised(text.abstract);
  if (fits(inAbstract)) return { ...found, n: inAbstract };
  const inBody = inAbstract === null ? saidRandomised(text.body.slice(0, RESULTS_PART)) : null;
  return fits(inBody) ? { ...found, n: inBody } : found;
};

const POOLED = new Set(['meta_analysis', 'systematic_review']);
const COUNTED = new Set([
  'rct',
  'cohort',
  'case_control',
  'cross_sectional',
  'animal',
  'non_randomised_trial',
  'unclear_design',
  'protocol',
]);

/**
 * Reads the sample size of a record: the editor's value, else the register's enrolment, else the number that the text states for
 * its own sample.
 */
export const readSampleSize = (
  record: SourceRecord,
  text: RecordText,
  design: StudyDesign,
  species: Species,
): SampleSize => {
  if (record.stated !== null) {
    return { n: record.stated.sampleSize, studies: record.stated.studies, planned: false, phrase: '' };
  }
  if (record.enrolment !== null) return { ...NONE, n: record.enrolment, planned: isPlanned(record) };
  if (POOLED.has(design.kind)) return { ...NONE, ...pooledSize(text) };
  if (!COUNTED.has(design.kind)) return NONE;
  // The body of a protocol also counts clinics, households and other studies.
  return design.kind === 'protocol'
    ? { ...fromText({ ...text, body: '' }, species), planned: true }
    : design.kind === 'rct'
      ? withRandomised(fromText(text, species), text)
      : fromText(text, species);
};

const isPlanned = (record: SourceRecord): boolean =>
  record.origin === 'ctgov' &&
  (/estimated|anticipated|planned/i.test(record.trialStatus) ||
    !/completed|terminated|actual/i.test(record.trialStatus));

/** Formats a sample size for a reader: "64", "1,208 in 12 studies", "354 (planned)"; "" when unknown. */
export const describeSampleSize = ({ n, studies, planned }: SampleSize): string => {
  const people = n === null ? '' : n.toLocaleString('en-GB');
  if (studies !== null) {
    const pooled = `${studies.toLocaleString('en-GB')} ${studies === 1 ? 'study' : 'studies'}`;
    return people === '' ? pooled : `${people} in ${pooled}`;
  }
  return planned && people !== '' ? `${people} (planned)` : people;
};
