import type { Prompt } from './roles.ts';

export type { Prompt } from './roles.ts';

/** Probabilities of the outcome's change in the intervention's group relative to the comparator's; they add up to 1. */
export interface EffectProbabilities {
  readonly increased: number;
  readonly decreased: number;
  readonly none: number;
}

/** A position in the abstract as the caller passed it, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface EffectSize {
  readonly measure: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: string;
}

export interface OutcomeFinding {
  readonly key: string;
  /** The term of the outcome that the passage contains. */
  readonly outcome: string;
  readonly effect: 'increased' | 'decreased' | 'no_difference';
  readonly forThePerson: 'better' | 'worse' | 'no_difference';
  readonly passage: Span;
  /** Calibrated probability that `forThePerson` is right. */
  readonly probability: number;
  readonly size: EffectSize | null;
}

export interface RecordToRead {
  readonly title: string;
  readonly abstract: string;
}

export interface Outcome {
  readonly key: string;
  readonly terms: readonly string[];
}

export interface Question {
  /** Names and synonyms of the intervention, the usual name first. */
  readonly interventions: readonly string[];
  readonly outcomes: readonly Outcome[];
}

/** The direction of a source; `mixed` covers mixed and unclear results. */
export type VerdictDirection = 'positive' | 'negative' | 'null' | 'mixed';

export interface Verdict {
  readonly direction: VerdictDirection;
  readonly probability: number;
}

/** A value with the sentence that states it, counted from 0. */
export interface Stated<Value> {
  readonly value: Value;
  readonly sentence: number;
}

export type Comparator = 'placebo';

export interface StudyArms {
  readonly comparator: Stated<Comparator> | null;
  readonly dose: Stated<string> | null;
  readonly duration: Stated<string> | null;
}

/** The harms that a sentence states; `more` means more harm in the intervention's arm. */
export type HarmsStatement = Stated<'more' | 'no_difference' | 'none_reported'>;

export interface AbstractReader {
  /** Labels an outcome from a passage that is known to report it. */
  readonly label: (prompt: Prompt, passage: string) => EffectProbabilities;
  /** Labels an outcome from a whole abstract; null when the abstract does not mention the outcome or has no results. */
  readonly labelInAbstract: (
    prompt: Prompt,
    abstract: string,
  ) => (EffectProbabilities & { readonly passage: Span }) | null;
  /** Reads every outcome of the question; outcomes on which the reader abstains are left out. */
  readonly read: (record: RecordToRead, question: Question) => readonly OutcomeFinding[];
  /** Returns benefit, harm or no difference for one outcome of a source; null when the reader abstains. */
  readonly verdict: (record: RecordToRead, interventions: readonly string[], outcome: Outcome) => Verdict | null;
  /**
   * Returns the probabilities of the four directions without any threshold, for measurements; null for records without results.
   */
  readonly directions: (
    record: RecordToRead,
    interventions: readonly string[],
    outcome: Outcome,
  ) => Readonly<Record<VerdictDirection, number>> | null;
}
