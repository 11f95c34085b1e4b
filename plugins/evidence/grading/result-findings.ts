import { CHANGE_CUES, countCues, NOT_A_FINDING, NULL_CUES, POSITIVE_CUES } from './effect-cues.ts';
import type { RecordText } from './record-text.ts';
import { intervalVerdicts, pValues } from './statistics.ts';

/**
 * Number of outcomes in the results by finding: a difference between groups, no difference between groups, a change within a
 * group.
 */
export interface Findings {
  readonly gains: number;
  readonly nulls: number;
  readonly within: number;
}

const NOT_AN_OUTCOME =
  /^(?:[a-z ]{4,12}: )?(?:before|prior to) |\bpre-?(?:treatment|intervention) (?:values|levels|differences)\b|\b(?:at|before) (?:baseline|enrol\w+|the (?:start|beginning)|entry)\b(?![^.]{0,30}\b(?:to|and)\b)|\bbaseline (?:characteristics|demographic|values|data)|\bdemographic|\badverse|\bside[- ]effects?|\bsafety\b|\btolera|\bcomplian|\bdrop-?outs?\b|\bwithdr[ae]w|\bcorrelat|\bregression analysis\b|\bdietary intakes?\b|\bcompleted the (?:study|trial)\b|\bwere randomi[sz]ed\b/;
const BETWEEN =
  /\b(?:compared?|comparison|relative|than|versus|vs\.?|superior|difference|differences|favou?r\w*) (?:\w+ ){0,3}?(?:with|to|in|of|by|between|for|over|that)?\s?(?:the )?(?:\w+[- ]){0,3}?(?:placebo|controls?|sham|comparator|untreated|usual care|standard|alone|groups?|arms?)\b|\bbetween[- ](?:the )?(?:\w+ ){0,3}(?:groups?|arms|treatments|conditions|interventions|supplement\w*|drugs|regimens)\b|\b(?:between|inter)-?group\b|\b(?:group|treatment)[- ](?:by|x|×|\*)[- ]time\b|\btime[- ](?:by|x|×|\*)[- ](?:group|treatment|supplement\w*)\b|\b(?:placebo|control)[- ](?:group|arm|condition|period|subjects|treated)\b|\b(?:vs\.?|versus|than|over) (?:the )?(?:placebo|controls?)\b|\bamong the (?:two|three|four) groups\b|\bboth groups had similar\b|\btreatment (?:difference|effect)\b|\b(?:hazard|odds|risk|rate) ratio\b/;
const WITHIN =
  /\b(?:from|to|with|versus|vs\.?|over|than|at) (?:the )?(?:baseline|pre-?(?:treatment|intervention|test|supplementation|values?))\b|\bwithin[- ](?:the )?(?:\w+[- ]){0,2}(?:groups?|subjects?)\b|\b(?:in|within) (?:both|each|all)(?: the)?(?: \w+)? groups?\b|\bboth groups (?:showed|had|improved)\b|\bpre-? ?(?:to|and|vs\.?|versus) ?-?post\b|\bbefore and after\b|\bintra-?group\b|\bafter (?:the )?(?:treatment|supplementation|intervention|acupressure|inhalation)\b|\bin (?:the )?(?:[\w-]+ ){1,3}groups?,? (?:only|but not)\b|\bonly in the\b/;
const NOT_SIGNIFICANT =
  /\bnot (?:\w+ )?significant|\bnon-?significant|\binsignificant|\bstatistically similar\b|\b(?:no|without) (?:\w+ ){0,2}significant|\bdid not (?:\w+ )?(?:reach|attain|achieve) |\b(?:was|were) not (?:\w+ )?(?:affected|different|altered|changed|influenced|modified)|\bhad similar\b|\bsimilar (?:in|between|among|across)\b|\btend(?:ed|ency)\b|\btrend/;
const CLAUSES =
  /;|,? \b(?:but|however|whereas|while|although|though|nevertheless|nonetheless|yet)\b|, (?:and|with) (?=no\b|neither\b|did not\b)/;

interface Verdict {
  readonly kind: keyof Findings;
  /** Number of outcomes that the clause reports; a clause with several p-values or intervals counts as many outcomes. */
  readonly outcomes: number;
}

const verdictOf = (clause: string, sentence: string): Verdict | null => {
  const tests = [...pValues(clause), ...intervalVerdicts(clause)];
  const ps = pValues(clause);
  const open = clause.replace(NOT_A_FINDING, ' ');
  const decisive = ps.length > 0 ? ps : tests;
  const refuted = decisive.length > 0 && decisive.every((significant) => !significant);
  const between = BETWEEN.test(clause);
  if (refuted || NOT_SIGNIFICANT.test(open) || countCues(open, NULL_CUES) > 0)
    return WITHIN.test(clause) && !between
      ? null
      : { kind: 'nulls', outcomes: Math.max(1, decisive.filter((significant) => !significant).length) };
  const changed = CHANGE_CUES.test(open) || countCues(open, POSITIVE_CUES) > 0;
  const proven = tests.some(Boolean) || /\bsignificant/.test(open);
  if (!changed || !(proven || between)) return null;
  const isWithin = !between && (WITHIN.test(clause) || WITHIN.test(sentence));
  return { kind: isWithin ? 'within' : 'gains', outcomes: Math.max(1, decisive.filter(Boolean).length) };
};

const MOST_OUTCOMES = 4;

/** Reads the findings in result sentences (lower case), and ignores clauses on baseline, safety and compliance. */
export const readFindings = (sentences: readonly string[]): Findings => {
  const found = { gains: 0, nulls: 0, within: 0 };
  for (const sentence of sentences) {
    for (const clause of sentence.split(CLAUSES)) {
      if (clause.length < 15 || NOT_AN_OUTCOME.test(clause)) continue;
      const verdict = verdictOf(clause, sentence);
      if (verdict !== null) found[verdict.kind] += Math.min(MOST_OUTCOMES, verdict.outcomes);
    }
  }
  return found;
};

/** Returns the kind of finding in the first clause that has one, because authors report their main outcome first. */
export const firstKind = (sentences: readonly string[]): keyof Findings | null => {
  for (const sentence of sentences)
    for (const clause of sentence.split(CLAUSES)) {
      const verdict = clause.length < 15 || NOT_AN_OUTCOME.test(clause) ? null : verdictOf(clause, sentence);
      if (verdict !== null) return verdict.kind;
    }
  return null;
};

const RESULTS = /^(?:main )?(?:results?|findings)(?: and conclusions?)?\s?(?:[:.-]|$)/;
const METHODS_SHARE = 0.4;

/**
 * Returns the result sentences of the abstract without the conclusion: those from the results label on, else the later part of
 * the abstract.
 */
export const resultSentences = ({ sentences, conclusion }: RecordText): string[] => {
  const label = sentences.findIndex((sentence) => RESULTS.test(sentence));
  const from = label >= 0 ? label : Math.floor(sentences.length * METHODS_SHARE);
  return sentences.slice(from).filter((sentence) => !conclusion.includes(sentence.replace(CONCLUSION_LABEL, '')));
};

const CONCLUSION_LABEL = /^[a-z' &]{3,40}: /;
