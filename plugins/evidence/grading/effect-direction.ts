import type { EffectDirection, SourceRecord } from '../source-record.ts';
import type { RecordText } from './record-text.ts';
import type { StudyDesign } from './study-design.ts';

const HEDGE =
  '(?:significantly |statistically |further |clinically |consistently |substantially |markedly |appreciably |meaningfully |clearly |directly |independently )?';

const NULL_CUES = new RegExp(
  [
    `\\b(?:did|does|do|could|was|were|is|are|may|might|has|have|had|would)(?: not|n't) ${HEDGE}(?:appear to |seem to |found to |shown to |likely to |result in |lead to |have (?:any |an? |significant )*|provide (?:any |an? )?|cause |be )?${HEDGE}(?:improv|affect|reduc|alter|chang|increas|decreas|differ|prevent|enhanc|influenc|benefi|lower|effect|associat|superior|better|protect|attenuat|modif|impact|help|augment|induc|support|promot|ameliorat|alleviat|impair|stimulat|accelerat|correlat|relat)\\w*`,
    '\\b(?:no|little|neither|without(?: any)?|lack of(?: an?)?) (?:\\w+ ){0,3}?(?:differences?|effects?|benefits?|improvements?|changes?|associations?|relationship|evidence|influence|impact|advantage|correlation|reduction|increase|ergogenic|support)\\b',
    '\\b(?:failed|fails) to\\b|\\bfailure to (?:show|find|detect)\\b',
    '\\bineffective\\b|\\bnot (?:\\w+ )?(?:effective|superior|beneficial|better|supported|useful|warranted|recommended|justified|necessary|helpful|efficacious)\\b',
    '\\b(?:was|were|is|are|remained) (?:\\w+ )?(?:unaffected|unchanged|unaltered|similar|comparable)\\b',
    '\\bno (?:more|better) (?:effective )?than\\b|\\bnor (?:did|was|were|is)\\b|\\bnot differ(?:ent)?\\b',
    '\\b(?:does|do|did) not (?:support|justify|confirm|suggest|demonstrate|show|indicate|provide)\\b',
  ].join('|'),
  'g',
);
const NEGATIVE_CUES =
  /\b(?:increas(?:ed?|es|ing)|higher|elevated|greater|excess) (?:the )?(?:\w+ ){0,2}(?:risk|mortality|death|incidence of (?:cancer|death|adverse|diabetes|fracture)|odds of)\b|\b(?:harmful|detrimental|deleterious|worsen(?:ed|s|ing)?|worse (?:than|outcome|survival)|inferior to|impair(?:ed|s)|toxic(?:ity)? (?:in|at|of|was)|adverse effect on|blunt(?:ed|s)|hampers?|hepatotoxic|nephrotoxic|(?:should be|be) (?:avoided|discouraged)|more (?:falls|fractures|deaths|infections))\b/g;
const POSITIVE_CUES =
  /\b(?:improv(?:e|es|ed|ing|ement|ements)|effective(?:ly|ness)?|efficacious|efficacy of|beneficial(?:ly)?|benefits?|benefited|superior|attenuat(?:e|es|ed|ing|ion)|alleviat(?:e|es|ed|ing)|ameliorat(?:e|es|ed|ing)|enhanc(?:e|es|ed|ing|ement)|prevent(?:s|ed|ing)?|protect(?:s|ed|ive|ion)?|reduc(?:e|es|ed|ing|tion|tions)|lower(?:s|ed|ing)?|decreas(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|promot(?:e|es|ed|ing)|accelerat(?:e|es|ed|ing)|facilitat(?:e|es|ed)|greater|faster|relie(?:f|ves?|ved)|favou?rabl[ey]|augment(?:s|ed|ing)?|positive effects?|delay(?:s|ed)|useful|promising|inverse(?:ly)?|stimulat(?:e|es|ed)|restor(?:e|es|ed))\b/g;
const MIXED_CUES =
  /\b(?:mixed (?:results|findings|evidence)|inconsistent|conflicting|contradictory|equivocal|inconclusive|heterogeneous results|varied across)\b/;
const UNSURE_CUES =
  /\b(?:insufficient|not enough|inadequate|limited|lack of|no (?:\w+ )?quality|low[- ]quality|very low[- ]certainty|paucity of|no firm|cannot be (?:drawn|determined|made)|no conclusions?|unclear|uncertain|remains to be|not possible to|no reliable) ?(?:\w+ )?(?:evidence|data|conclusions?|whether|studies|determined|information)?\b/;
// Talk about further work, method or safety is not a finding on effect.
const NOT_A_FINDING =
  /\b(?:further|additional|larger|more|future|long(?:er)?-term|well-designed|rigorous|high-quality) (?:[\w-]+,? ){0,6}(?:research|stud(?:y|ies)|trials?|investigations?|work|evidence)\b[^.]*|\b(?:needs? to be|should be|remain(?:s)? to be|warrants?|to (?:confirm|determine|clarify|establish|evaluate|elucidate|assess|investigate)) [^.;]{0,120}|\b(?:trial )?regist(?:ration|ered)[^.]*\.?|\bincreasing(?:ly)? (?:evidence|interest|popular|use)\b|\bat increased risk\b|\bhigh(?:er)?[- ]risk (?:of|for|patients|women|infants|adults)\b|\bwell tolerated\b|\b(?:no|without) (?:\w+ ){0,3}(?:adverse|side|serious|safety)[ -](?:events?|effects?|concerns?|reactions?)\b|\bbut no\b(?= adverse)|\b(?:reduced|lower|decreased|increased) (?:dose|energy diet|calorie|fat diet|glutathione)\b|\bprevention of\b|\brisk of bias\b/g;
const RISK_LOWERED = /\b(?:reduc|decreas|lower|prevent|protect|attenuat|no |not )[^.;]{0,40}$/;

const NO_DIRECTION = new Set([
  'expert_opinion',
  'guideline',
  'protocol',
  'notice',
  'registered_trial',
  'case_report',
  'cross_sectional_survey',
]);

const countCues = (text: string, pattern: RegExp): number => {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
};

const countHarms = (text: string): number => {
  let found = 0;
  for (const match of text.matchAll(NEGATIVE_CUES))
    if (!RISK_LOWERED.test(text.slice(Math.max(0, match.index - 50), match.index))) found += 1;
  return found;
};

// A level in blood or muscle rising is the dose arriving, not an effect.
const LEVEL_RAISED =
  /\b(?:increas|rais|elevat|improv|augment|enhanc)\w* (?:\w+[- ]){0,2}(?:blood|plasma|serum|muscle|intramuscular|circulating|whole[- ]blood|urinary|tissue|salivary)\b [^.,;]{0,40}/g;
const PRIMARY_NULL =
  /\bno (?:\w+ ){0,3}(?:differences?|effects?|changes?) (?:\w+ ){0,6}primary\b|\bprimary (?:outcomes?|end-?points?|analys[ie]s|aim)\b[^.;]{0,60}\b(?:not|no)\b|\bdid not (?:\w+ ){0,3}primary\b/;

interface Counted {
  readonly nulls: number;
  readonly harms: number;
  readonly gains: number;
}

const countFindings = (text: string): Counted => {
  const findings = text.replace(NOT_A_FINDING, ' ');
  const rest = findings.replace(NULL_CUES, ' ').replace(LEVEL_RAISED, ' ');
  return {
    nulls: countCues(findings, NULL_CUES),
    harms: countHarms(rest),
    gains: countCues(rest.replace(NEGATIVE_CUES, ' '), POSITIVE_CUES),
  };
};

/** The results without background and conclusion; null findings there temper a conclusion that names only gains. */
const nullsInResults = ({ sentences, conclusion }: RecordText): number => {
  const results = sentences
    .slice(Math.floor(sentences.length * 0.4))
    .filter((sentence) => !conclusion.includes(sentence));
  return countCues(results.join(' ').replace(NOT_A_FINDING, ' '), NULL_CUES);
};

const weigh = (text: RecordText): EffectDirection => {
  const findings = text.conclusion.replace(NOT_A_FINDING, ' ');
  if (MIXED_CUES.test(findings)) return 'mixed';
  if (UNSURE_CUES.test(findings)) return 'unclear';
  const { nulls, harms, gains } = countFindings(text.conclusion);
  const titleNulls = countCues(text.title, NULL_CUES);
  if (harms > 0) return gains === 0 && nulls === 0 ? 'negative' : 'mixed';
  if (nulls > 0)
    return gains === 0 || PRIMARY_NULL.test(text.conclusion) || (titleNulls > 0 && gains <= nulls) ? 'null' : 'mixed';
  if (titleNulls > 0) return gains > 0 ? 'mixed' : 'null';
  if (gains === 0) return 'unclear';
  return nullsInResults(text) >= NULLS_THAT_TEMPER ? 'mixed' : 'positive';
};

const NULLS_THAT_TEMPER = 1;

/**
 * Which way the conclusion points for what was tested. Only a marked conclusion, or plain words of effect in the last
 * two sentences, count; designs without a finding of their own (opinion, protocol, register, case report) are unclear.
 */
export const readDirection = (record: SourceRecord, text: RecordText, design: StudyDesign): EffectDirection => {
  if (record.stated !== null) return record.stated.direction;
  if (NO_DIRECTION.has(design.kind) || text.conclusion === '' || record.retractionStatus === 'retracted')
    return 'unclear';
  return weigh(text);
};
