/**
 * Ranks the products on /supplements/{slug}/best from their labels only, by a rule that the page prints. Brands, prices and votes
 * play no part; equal products share a place.
 */
import { byName } from '#plugins/evidence/index.ts';
import { inBaseUnit, type LoadedCard } from '#plugins/products/index.ts';

export type DoseMatch = 'below' | 'within' | 'above' | 'unknown';

export interface Candidate {
  readonly id: number;
  readonly name: string;
  readonly brand: string;
  readonly brandSlug: string;
  readonly form: string;
  readonly market: boolean | null;
  /** Amount as printed, for one serving. */
  readonly dose: string;
  readonly match: DoseMatch;
  /** A serving as a share of the lowest dose in trials; null if it cannot be computed. */
  readonly share: number | null;
  /** Why the match is unknown; "" otherwise. */
  readonly reason: string;
  /** Whether every amount on the label is known. */
  readonly isComplete: boolean;
  /** Number of interaction rules for all ingredients. */
  readonly interactions: number;
  /** Reasons why it is excluded from the ranking, most serious first. */
  readonly against: readonly string[];
}

export interface Ranked extends Candidate {
  /** From 1; equal products share one. */
  readonly place: number;
}

export interface Ranking {
  readonly ranked: readonly Ranked[];
  /** Products whose dose cannot be compared or is only a trace, by name. */
  readonly unranked: readonly Candidate[];
  readonly leftOut: readonly Candidate[];
}

/** Flags that exclude a product from the ranking. */
const EXCLUDING = new Set(['recalled', 'warned_substance', 'above_upper_limit', 'off_market']);

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });

type Line = LoadedCard['lines'][number];

const shareOf = ({ slug, stated, trial }: Line): number | null => {
  if (!stated || !trial) return null;
  const [label, least] = [inBaseUnit(slug, stated.amount, stated.unit), inBaseUnit(slug, trial.min, trial.unit)];
  return label && least && label.unit === least.unit ? label.value / least.value : null;
};

/** Builds a candidate; null for a label without an amount of the supplement, because the name alone ranks nothing. */
export const toCandidate = ({ card, lines }: LoadedCard, slug: string): Candidate | null => {
  const line = lines.find((one) => one.slug === slug);
  if (line?.stated?.source !== 'label') return null;
  const { amount, unit } = line.stated;
  return {
    id: card.dsld_id,
    name: card.name,
    brand: card.brand,
    brandSlug: card.brand_slug,
    form: card.form,
    market: card.on_market,
    dose: `${figures.format(amount)} ${unit}`,
    match: line.dose.match,
    share: shareOf(line),
    reason: line.dose.reason,
    isComplete: !card.safety_flags.some(({ code }) => code === 'amounts_unknown'),
    interactions: card.interactions_count,
    against: card.safety_flags.filter(({ code }) => EXCLUDING.has(code)).map(({ text }) => text),
  };
};

/**
 * Share of the lowest dose in trials below which the amount is a trace: such a product does not count as one of the supplement.
 */
const TRACE = 0.1;
const HALF = 0.5;

const isTrace = ({ match, share }: Candidate): boolean => match === 'below' && (share ?? 0) < TRACE;

/**
 * Returns the rank of a dose: within the doses of trials, then at least half of them, then less, then above, because more than
 * was ever tested is no advantage.
 */
const doseOrder = ({ match, share }: Candidate): number => {
  if (match === 'within') return 0;
  if (match === 'above') return 3;
  return (share ?? 0) >= HALF ? 1 : 2;
};

const keyOf = (candidate: Candidate): readonly number[] => [
  doseOrder(candidate),
  candidate.isComplete ? 0 : 1,
  candidate.interactions,
];

const compareKeys = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};

const byNameAndId = (a: Candidate, b: Candidate): number => byName(a, b) || a.id - b.id;

export const rank = (candidates: readonly Candidate[]): Ranking => {
  const fit = candidates.filter(({ against }) => !against.length);
  const ordered = fit
    .filter((candidate) => candidate.match !== 'unknown' && !isTrace(candidate))
    .sort((a, b) => compareKeys(keyOf(a), keyOf(b)) || byNameAndId(a, b));
  const ranked: Ranked[] = [];
  for (const [at, candidate] of ordered.entries()) {
    const last = ranked.at(-1);
    const equal = last && compareKeys(keyOf(last), keyOf(candidate)) === 0;
    ranked.push({ ...candidate, place: equal ? last.place : at + 1 });
  }
  return {
    ranked,
    unranked: fit.filter((candidate) => candidate.match === 'unknown' || isTrace(candidate)).sort(byNameAndId),
    leftOut: candidates.filter(({ against }) => against.length > 0).sort(byNameAndId),
  };
};
