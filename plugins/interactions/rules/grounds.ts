/** Scale of the basis of a pair of supplement and medicine, and the highest likelihood that each basis allows. */
import { LIKELIHOOD_WORDS, LIKELIHOODS, type Likelihood } from './severity-labels.ts';

/**
 * Best first. `studied`: a study or case of the pair itself. `label`: the medicine's label names the supplement. `authority`: a
 * page of an authority names both. `mechanism`: the supplement acts in people on the elimination of the medicine, or on the
 * medicine's effect. `practice`: pharmacists warn of it, and no source has been opened. `theory`: one half of the mechanism is
 * unknown.
 */
export const BASES = ['studied', 'label', 'authority', 'mechanism', 'practice', 'theory'] as const;
export type Basis = (typeof BASES)[number];

/** Highest likelihood by basis: only a studied pair and one that a label names may count as well documented. */
export const MOST_LIKELY: Readonly<Record<Basis, Likelihood>> = {
  studied: 'likely',
  label: 'likely',
  authority: 'probable',
  mechanism: 'probable',
  practice: 'probable',
  theory: 'possible',
};

/** Returns the likelihood that the rule states, lowered if its basis for this pair is weaker. */
export const likelihoodOn = (basis: Basis, stated: Likelihood): Likelihood =>
  LIKELIHOODS[Math.max(LIKELIHOODS.indexOf(stated), LIKELIHOODS.indexOf(MOST_LIKELY[basis]))] ?? 'possible';

export const betterBasis = (a: Basis, b: Basis): Basis => (BASES.indexOf(a) <= BASES.indexOf(b) ? a : b);

export const BASIS_WORDS: Readonly<Record<Basis, string>> = {
  studied: 'Studied pair',
  label: 'Named in the label',
  authority: 'Named by an authority',
  mechanism: 'Known mechanism',
  practice: 'Professional knowledge',
  theory: 'Theory',
};

const MEANINGS: Readonly<Record<Basis, string>> = {
  studied: 'A study or a described case is about this supplement with this medicine.',
  label: 'The label of the medicine names the supplement.',
  authority: 'The page of a public authority names both.',
  mechanism:
    'The supplement acts in people on an enzyme, a carrier or an effect, and the medicine is removed by that enzyme or carrier or has that effect; or the label speaks of a group to which the supplement belongs.',
  practice: 'Pharmacists advise it. No source is cited for it yet.',
  theory:
    'One half of the mechanism is not known: nobody has read it of the medicine, or the supplement was seen to act in the laboratory only.',
};

export interface GroundsDescription {
  readonly basis: Basis;
  readonly word: string;
  readonly meaning: string;
  /** The highest likelihood of such a pair, in words. */
  readonly atMost: string;
}

/** Returns the scale for readers, best first. */
export const describeGrounds = (): readonly GroundsDescription[] =>
  BASES.map((basis) => ({
    basis,
    word: BASIS_WORDS[basis],
    meaning: MEANINGS[basis],
    atMost: LIKELIHOOD_WORDS[MOST_LIKELY[basis]],
  }));
