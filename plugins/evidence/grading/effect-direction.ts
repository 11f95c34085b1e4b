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
// Nothing is given here, so a difference is no effect unless the authors call it one.
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

/** The parts of a text that deny nothing: in "does not help to improve sleep" no gain is claimed. */
const withoutNulls = (text: string): string =>
  text
    .split(PARTS)
    .filter((part) => countCues(part, NULL_CUES) === 0)
    .join(' ');

/** What the authors conclude, by their words of effect alone. */
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

/** Holds a claim of benefit against the numbers: one that only stands within a group, or on nothing but hopes, is none. */
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

/** Sentences of results among which a benefit would show, if there were one. */
const ENOUGH_TO_SHOW = 3;

/** How many outcomes must be better for each that is not, before a benefit on the whole is believed. */
const GAINS_PER_NULL = 2;

/** Whether more outcomes bear a better primary one out than do not; a trial may have two primary outcomes. */
const mostAgree = (text: RecordText): boolean => {
  const { gains, nulls } = readFindings(resultSentences(text));
  return nulls === 0 || gains > nulls;
};

/** Where the conclusion names no effect: what the results alone let one say, and never that there is a benefit. */
const fromResults = (text: RecordText): EffectDirection => {
  const results = resultSentences(text);
  const { gains, nulls } = readFindings(results);
  if (nulls === 0) return 'unclear';
  return gains === 0 || (gains <= nulls && firstKind(results) === 'nulls') ? 'null' : 'mixed';
};

/** Whether the conclusion speaks of harm that it does not deny; then no reading may be milder than mixed. */
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
 * Which way the study points for what was tested: what its primary outcome did where the text says so, else what the
 * authors conclude, held against their own results. Designs without a finding of their own (opinion, protocol, register,
 * case report) are unclear.
 */
export const readDirection = (record: SourceRecord, text: RecordText, design: StudyDesign): EffectDirection => {
  if (record.stated !== null) return record.stated.direction;
  if (NO_DIRECTION.has(design.kind) || text.conclusion === '' || record.retractionStatus === 'retracted')
    return 'unclear';
  return weigh(text, design.kind);
};
