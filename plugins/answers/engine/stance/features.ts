/**
 * Converts a question and a passage of a source into numeric features: cues of negation, direction and doubt, and their
 * positions.
 */
import { countCues, GAIN_CUES, HARM_CUES, HEDGE_CUES, MIXED_CUES, NOT_A_FINDING, NULL_CUES } from '../finding-cues.ts';

/** Sentences of one source, by section. */
export interface Passage {
  readonly conclusion: readonly string[];
  readonly results: readonly string[];
}

const STOP = new Set(
  'a an the of for in on at by with and or to is are was were be been do does did can could should would it its their there this that these those as from than not no'.split(
    ' ',
  ),
);

const stemOf = (word: string): string => word.replace(/(?:ations?|ments?|ing|ed|es|s|ly|ive|al)$/, '').slice(0, 7);
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => !STOP.has(word)).map(stemOf));

const overlap = (question: ReadonlySet<string>, sentence: ReadonlySet<string>): number => {
  let shared = 0;
  for (const word of question) if (sentence.has(word)) shared += 1;
  return question.size ? shared / question.size : 0;
};

const SIGNIFICANT = /\bp ?(?:<|≤|=) ?0?\.0[0-4]\d*|\bsignificantly\b|\bstatistically significant\b/gi;
const NOT_SIGNIFICANT =
  /\b(?:no|not|without|nor)\b[^.;]{0,30}\bsignifican\w*|\bnon-?significan\w*|\bp ?(?:>|=) ?0?\.(?:[1-9]|0[5-9])|\bp ?> ?0?\.05|\bns\b/gi;
const SHOULD =
  /\b(?:should|recommend\w*|can be|warrant\w*|justif\w*|safe|feasible|reliable|valid|accurate|useful|appropriate)\b/gi;
const NOT_SHOULD =
  /\b(?:should not|not (?:be )?(?:recommended|necessary|justified|reliable|accurate|safe|appropriate|required|needed|useful)|unnecessary|cannot|unlikely|poor(?:ly)?|unreliable|limited|low(?:er)? (?:sensitivity|value|yield)|insufficient|inadequate|over-?estimat\w*|rarely)\b/gi;
const STRONG_YES =
  /\b(?:confirm\w*|demonstrat\w*|shows?|showed|indicat\w*|independent(?:ly)? (?:predict\w*|associat\w*|risk)|is associated|are associated|was associated|were associated|strong(?:ly)?|feasible|effective|safe|success\w*|important|valuable|reliable|accurate)\b/gi;
const LEADING_YES =
  /^\W*(?:yes\b|we (?:conclude|found|demonstrate|confirm)|this study (?:shows|demonstrates|confirms|supports))/i;
const CONTRAST =
  /\b(?:however|although|but|despite|while|whereas|nevertheless|only|except|depend\w*|some|partial\w*|certain|selected|modest)\b/gi;
const FURTHER =
  /\b(?:further|more|larger|additional|future) (?:[\w-]+ ){0,3}(?:research|stud(?:y|ies)|trials?|investigations?|work|data)\b/i;

const CUES: readonly (readonly [string, (text: string) => number])[] = [
  ['null', (text) => countCues(text, NULL_CUES)],
  ['harm', (text) => countCues(text, HARM_CUES)],
  ['gain', (text) => countCues(text.replace(NULL_CUES, ' '), GAIN_CUES)],
  ['mixed', (text) => countCues(text, MIXED_CUES)],
  ['hedge', (text) => countCues(text, HEDGE_CUES)],
  ['significant', (text) => countCues(text.replace(NOT_SIGNIFICANT, ' '), SIGNIFICANT)],
  ['not_significant', (text) => countCues(text, NOT_SIGNIFICANT)],
  ['should', (text) => countCues(text.replace(NOT_SHOULD, ' '), SHOULD)],
  ['should_not', (text) => countCues(text, NOT_SHOULD)],
  ['strong', (text) => countCues(text.replace(NULL_CUES, ' '), STRONG_YES)],
  ['leading', (text) => (LEADING_YES.test(text) ? 1 : 0)],
  ['contrast', (text) => countCues(text, CONTRAST)],
  ['not', (text) => countCues(text, /\b(?:no|not|none|neither|nor|without|never|cannot)\b/gi)],
  ['further', (text) => (FURTHER.test(text) ? 1 : 0)],
  ['aim', (text) => (NOT_A_FINDING.test(text) ? 1 : 0)],
];

const QUESTION_CUES: readonly (readonly [string, RegExp])[] = [
  ['q_reversed', /\b(?:useless|ineffective|not|fail|worse|unnecessary|lack|myth|obsolete|overrated)\b/i],
  ['q_necessary', /\b(?:necessary|need|needed|required|should|justified|mandatory|routine)\b/i],
  ['q_better', /\b(?:better|superior|more effective|versus|vs|than|or)\b/i],
  ['q_differ', /\b(?:differ\w*|same|equal|similar|comparable|equivalent)\b/i],
  [
    'q_predict',
    /\b(?:predict\w*|associat\w*|relat\w*|correlat\w*|link\w*|risk factor|marker|affect|influence|impact|role)\b/i,
  ],
  ['q_safe', /\b(?:safe\w*|feasible|harm|risk|danger\w*|adverse)\b/i],
  [
    'q_effect',
    /\b(?:effective\w*|improve\w*|reduc\w*|prevent\w*|help\w*|benefi\w*|useful|increase\w*|decrease\w*|enhance\w*)\b/i,
  ],
  ['q_there', /\b(?:is|are) there\b/i],
  ['q_can', /^\W*can\b|: can\b/i],
];

/**
 * Returns the cues in the sentence nearest to the question and in all sentences, squashed so that length has little
 * influence.
 */
const partFeatures = (
  name: string,
  sentences: readonly string[],
  question: ReadonlySet<string>,
): [string, number][] => {
  if (!sentences.length) return [[`${name}_absent`, 1]];
  const weighed = sentences.map((text, at) => ({
    text,
    near: overlap(question, stemsOf(text)),
    last: at === sentences.length - 1 ? 1 : 0,
  }));
  const nearest = weighed.reduce((best, one) => (one.near > best.near ? one : best));
  return CUES.flatMap(([cue, count]): [string, number][] => {
    const all = weighed.reduce((sum, { text, near }) => sum + count(text) * (0.3 + near), 0);
    return [
      [`${name}_${cue}`, Math.tanh(all / 2)],
      [`${name}_near_${cue}`, Math.min(1, count(nearest.text)) * (0.3 + nearest.near)],
      [`${name}_first_${cue}`, Math.min(1, count(sentences[0] ?? ''))],
    ];
  });
};

/** Returns named features between about -1 and 1; an absent feature is 0. */
export const stanceFeatures = (question: string, passage: Passage): ReadonlyMap<string, number> => {
  const stems = stemsOf(question);
  const found = new Map<string, number>([
    ['bias', 1],
    ...partFeatures('c', passage.conclusion, stems),
    ...partFeatures('r', passage.results, stems),
  ]);
  const negated = Math.max(
    found.get('c_near_null') ?? 0,
    found.get('c_near_not_significant') ?? 0,
    (found.get('r_near_null') ?? 0) * 0.7,
  );
  for (const [cue, pattern] of QUESTION_CUES) {
    if (!pattern.test(question)) continue;
    found.set(cue, 1);
    found.set(`${cue}_negated`, negated);
    found.set(`${cue}_gain`, Math.max(found.get('c_gain') ?? 0, (found.get('r_gain') ?? 0) * 0.7));
  }
  return found;
};
