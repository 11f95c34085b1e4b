import type { SourceRecord, Species } from '../source-record.ts';
import type { RecordText } from './record-text.ts';
import { pooledSize } from './review-size.ts';
import { countedNouns, nEquals, type SampleCandidate } from './sample-candidates.ts';
import { ANIMAL_NOUNS, PEOPLE_NOUNS } from './sample-nouns.ts';
import type { StudyDesign } from './study-design.ts';

export interface SampleSize {
  /** People or animals randomised or analysed; null when the text does not say. */
  readonly n: number | null;
  /** Studies pooled by a review, else null. */
  readonly studies: number | null;
  readonly planned: boolean;
  /** The words counted, in lower case, as in "healthy young men"; for the population. */
  readonly phrase: string;
}

const NONE: SampleSize = { n: null, studies: null, planned: false, phrase: '' };
const BODY_PART = 15_000;
/** Below this a reading is a guess (a count of drop-outs or of one arm), and none is better. */
const MINIMUM_SCORE = 2;

const GROUP_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  '2': 2,
  '3': 3,
  '4': 4,
  '5': 5,
  '6': 6,
};
const GROUPS =
  /\b(two|three|four|five|six|[2-6]) (?:\w+ ){0,3}(?:groups|arms)\b|\b(?:one of|into) (two|three|four|five|six|[2-6])\b/;
const PER_GROUP_AFTER =
  /^\s?(?:\)|,)?\s?(?:[a-z]+ ){0,2}?(?:in each|per|for each|each|\/ ?group|\/ ?arm)\b(?! of (?:the )?day)/;

/** "32 patients in each group", "(n = 20 per group)": the arm's size times the number of groups the text names. */
const perGroup = (text: string, candidates: readonly SampleCandidate[]): SampleCandidate | null => {
  const match = GROUPS.exec(text);
  const groups =
    GROUP_WORDS[match?.[1] ?? match?.[2] ?? ''] ?? (/\bplacebo|control group|crossover/.test(text) ? 2 : 0);
  if (groups === 0) return null;
  const arms = [
    ...candidates.map(({ n, end, at, phrase }) => ({ n, end, at, phrase })),
    ...nEquals(text).map((found) => ({ n: found.value, end: found.end, at: found.start, phrase: '' })),
  ];
  const arm = arms.find(({ end }) => PER_GROUP_AFTER.test(text.slice(end, end + 30)));
  return arm === undefined ? null : { n: arm.n * groups, score: 5, at: arm.at, phrase: arm.phrase, end: arm.end };
};

/** Arms written as "(n = 31) … (n = 33)" in one sentence, added up; a single "n = 64" stands for itself. */
const fromNEquals = (text: string): SampleCandidate | null => {
  const found = nEquals(text).filter(({ end }) => !PER_GROUP_AFTER.test(text.slice(end, end + 30)));
  const first = found[0];
  if (first === undefined) return null;
  const arms = [first];
  for (const next of found.slice(1, 8)) {
    const gap = text.slice(arms.at(-1)!.end, next.start);
    if (gap.length > 160 || /[.;] [a-z]/.test(gap.replace(/\b(?:vs|e\.g|i\.e)\. /g, ' '))) break;
    arms.push(next);
  }
  const n = arms.reduce((sum, arm) => sum + arm.value, 0);
  return n < 2 ? null : { n, score: arms.length > 1 ? 4.5 : 3.5, at: first.start, phrase: '', end: arms.at(-1)!.end };
};

const SEXES = /^(?:\w+[ -]){0,2}(?:men|males|boys)$|^(?:\w+[ -]){0,2}(?:women|females|girls)$/;

/** "14 males, 14 females": two counts of the sexes side by side, added up. */
const addSexes = (text: string, candidates: readonly SampleCandidate[]): SampleCandidate | null => {
  for (const [index, left] of candidates.entries()) {
    const right = candidates[index + 1];
    if (right === undefined || !SEXES.test(left.phrase) || !SEXES.test(right.phrase)) continue;
    const sameSex = /women|female|girl/.test(left.phrase) === /women|female|girl/.test(right.phrase);
    if (sameSex || !/^ ?(?:,|and|\/|&|;|, and)? ?$/.test(text.slice(left.end, right.at))) continue;
    return {
      n: left.n + right.n,
      score: Math.max(left.score, right.score, 3.5) + 0.5,
      at: left.at,
      phrase: '',
      end: right.end,
    };
  }
  return null;
};

const best = (candidates: readonly (SampleCandidate | null)[]): SampleCandidate | null => {
  let winner: SampleCandidate | null = null;
  for (const candidate of candidates) {
    if (candidate === null || candidate.score < MINIMUM_SCORE) continue;
    if (
      winner === null ||
      candidate.score > winner.score ||
      (candidate.score === winner.score && candidate.at < winner.at)
    )
      winner = candidate;
  }
  return winner;
};

const readFrom = (text: string, nouns: ReadonlySet<string>): SampleCandidate | null => {
  const counted = countedNouns(text, nouns);
  const sexes = addSexes(text, counted);
  return best([...counted, perGroup(text, counted), fromNEquals(text), sexes]);
};

const fromText = (text: RecordText, species: Species): SampleSize => {
  const nouns = species === 'animal' ? ANIMAL_NOUNS : PEOPLE_NOUNS;
  const found =
    readFrom(`${text.abstract} `, nouns) ??
    readFrom(`${text.title} `, nouns) ??
    readFrom(text.body.slice(0, BODY_PART), nouns);
  return found === null ? NONE : { n: found.n, studies: null, planned: false, phrase: found.phrase };
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

/** The sample size of a record: the editor's, the register's enrolment, else what the text says of its own sample. */
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
  const size = fromText(text, species);
  return design.kind === 'protocol' ? { ...size, planned: true } : size;
};

const isPlanned = (record: SourceRecord): boolean =>
  record.origin === 'ctgov' &&
  (/estimated|anticipated|planned/i.test(record.trialStatus) ||
    !/completed|terminated|actual/i.test(record.trialStatus));

/** As shown to a reader: "64", "1,208 in 12 studies", "354 (planned)"; "" when unknown. */
export const describeSampleSize = ({ n, studies, planned }: SampleSize): string => {
  const people = n === null ? '' : n.toLocaleString('en-GB');
  if (studies !== null) {
    const pooled = `${studies.toLocaleString('en-GB')} ${studies === 1 ? 'study' : 'studies'}`;
    return people === '' ? pooled : `${people} in ${pooled}`;
  }
  return planned && people !== '' ? `${people} (planned)` : people;
};
