/** Builds evidence items: a source with its quote, its stance on the question, and its strength. */
import { judgedDirection, type SourceRow, type Tier } from '#plugins/evidence/index.ts';
import { ABOUT_HARM, countCues, HARM_CUES, NULL_CUES } from './finding-cues.ts';
import type { Question } from './question.ts';
import { chooseQuote, NOT_LOOKED_AT, type Quote, type SentenceScorers } from './quotes.ts';
import type { Candidate } from './retrieval.ts';
import { sentencesOf } from './sentences.ts';
import type { Passage } from './stance/features.ts';
import { type Belief, believe } from './stance/stance.ts';

export type Stance = 'supports' | 'contradicts' | 'context';
export type Direction = 'positive' | 'null' | 'negative' | 'mixed' | 'unclear';

export interface EvidenceItem extends Candidate {
  readonly quote: Quote;
  readonly stance: Stance;
  /** Direction of the result for the supplement and the outcome in question; always `unclear` for questions of harm. */
  readonly direction: Direction;
  /** Whether an editor or a program read the direction. */
  readonly basis: 'editor' | 'program';
}

/** Minimum probability at which a reading by the program counts; see bench/ask/README.md for its accuracy. */
export const SURE = 0.65;
const CLOSING_SENTENCES = 2;

/** Returns the parts of a source that the model reads: its conclusion and its results. */
export const passageOfSource = ({ summary, abstract }: SourceRow): Passage => {
  const sentences = sentencesOf(abstract || summary).filter(
    ({ section }) => section !== 'background' && section !== 'methods',
  );
  const labelled = sentences.filter(({ section }) => section === 'conclusion');
  const conclusion = labelled.length ? labelled : sentences.slice(-CLOSING_SENTENCES);
  const results = sentences.filter((sentence) => !conclusion.includes(sentence));
  return { conclusion: conclusion.map(({ text }) => text), results: results.map(({ text }) => text) };
};

/** Returns the question for the stance model. Open questions are rewritten as yes-or-no questions. */
const askedAs = ({ text, supplements, topics }: Question): string =>
  /^\W*(?:do|does|did|is|are|was|were|can|could|should|will|would|may|might|has|have)\b/i.test(text) ||
  !supplements.length
    ? text
    : `Does ${supplements.map(({ name }) => name).join(' or ')} improve ${topics.map(({ name }) => name).join(' or ') || 'health'}?`;

const OPPOSITE: Readonly<Record<Stance, Stance>> = {
  supports: 'contradicts',
  contradicts: 'supports',
  context: 'context',
};

/** Matches statements that harm was not reported. Silence about harm is not a finding. */
const NOT_TOLD =
  /\b(?:not|nor|never|n['’]t) (?:\w+ )?(?:reported|recorded|stated|mentioned|described|assessed|measured|looked at|collected|given)\b/i;

/** Returns the stance on a question of harm. Only the quote counts: harm that it reports, or says that it did not see. */
const stanceOnHarm = (text: string, quote: Quote): Stance => {
  const harms = countCues(quote.text, HARM_CUES);
  if (!harms) return 'context';
  if (NOT_TOLD.test(quote.text)) return 'context';
  const saysNone = countCues(quote.text, NULL_CUES) > 0 || /\b(?:no|none|without|not|nobody)\b/i.test(quote.text);
  const asksIfSafe = /\b(?:safe|safely|safety|tolerated)\b/i.test(text) && !/\bunsafe\b/i.test(text);
  return saysNone === asksIfSafe ? 'supports' : 'contradicts';
};

const EDITOR_STANCE: Readonly<Record<string, Stance>> = {
  positive: 'supports',
  null: 'contradicts',
  negative: 'contradicts',
};

/**
 * Returns whether a study compares forms or doses of one supplement. Such a study does not show whether the supplement helps.
 */
const comparesForms = (row: SourceRow & { readonly compares?: string }): boolean => Boolean(row.compares);

interface Sized {
  readonly effectSizes?: readonly { readonly topic: string; readonly direction: string }[];
}

/**
 * Returns the direction that an editor entered for these topics, when they are not the main topic of the source. Grades of
 * outcomes use the same rule.
 */
const sizedDirection = ({ effectSizes = [] }: Sized, topics: ReadonlySet<string>): Direction => {
  const told = [...new Set(effectSizes.filter(({ topic }) => topics.has(topic)).map(({ direction }) => direction))];
  return told.length === 1 ? (told[0] as Direction) : told.length ? 'mixed' : 'unclear';
};

/**
 * Returns whether the source is mainly about the supplement. The first supplement of a source is its main one: the direction
 * of the source does not apply to the others.
 */
const isMainlyAbout = ({ supplements }: Question, row: SourceRow): boolean =>
  !supplements.length || supplements.some(({ slug }) => slug === row.supplements[0]);

const readByEditor = (question: Question, row: SourceRow): Direction => {
  if (comparesForms(row) || !isMainlyAbout(question, row)) return 'unclear';
  const topics = new Set(question.topics.map(({ slug }) => slug));
  const sized = sizedDirection(row as SourceRow & Sized, topics);
  if (sized !== 'unclear') return sized;
  const isMain = !topics.size || topics.has(row.topics[0] ?? '');
  return isMain ? (judgedDirection(row) as Direction) : 'unclear';
};

const readByProgram = (belief: Belief, passage: Passage): Direction => {
  if (belief.yes >= SURE) return 'positive';
  if (belief.no < SURE) return 'unclear';
  const text = passage.conclusion.join(' ');
  return countCues(text, HARM_CUES) > 0 && !countCues(text, NULL_CUES) ? 'negative' : 'null';
};

const flip = (direction: Direction, reversed: boolean): Direction =>
  reversed && direction === 'positive' ? 'null' : reversed && direction === 'null' ? 'positive' : direction;

const reading = (
  question: Question,
  row: SourceRow,
  quote: Quote,
): Pick<EvidenceItem, 'stance' | 'direction' | 'basis'> => {
  const basis = row.read ? 'editor' : 'program';
  if (question.asks.has('harm')) return { stance: stanceOnHarm(question.text, quote), direction: 'unclear', basis };
  // Results in animals or cells do not support or contradict anything in people.
  if (row.species !== 'human') return { stance: 'context', direction: 'unclear', basis };
  if (row.read) {
    const direction = readByEditor(question, row);
    const stance = EDITOR_STANCE[direction] ?? 'context';
    return { stance: question.reversed ? OPPOSITE[stance] : stance, direction, basis };
  }
  if (row.sourceClass === 'clinical_trial') return { stance: 'context', direction: 'unclear', basis };
  const passage = passageOfSource(row);
  const direction = readByProgram(believe(askedAs(question), passage), passage);
  const stance = EDITOR_STANCE[direction] ?? 'context';
  // The model answers the question as asked: a yes to "is it useless" is not a benefit.
  return { stance, direction: flip(direction, question.reversed), basis };
};

/**
 * Returns whether a quote answers the question. A sentence on something else, or on something that was not measured, would be
 * mistaken for an answer.
 */
const answers = (question: Question, quote: Quote, onOutcome: boolean): boolean => {
  if (!question.supplements.length && !question.substances.length) return true;
  if (NOT_LOOKED_AT.test(quote.text) && countCues(quote.text, NULL_CUES) + countCues(quote.text, HARM_CUES) < 2)
    return false;
  const named = question.topics.length + question.conditions.length > 0;
  if (question.asks.has('harm')) return ABOUT_HARM.test(quote.text) || (named && onOutcome);
  return !named || onOutcome;
};

/**
 * Builds the evidence item of a candidate. Returns null when nothing of the source may be quoted, or when none of its
 * sentences answers the question.
 */
export const toEvidenceItem = (
  candidate: Candidate,
  scorers: SentenceScorers,
  question: Question,
): EvidenceItem | null => {
  const quote = chooseQuote(candidate.row, scorers, question);
  if (!quote) return null;
  // The direction of a source with several outcomes may belong to an outcome that was not asked about.
  const [first] = candidate.row.topics;
  const speaks =
    scorers.onTopic(quote.text) ||
    scorers.onTopic(candidate.row.title) ||
    question.topics.some(({ slug }) => slug === first);
  if (!answers(question, quote, speaks)) return null;
  const read = reading(question, candidate.row, quote);
  return { ...candidate, quote, ...read, ...(speaks ? {} : { stance: 'context', direction: 'unclear' }) };
};

export const isInPeople = ({ row }: Pick<Candidate, 'row'>): boolean => row.species === 'human';
/** Returns whether the source is a trial registration, which reports a plan and not a result. */
export const isRegistered = ({ row }: Pick<Candidate, 'row'>): boolean => row.sourceClass === 'clinical_trial';
export const isTier = (item: Pick<Candidate, 'row'>, ...tiers: readonly Tier[]): boolean =>
  tiers.includes(item.row.qualityTier);
