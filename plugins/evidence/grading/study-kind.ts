/** Defines the vocabulary of grading: kinds of study, safeguards against bias, families of designs. */
import type { EvidenceLevel } from '../source-record.ts';

/**
 * The design as the formula counts it: the evidence levels, with `other` split into kinds, because a trial without randomisation
 * is worth more than a protocol, and both are worth more than a correction notice.
 */
export type StudyKind =
  | Exclude<EvidenceLevel, 'other'>
  | 'registered_trial'
  | 'non_randomised_trial'
  | 'protocol'
  | 'notice'
  | 'unclear_design';

/** Safeguards against bias that a text can state; whether one counts depends on the design. */
export type BiasSignal =
  | 'randomised'
  | 'double_blind'
  | 'single_blind'
  | 'placebo'
  | 'preregistered'
  | 'allocation'
  | 'randomised_trials_only'
  | 'bias_assessed'
  | 'several_databases'
  | 'prospective'
  | 'adjusted'
  | 'systematic_basis';

/** Families of designs that share their safeguards. */
export type BiasFamily = 'trial' | 'review' | 'observational' | 'guideline' | 'none';
