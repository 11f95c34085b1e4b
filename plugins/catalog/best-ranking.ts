/**
 * The order of products on /supplements/{slug}/best: only from labels, by a rule that the page prints. Brands, prices and
 * votes play no part; equal products share a place.
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
  /** As printed, for one serving. */
  readonly dose: string;
  readonly match: DoseMatch;
  /** A serving as a share of the lowest dose in trials; null when it cannot be told. */
  readonly share: number | null;
  /** Why the match is unknown; "" otherwise. */
  readonly reason: string;
  /** Every amount of the label is known. */
  readonly isComplete: boolean;
  /** Interaction rules on all that is in it. */
  readonly interactions: number;
  /** Why it is left out of the order, gravest first. */
  readonly against: readonly string[];
}

export interface Ranked extends Candidate {
  /** From 1; equal products share one. */
  readonly place: number;
}

export interface Ranking {
  readonly ranked: readonly Ranked[];
  /** Their doses compare with nothing, or are a trace: by name. */
  readonly unranked: readonly Candidate[];
  readonly leftOut: readonly Candidate[];
}

/** Flags that keep a product out of the order altogether. */
const EXCLUDING = new Set(['recalled', 'warned_substance', 'above_upper_limit', 'off_market']);

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });

type Line = LoadedCard['lines'][number];

const shareOf = ({ slug, stated, trial }: Line): number | null => {
  if (!stated || !trial) return null;
  const [label, least] = [inBaseUnit(slug, stated.amount, stated.unit), inBaseUnit(slug, trial.min, trial.unit)];
  return label && least && label.unit === least.unit ? label.value / least.value : null;
};

/** Null for a label that prints no amount of the supplement: its name alone ranks nothing. */
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

/** Less of it than this share of the lowest dose in trials is a trace: such a product is not one of the supplement. */
const TRACE = 0.1;
const HALF = 0.5;

const isTrace = ({ match, share }: Candidate): boolean => match === 'below' && (share ?? 0) < TRACE;

/** Within the doses of trials, then at least half of them, then less, then above: more than was ever tried is no merit. */
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
