import type { EffectDirection, SourceRecord } from '../source-record.ts';
import {
  countCues,
  DOUBT_CUES,
  HEDGED,
  LEVEL_RAISED,
  MIXED_CUES,
  NEGATIVE_CUES,
  NOT_A_FINDING,
  NULL_CUES,
  POSITIVE_CUES,
  RISK_LOWERED,
  UNSURE_CUES,
} from './effect-cues.ts';
import { primaryVerdict } from './primary-outcome.ts';
import type { RecordText } from './record-text.ts';
import { firstKind, readFindings, resultSentences } from './result-findings.ts';
import type { StudyDesign } from './study-design.ts';
import type { StudyKind } from './study-kind.ts';

const NO_DIRECTION = new Set([
  'expert_opinion',
  'guideline',
  'protocol',
  'notice',
  'registered_trial',
  'case_report',
  'cross_sectional_survey',
]);
const POOLED: ReadonlySet<StudyKind> = new Set(['meta_analysis', 'systematic_review']);
// Observational studies give no treatment, so a difference is not an effect unless the authors call it one.
const OBSERVED: ReadonlySet<StudyKind> = new Set(['cohort', 'case_control', 'cross_sectional']);

const countHarms = (text: string): number => {
  let found = 0;
  for (const match of text.matchAll(NEGATIVE_CUES))
    if (!RISK_LOWERED.test(text.slice(Math.max(0, match.index - 50), match.index))) found += 1;
  return found;
};

const PRIMARY_NULL =
  /\bno (?:\w+ ){0,3}(?:differences?|effects?|changes?) (?:\w+ ){0,6}primary\b|\bprimary (?:outcomes?|end-?points?|analys[ie]s|aim)\b[^.;]{0,60}\b(?:not|no)\b|\bdid not (?:\w+ ){0,3}primary\b/;

const PARTS =
  /(?<=[.;:]) |,? \b(?=(?:but|however|whereas|while|although|though|nevertheless|yet|instead)\b)|,? and (?=(?:significantly |also |may |might |can )?(?:improv|increas|reduc|decreas|enhanc|lower|prevent|attenuat|promot)\w*(?:ed|es|s)\b)/;

/** Returns the parts of a text without a negation: "does not help to improve sleep" claims no gain. */
const withoutNulls = (text: string): string =>
  text
    .split(PARTS)
    .filter((part) => countCues(part, NULL_CUES) === 0)
    .join(' ');

/** Reads the direction that the authors conclude, from their words of effect alone. */
const claimOf = ({ conclusion, title }: RecordText): EffectDirection => {
  const findings = conclusion.replace(NOT_A_FINDING, ' ');
  if (MIXED_CUES.test(findings)) return 'mixed';
  if (UNSURE_CUES.test(findings)) return 'unclear';
  const rest = withoutNulls(findings).replace(LEVEL_RAISED, ' ');
  const nulls = countCues(findings, NULL_CUES);
  const harms = countHarms(rest);
  const gains = countCues(rest.replace(NEGATIVE_CUES, ' '), POSITIVE_CUES);
  const titleNulls = countCues(title, NULL_CUES);
  if (harms > 0) return gains === 0 && nulls === 0 ? 'negative' : 'mixed';
  if (nulls > 0)
    return gains === 0 || PRIMARY_NULL.test(conclusion) || (titleNulls > 0 && gains <= nulls) ? 'null' : 'mixed';
  if (titleNulls > 0) return gains > 0 ? 'mixed' : 'null';
  return gains === 0 ? 'unclear' : 'positive';
};

/**
 * Verifies a claimed benefit against the results. Returns "positive" only when the results support the claim: a change within one
 * group, or a hedged conclusion alone, is not enough.
 */
const checkGain = (text: RecordText): EffectDirection => {
  const results = resultSentences(text);
  const { gains, nulls, within } = readFindings(results);
  const concluded = readFindings(text.conclusion.split(/(?<=[a-z)\]]\.) /));
  if (DOUBT_CUES.test([...results, text.conclusion].join(' '))) return nulls > 0 ? 'mixed' : 'unclear';
  const hedged = HEDGED.test(text.conclusion);
  if (nulls === 0) {
    if (gains + concluded.gains > 0) return 'positive';
    return within > 0 || hedged || results.length >= ENOUGH_TO_SHOW ? 'unclear' : 'positive';
  }
  if (gains === 0) return within > 0 ? 'null' : 'mixed';
  return gains > nulls * GAINS_PER_NULL && !hedged && firstKind(results) !== 'nulls' ? 'positive' : 'mixed';
};

/** From this number of result sentences on, a benefit would appear in at least one of them if there were one. */
const ENOUGH_TO_SHOW = 3;

/** Ratio of improved outcomes to outcomes without an effect that must be exceeded before an overall benefit is accepted. */
const GAINS_PER_NULL = 2;

/**
 * Returns whether improved outcomes outnumber those without an effect, which supports an improved primary outcome; a trial may
 * have two primary outcomes.
 */
const mostAgree = (text: RecordText): boolean => {
  const { gains, nulls } = readFindings(resultSentences(text));
  return nulls === 0 || gains > nulls;
};

/** Reads the direction from the results alone, for a conclusion that names no effect. It never returns "positive". */
const fromResults = (text: RecordText): EffectDirection => {
  const results = resultSentences(text);
  const { gains, nulls } = readFindings(results);
  if (nulls === 0) return 'unclear';
  return gains === 0 || (gains <= nulls && firstKind(results) === 'nulls') ? 'null' : 'mixed';
};

/** Returns whether the conclusion mentions harm without denying it; the direction is then "negative" or "mixed". */
const namesHarm = ({ conclusion }: RecordText): boolean =>
  countHarms(withoutNulls(conclusion.replace(NOT_A_FINDING, ' '))) > 0;

const weigh = (text: RecordText, kind: StudyKind): EffectDirection => {
  const claim = claimOf(text);
  if (namesHarm(text)) return claim === 'negative' ? 'negative' : 'mixed';
  const primary = POOLED.has(kind) ? null : primaryVerdict(text);
  if (primary === 'null' && claim !== 'negative') return 'null';
  const proven = primary === 'gain' && !UNSURE_CUES.test(text.conclusion);
  if (proven && (claim === 'positive' || claim === 'unclear')) return mostAgree(text) ? 'positive' : 'mixed';
  if (claim === 'positive') return checkGain(text);
  return claim === 'unclear' && !OBSERVED.has(kind) ? fromResults(text) : claim;
};

/**
 * Reads the direction of the effect of the tested substance: the result of the primary outcome where the text states it, else the
 * authors' conclusion, verified against their own results. Designs without a finding of their own (opinion, protocol, register,
 * case report) are unclear.
 */
export const readDirection = (record: SourceRecord, text: RecordText, design: StudyDesign): EffectDirection => {
  if (record.stated !== null) return record.stated.direction;
  if (NO_DIRECTION.has(design.kind) || text.conclusion === '' || record.retractionStatus === 'retracted')
    return 'unclear';
  return weigh(text, design.kind);
};
