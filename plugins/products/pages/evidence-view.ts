/** Builds the view of the evidence for each supplement in a product, and of its interactions. */
import { type Static, Type } from 'typebox';
import { DirectionView, directionView, inSentence, OptionalTier, tierView } from '#plugins/evidence/index.ts';
import { type CautionSummary, type InteractionCount, SEVERITY_WORDS } from '#plugins/interactions/index.ts';
import type { CardLine } from '../card/evidence-card.ts';
import type { Outcome } from '../card/supplement-facts.ts';
import { listed } from './product-figures.ts';

export const EvidenceLine = Type.Object({
  name: Type.String(),
  href: Type.String(),
  tier: OptionalTier,
  sources: Type.Integer(),
  /** "14 outcomes: 2 in favour, 3 no difference, 9 mixed"; "" when there is none. */
  balance: Type.String(),
  outcomes: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), tier: Type.String(), direction: DirectionView }),
  ),
  more: Type.Integer(),
});

export const InteractionLine = Type.Object({
  name: Type.String(),
  href: Type.String(),
  rules: Type.Integer(),
  drugs: Type.Integer(),
  /** States of health that need caution; "" for none. */
  cautions: Type.String(),
  severity: Type.Union([Type.Null(), Type.Object({ code: Type.String(), word: Type.String() })]),
});

/** Returns the number of outcomes shown per supplement; a product with more supplements has less space for each. */
const shownOutcomes = (lines: number): number => (lines <= 3 ? 8 : lines <= 8 ? 4 : lines <= 12 ? 2 : 0);

const ORDER = ['negative', 'null', 'mixed', 'positive', 'unclear'];
const TIER_ORDER = ['A', 'B', 'C', 'D'];
const rank = ({ grade }: Outcome): number => (grade ? TIER_ORDER.indexOf(grade) : TIER_ORDER.length);

/**
 * Sorts outcomes: harm first, then by tier, then no difference before benefit within a tier, so that a truncated list keeps
 * these.
 */
const inOrder = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.toSorted(
    (a, b) =>
      Number(b.direction === 'negative') - Number(a.direction === 'negative') ||
      rank(a) - rank(b) ||
      ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction),
  );

const DIRECTION_ORDER = ['positive', 'null', 'negative', 'mixed', 'unclear'];
const balanceOf = (outcomes: readonly Outcome[]): string => {
  if (!outcomes.length) return '';
  const parts = DIRECTION_ORDER.flatMap((code) => {
    const n = outcomes.filter(({ direction }) => directionView(direction).code === code).length;
    return n ? [`${n} ${directionView(code).word.toLowerCase()}`] : [];
  });
  return `${outcomes.length} ${outcomes.length === 1 ? 'outcome' : 'outcomes'}: ${listed(parts)}`;
};

/** The parts for a supplement that are the same on every product, cached per version of its facts. */
interface Prepared {
  readonly ordered: Static<typeof EvidenceLine>['outcomes'];
  readonly balance: string;
  readonly tier: Static<typeof OptionalTier>;
}
const prepared = new WeakMap<CardLine['facts'], Prepared>();
const prepare = (facts: CardLine['facts']): Prepared => {
  const known = prepared.get(facts);
  if (known) return known;
  const made = {
    ordered: inOrder(facts.outcomes).map(({ topic, name, grade, direction }) => ({
      name,
      href: `/supplements/${facts.slug}#on-${topic}`,
      tier: grade ?? '',
      direction: directionView(direction),
    })),
    balance: balanceOf(facts.outcomes),
    tier: facts.bestTier && tierView(facts.bestTier),
  };
  prepared.set(facts, made);
  return made;
};

export const evidenceLines = (lines: readonly CardLine[]): Static<typeof EvidenceLine>[] =>
  lines.map(({ slug, facts }) => {
    const { ordered, balance, tier } = prepare(facts);
    const shown = ordered.slice(0, shownOutcomes(lines.length));
    return {
      name: facts.name,
      href: `/supplements/${slug}`,
      tier,
      sources: facts.sources,
      balance,
      outcomes: shown,
      more: ordered.length - shown.length,
    };
  });

const SEVERITY_ORDER = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];

/** Data of the interactions plugin, by supplement. */
export interface KnownInteractions {
  readonly counts: ReadonlyMap<string, InteractionCount>;
  readonly cautions: ReadonlyMap<string, readonly CautionSummary[]>;
}

/** Returns the cautions as a sentence: "Do not take it: pregnancy. Take care: kidney disease, surgery." */
const cautionWords = (cautions: readonly CautionSummary[]): string => {
  const named = (isGravest: boolean): string =>
    [
      ...new Set(
        cautions
          .filter(({ severity }) => (severity === 'contraindicated') === isGravest)
          .map(({ state, fromDose }) => `${inSentence(state)}${fromDose ? ` (${fromDose})` : ''}`),
      ),
    ].join(', ');
  const [never, care] = [named(true), named(false)];
  return [never && `Do not take it: ${never}.`, care && `Take care: ${care}.`].filter(Boolean).join(' ');
};

/** Returns the interactions, the most serious first and supplements without a rule last. */
export const interactionLines = (
  lines: readonly CardLine[],
  { counts, cautions }: KnownInteractions,
): Static<typeof InteractionLine>[] =>
  lines
    .map(({ slug, facts }) => {
      const count = counts.get(slug);
      return {
        name: facts.name,
        href: count?.rules || cautions.has(slug) ? `/interactions/${slug}` : '',
        rules: count?.rules ?? 0,
        drugs: count?.drugs ?? 0,
        cautions: cautionWords(cautions.get(slug) ?? []),
        severity: count?.rules ? { code: count.worst, word: SEVERITY_WORDS[count.worst] } : null,
      };
    })
    .sort((a, b) => orderOf(a.severity) - orderOf(b.severity) || Number(!a.cautions) - Number(!b.cautions));

const orderOf = (severity: { code: string } | null): number =>
  severity ? SEVERITY_ORDER.indexOf(severity.code) : SEVERITY_ORDER.length;

/** Returns the names in a sentence: "vitamin D, calcium and 3 more". */
export const namesInSentence = (lines: readonly CardLine[]): string => {
  const names = lines.slice(0, 4).map(({ facts }) => inSentence(facts.name));
  return listed(lines.length > 4 ? [...names, `${lines.length - 4} more`] : names);
};
