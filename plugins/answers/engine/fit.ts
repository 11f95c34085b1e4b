/** Decides whether a source is about the question: its supplement, its outcome and its remaining words. */
import type { PassageScorer, SearchIndex } from '#core/search/port.ts';
import type { SourceRow } from '#plugins/evidence/index.ts';
import { type NameBook, namesInText } from './names-in-text.ts';
import { isOverview, narrowConditions, type Question } from './question.ts';

/**
 * How well a source fits. `partly`: it covers the supplement and the outcome, but not the remaining words of the question (a
 * group of people, a form).
 */
export type Fit = 'fully' | 'partly' | 'no';

/** Minimum share of the remaining words that a source must contain when no topic of the vocabulary names the outcome. */
const LEAST_COVERAGE = 0.45;
/** Minimum share when a topic is known too: the remaining words then name a group of people or a form. */
const LEAST_DETAIL = 0.34;
/** Minimum share when neither a supplement nor a topic is known and only the words can match. */
const LEAST_COVERAGE_UNNAMED = 0.55;
const HARM_TEXT =
  /\b(?:safety|adverse|side effects?|unwanted effects?|harm\w*|toxic\w*|tolerat\w+|hepato\w+|injur\w+|bleeding|poison\w*|liver failure|serious events?|withdr[ae]w\w*)\b/i;

/** Topics so wide that a source filed under them may be about something other than the word in the question. */
const WIDE_TOPICS = new Set(
  'pregnancy-outcomes critical-illness immunity nutrient-status cardiovascular-disease cancer skin mortality quality-of-life ageing oral-health eye-health liver-health child-growth fractures respiratory-infection digestion inflammation asthma copd fertility brain-injury stroke'.split(
    ' ',
  ),
);

export const textOf = ({ title, summary, abstract }: SourceRow): string => `${title}. ${summary} ${abstract}`;

export interface FitRules {
  /** Returns the coverage of the remaining words, without names and question words. */
  coverage(row: SourceRow): number;
  /** Returns the coverage of the whole question. */
  coverageOfAll(row: SourceRow): number;
  isAbout(row: SourceRow, subjects: ReadonlySet<string>): boolean;
  fit(row: SourceRow): Fit;
}

interface Kit {
  readonly question: Question;
  readonly book: NameBook;
  readonly rest: PassageScorer;
  readonly whole: PassageScorer;
  readonly index: SearchIndex;
}

/** Matches routes other than by mouth. A result for such a route says nothing about a swallowed supplement. */
const INJECTED =
  /\b(?:intraven\w*|infusions?|infused|epidural|caudal|intrathecal|intramuscular\w*|injections?|injected|parenteral\w*|nebuli[sz]\w*|intraperitoneal\w*|sulfate on post)\b/i;
const SWALLOWED =
  /\b(?:oral(?:ly)?|by mouth|tablets?|capsules?|swallow\w*|drink|drank|sachets?|syrup|powder|juice|diet\w*)\b/i;
const NAMES_ROUTE = /\b(?:iv|i\.v\.|intraven\w*|infus\w*|drip|inject\w*|shots?|epidural|parenteral|nebuli\w*)\b/i;

const isInjected = ({ title, summary, abstract }: SourceRow): boolean => {
  const told = `${title}. ${summary || abstract.slice(0, 1_500)}`;
  return INJECTED.test(told) && !SWALLOWED.test(told);
};

/** Groups of people that a question may be about: words that ask for a group and words that mention it in a source. */
const GROUPS: readonly (readonly [asked: RegExp, spoken: RegExp])[] = [
  [
    /\b(?:pregnan\w*|morning sickness|expecting|trimester)\b/i,
    /\b(?:pregnan\w*|gestation\w*|maternal|trimester|antenatal)\b/i,
  ],
  [/\b(?:breast-?feed\w*|nursing|lactat\w*)\b/i, /\b(?:breast-?fe\w*|lactat\w*|nursing)\b/i],
  [
    /\b(?:child(?:ren)?|kids?|toddlers?|bab(?:y|ies)|infants?|newborns?|teen\w*|adolescents?)\b/i,
    /\b(?:child\w*|kids?|infants?|newborns?|neonat\w*|p(?:a)?ediatric|adolescen\w*|toddlers?|bab(?:y|ies)|boys|girls|school\w*)\b/i,
  ],
  [
    /\b(?:elderly|older (?:people|adults|men|women)|old people|seniors?|over (?:6|7|8)\d|grandm\w+|grandf\w+)\b/i,
    /\b(?:elderly|older|aged (?:6|7|8)\d|seniors?|geriatric|post-?menopaus\w*|around (?:6|7|8)\d|over (?:6|7|8)\d)\b/i,
  ],
];

/** Returns the groups that a question asks about, in its own words. */
export const groupsAsked = (text: string): string[] => GROUPS.flatMap(([asked]) => asked.exec(text)?.[0] ?? []);

/** Returns whether a source mentions the people that the question is about. */
const speaksOfGroup = ({ question }: Kit, row: SourceRow): boolean =>
  GROUPS.every(([asked, spoken]) => !asked.test(question.text) || spoken.test(`${textOf(row)} ${row.population}`));

const namesAny = ({ book }: Kit, row: SourceRow, slugs: ReadonlySet<string>): boolean =>
  namesInText(book, textOf(row).slice(0, 4_000)).some(({ slug }) => slugs.has(slug));

/** Returns the words by which the question named its topics, where they are narrower than the topic. */
const narrowWords = ({ mentions, topics }: Question): string =>
  mentions
    .filter(({ kind, match, slug }) => kind === 'topic' && match !== 'exact' && WIDE_TOPICS.has(slug))
    .filter(({ slug }) => topics.some((topic) => topic.slug === slug))
    .map(({ input }) => input)
    .join(' ');

const speaksOfTopic = (kit: Kit, row: SourceRow): boolean => {
  const { question, index } = kit;
  const narrow = narrowWords(question);
  if (narrow && index.scorer(narrow).score(textOf(row)).coverage < LEAST_COVERAGE) return false;
  const filed = question.topics.filter(({ slug }) => row.topics.includes(slug));
  if (filed.some(({ slug }) => !WIDE_TOPICS.has(slug)) || (filed.length > 0 && !question.conditions.length))
    return true;
  const named = new Set(
    [...question.conditions, ...(question.conditions.length ? [] : question.topics)].map(({ slug }) => slug),
  );
  return namesAny(kit, row, named);
};

/**
 * Returns whether a source is about another condition. A condition with a topic of its own is not covered by sources of a
 * wider topic: pain after surgery is not migraine.
 */
const isOfOtherCondition = (kit: Kit, row: SourceRow): boolean => {
  const own = kit.question.conditions.filter(({ slug }) => kit.question.topics.some((topic) => topic.slug === slug));
  return (
    own.length > 0 &&
    !own.some(({ slug }) => row.topics.includes(slug)) &&
    !namesAny(kit, row, new Set(own.map(({ slug }) => slug)))
  );
};

/**
 * Returns whether a source names the condition. A condition that shares its topic with others (jet lag and sleep) must be
 * named; one that is a topic itself need not be.
 */
const speaksOfCondition = (kit: Kit, row: SourceRow): boolean => {
  const narrow = narrowConditions(kit.question);
  return !narrow.length || namesAny(kit, row, new Set(narrow.map(({ slug }) => slug)));
};

const speaksOfMedicine = (kit: Kit, row: SourceRow): boolean =>
  namesAny(kit, row, new Set(kit.question.medicines.map(({ slug }) => slug)));

const fitOfNamed = (kit: Kit, row: SourceRow, coverage: number): Fit => {
  const { question, rest } = kit;
  if (isInjected(row) && !NAMES_ROUTE.test(question.text)) return 'no';
  if (question.medicines.length && !question.topics.length) return speaksOfMedicine(kit, row) ? 'fully' : 'no';
  if (question.asks.has('harm') && !question.topics.length && !rest.terms.length)
    return row.topics.includes('safety') || HARM_TEXT.test(textOf(row)) ? 'fully' : 'no';
  // Reference intakes answer a question about how much to take; a trial of anything else does not.
  if ((question.asks.has('dose') || question.asks.has('practical')) && isOverview(question)) return 'no';
  if (!question.topics.length) {
    if (coverage < LEAST_COVERAGE || !speaksOfCondition(kit, row)) return 'no';
    return speaksOfGroup(kit, row) ? 'fully' : 'partly';
  }
  if (!speaksOfTopic(kit, row) || isOfOtherCondition(kit, row)) return 'no';
  const detailed = !rest.terms.length || coverage >= LEAST_DETAIL;
  return detailed && speaksOfCondition(kit, row) && speaksOfGroup(kit, row) ? 'fully' : 'partly';
};

const fitOfUnnamed = (kit: Kit, row: SourceRow, coverage: number): Fit => {
  const { question, whole, rest } = kit;
  const all = whole.score(textOf(row)).coverage;
  if (question.topics.length && row.topics.some((slug) => question.topics.some((topic) => topic.slug === slug)))
    return all >= LEAST_COVERAGE && (!rest.terms.length || coverage >= LEAST_DETAIL) ? 'fully' : 'no';
  // "Best supplement for sleep" has no remaining words: a source filed under another topic does not answer it.
  if (question.topics.length && !rest.terms.length) return 'no';
  return whole.terms.length > 1 && all >= LEAST_COVERAGE_UNNAMED && coverage >= LEAST_COVERAGE ? 'fully' : 'no';
};

export const fitRules = (question: Question, book: NameBook, index: SearchIndex): FitRules => {
  const kit: Kit = {
    question,
    book,
    index,
    rest: index.scorer(question.rest),
    whole: index.scorer(question.searchText),
  };
  const { rest, whole } = kit;
  const named = question.supplements.length + question.substances.length > 0;
  const coverage = (row: SourceRow): number =>
    rest.terms.length ? rest.score(textOf(row)).coverage : whole.terms.length ? 1 : 0;
  return {
    coverage,
    coverageOfAll: (row) => whole.score(textOf(row)).coverage,
    isAbout: (row, subjects) =>
      row.supplements.some((slug) => subjects.has(slug)) ||
      // A summary also names the comparator; the title names the subject of the source.
      namesInText(book, row.title).some(({ kind, slug }) => kind === 'supplement' && subjects.has(slug)) ||
      namesInText(book, `${row.title}. ${row.summary}`).some(
        ({ kind, slug }) => kind === 'substance' && subjects.has(slug),
      ),
    fit: (row) => (named ? fitOfNamed : fitOfUnnamed)(kit, row, coverage(row)),
  };
};
