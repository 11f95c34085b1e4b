/**
 * Computes the combined direction of the sources in people and the confidence that an answer may claim. All functions are
 * pure.
 */
import { TIER_WEIGHTS, TIERS } from '#plugins/evidence/index.ts';
import { type Direction, type EvidenceItem, isInPeople, isRegistered, isTier } from './evidence-item.ts';
import { ABOUT_HARM, countCues, HARM_CUES } from './finding-cues.ts';

const DIRECTIONS = ['positive', 'null', 'negative', 'mixed'] as const;
type Counted = (typeof DIRECTIONS)[number];

export interface EvidenceBalance extends Readonly<Record<Counted, number>> {
  /** Sources in people that fit the question but have no direction that an editor or the program is sure of. */
  readonly unclear: number;
  /** Number of counted sources whose direction was read by a program, which is wrong more often than an editor. */
  readonly by_program: number;
  /** The same counts with each source weighted 8, 4, 2 or 1 by its tier. */
  readonly weighted: Readonly<Record<Counted, number>>;
}

const countsOf = (items: readonly EvidenceItem[], weigh: (item: EvidenceItem) => number): Record<Counted, number> => {
  const counts = { positive: 0, null: 0, negative: 0, mixed: 0 };
  for (const item of items) if (item.direction !== 'unclear') counts[item.direction] += weigh(item);
  return counts;
};

export const EMPTY_BALANCE: EvidenceBalance = {
  positive: 0,
  null: 0,
  negative: 0,
  mixed: 0,
  unclear: 0,
  by_program: 0,
  weighted: { positive: 0, null: 0, negative: 0, mixed: 0 },
};

/** Returns the sources that count: studies in people that have results of their own. */
export const inBalance = (items: readonly EvidenceItem[]): readonly EvidenceItem[] =>
  items.filter((item) => isInPeople(item) && !isRegistered(item));

export const balanceOf = (items: readonly EvidenceItem[]): EvidenceBalance => {
  const counted = inBalance(items);
  const clear = counted.filter(({ direction }) => direction !== 'unclear');
  return {
    ...countsOf(clear, () => 1),
    unclear: counted.length - clear.length,
    by_program: clear.filter(({ basis }) => basis === 'program').length,
    weighted: countsOf(clear, ({ row }) => TIER_WEIGHTS[row.qualityTier]),
  };
};

export const CONFIDENCES = ['very_low', 'low', 'moderate', 'high'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** Returns the share of the weight in the largest direction, 0 to 1, or 0 when no source has a direction. */
export const agreementOf = ({ weighted }: EvidenceBalance): number => {
  const weights = DIRECTIONS.map((direction) => weighted[direction]);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return whole ? Math.max(...weights) / whole : 0;
};

const POOLED = new Set(['meta_analysis', 'systematic_review']);

const fromSources = (people: readonly EvidenceItem[], agreement: number, coverage: number): Confidence => {
  const strongest = people.filter((item) => isTier(item, 'A'));
  const strong = people.filter((item) => isTier(item, 'A', 'B'));
  const pooled = strongest.some(({ row }) => POOLED.has(row.evidenceLevel));
  if (people.length >= 4 && (pooled || strongest.length >= 2) && agreement >= 0.8 && coverage >= 0.6) return 'high';
  if (people.length >= 2 && (strongest.length >= 1 || strong.length >= 2) && agreement >= 0.6) return 'moderate';
  return strong.length || people.filter((item) => isTier(item, 'C')).length >= 2 ? 'low' : 'very_low';
};

export interface ConfidenceLimits {
  readonly coverage: number;
  readonly asksHarm: boolean;
  /** True when no source covers everything that was asked. */
  readonly partly: boolean;
  /** True when the sources are on different outcomes or supplements. */
  readonly scattered: boolean;
  /** Highest confidence that the grade of the outcome allows. */
  readonly most: Confidence;
}

/**
 * Returns the confidence of an answer. `high`: at least four sources in people with a direction, among them a review of tier
 * A or two sources of tier A; four fifths of the weight agree and three fifths of the question are covered. `moderate`: at
 * least two sources, one of tier A or two of tier B, and three fifths agree. `low`: one source of tier A or B, or two of tier
 * C. Otherwise `very_low`.
 * The result is never above `moderate` when a program read most directions; never above `low` for questions of harm (these
 * studies were not designed to find it) and across different outcomes; never above `very_low` when no source covers
 * everything that was asked or none mentions harm; and never above the grade of the outcome.
 */
export const confidenceOf = (
  items: readonly EvidenceItem[],
  { coverage, asksHarm, partly, scattered, most: ceiling }: ConfidenceLimits,
): Confidence => {
  const people = inBalance(items).filter(({ direction }) => asksHarm || direction !== 'unclear');
  const balance = balanceOf(people);
  const level = fromSources(people, asksHarm ? 1 : agreementOf(balance), coverage);
  const silent = asksHarm && people.every(({ quote }) => harmSaid(quote.text) === 'neither');
  const most: Confidence =
    partly || silent
      ? 'very_low'
      : asksHarm || scattered
        ? 'low'
        : balance.by_program * 2 > people.length
          ? 'moderate'
          : 'high';
  return CONFIDENCES[Math.min(...[level, most, ceiling].map((one) => CONFIDENCES.indexOf(one)))] ?? 'very_low';
};

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

const FOUND: Readonly<Record<Counted | 'unclear', string>> = {
  positive: 'found a benefit',
  null: 'found no difference',
  negative: 'found a worse result',
  mixed: 'found mixed results',
  unclear: 'pointed nowhere clear',
};
const SAID: Readonly<Record<Counted | 'unclear', string>> = {
  positive: 'pointed to yes',
  null: 'pointed to no',
  negative: 'pointed to no, with harm',
  mixed: 'found mixed results',
  unclear: 'pointed nowhere clear',
};

const fittingSources = (count: number): string =>
  count === 1 ? 'the 1 source in people that fits this question' : `${count} sources in people that fit this question`;

/**
 * Returns a sentence that summarizes what the quoted sentences say about harm: reported, looked for and not seen, or not
 * mentioned. No combination of these amounts to "safe".
 */
const harmSentence = (counted: readonly EvidenceItem[]): string => {
  const said = counted.map(({ quote }) => harmSaid(quote.text));
  const parts = (['reported', 'not_seen', 'neither'] as const)
    .map((kind) => [said.filter((one) => one === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${(count === 1 ? ONE_ON_HARM : SOME_ON_HARM)[kind]}`);
  return `Of ${fittingSources(counted.length)}, by the sentence quoted of each: ${joined(parts)}.${said.includes('reported') ? '' : ' Silence on harm is no proof of safety.'}`;
};

const ONE_ON_HARM = {
  reported: 'speaks of something unwanted',
  not_seen: 'says that it saw no unwanted effect or difference',
  neither: 'says neither',
} as const;
const SOME_ON_HARM = {
  reported: 'speak of something unwanted',
  not_seen: 'say that they saw no unwanted effect or difference',
  neither: 'say neither',
} as const;

/** Matches words that say that something occurred, which a mere list of measured organs and symptoms lacks. */
const OCCURRED =
  /\b(?:rose|rise|increas\w+|higher|more|common(?:er)?|worse\w*|stronger|swollen|stopped|dropped out|withdr\w+|left|seen|occurred|arose|reported|complain\w*|died|fell ill|had to)\b/i;
const SAYS_NONE = /\b(?:no|none|not|nobody|without|never|nor|unaffected|unchanged|normal|alike|the same)\b|n['’]t\b/i;

/** Classifies a sentence about harm. When a sentence contains both, the reported harm counts. */
const harmSaid = (text: string): keyof typeof ONE_ON_HARM => {
  const parts = text.split(/[;,]|\b(?:but|although|though|while|whereas)\b/i);
  const harmful = parts.filter(
    (part) => countCues(part, HARM_CUES) > 0 || (ABOUT_HARM.test(part) && OCCURRED.test(part)),
  );
  if (harmful.some((part) => !SAYS_NONE.test(part))) return 'reported';
  return harmful.length || SAYS_NONE.test(text) ? 'not_seen' : 'neither';
};

export interface SentenceKind {
  readonly aboutSupplement: boolean;
  readonly asksHarm: boolean;
  /** Reason why the directions are not counted together; an empty string when they are. */
  readonly apart: string;
}

/**
 * Returns the balance as a sentence: "Of 7 sources in people, 4 found a benefit, 2 found no difference and 1 found mixed
 * results."
 */
export const balanceSentence = (
  items: readonly EvidenceItem[],
  { aboutSupplement, asksHarm, apart }: SentenceKind,
): string => {
  const counted = inBalance(items);
  if (!counted.length) return 'None of the sources that fit this question was a study in people.';
  if (asksHarm) return harmSentence(counted);
  if (apart)
    return `${counted.length === 1 ? '1 source in people fits' : `${counted.length} sources in people fit`} this question, but ${apart}, so no results are added up.`;
  const balance = balanceOf(items);
  const words = aboutSupplement ? FOUND : SAID;
  const parts = ([...DIRECTIONS, 'unclear'] as const)
    .filter((direction: Direction) => balance[direction] > 0)
    .map((direction) => `${balance[direction]} ${words[direction]}`);
  const read = balance.by_program ? ` (a program read the direction of ${balance.by_program})` : '';
  // A single source needs no count: "The 1 source in people that fits this question found a benefit."
  if (counted.length === 1)
    return `${fittingSources(1).replace('the', 'The')} ${joined(parts).replace(/^1 /, '')}${read}.`;
  return `Of ${fittingSources(counted.length)}, ${joined(parts)}${read}.`;
};

/** Returns the best tier among the items, or an empty string when there is none. */
export const bestTier = (items: readonly EvidenceItem[]): string =>
  TIERS.find((tier) => items.some((item) => isTier(item, tier))) ?? '';
