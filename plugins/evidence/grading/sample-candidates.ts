import { type FoundNumber, findNumbers } from './number-words.ts';
import { readNounPhrase } from './sample-nouns.ts';

/** A candidate for the sample size. The highest score wins; among equal scores, the first in the text wins. */
export interface SampleCandidate {
  readonly n: number;
  readonly score: number;
  readonly at: number;
  /** The counted phrase, as in "healthy young men"; "" for a bare "n = 64". */
  readonly phrase: string;
  /** Index of the first character after the phrase. */
  readonly end: number;
}

const UNIT =
  /^ ?(?:%|percent|per cent|per thousand|\/|×|x |±|\+\/-|°|mg|g\b|kg|[µμ]g|mcg|ug\b|iu\b|ml|l\b|dl\b|mmol|nmol|pmol|[µμ]mol|kcal|kj|cal\b|cfu|mm|cm\b|m\b|km|hz|w\b|h\b|hr|hours?|min|s\b|sec|d\b|days?|weeks?|wk|months?|mo\b|years?|yrs?|y\b|times|fold|points?|ppm|mosm|bpm|repetitions|sets|mets?\b)/;
const RATE_AFTER = /^ ?-? ?(?:years?|months?|days?|weeks?)\b/;
const BAD_BEFORE =
  /(?:[.,/~^$€£×:]|[<>≤≥=±+×]\s?|[a-z]-|\d ?-\s?|\d (?:to|and|or)\s|\b(?:age|aged|ages|version|type|grade|stage|phase|day|week|month|year|visit|table|fig|figure|group|no|level|least|vitamin|omega|coenzyme|than|every|within|p|ci)\s)$/;
// Some sources lose the italic n of "(n = 64)" and contain "( = 64)".
const N_EQUALS = /\bn\s?(?:=|:)\s?$|\(\s?=\s?$/;
const YEAR_BEFORE =
  /\b(?:in|from|since|between|to|and|during|until|through|january|february|march|april|may|june|july|august|september|october|november|december)\s$/;

const BEFORE_CUES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:a total of|in total,?|altogether,?|overall,|a total sample of|total of)\s(?:n ?= ?)?$/, 4],
  [
    /\b(?:randomi[sz]ed|randomly assigned|randomly allocated|allocated|assigned|enrolled|recruited|included|studied|investigated|involving|involved|comprising|comprised|consisted of|consisting of|sample of|cohort of|group of|data from|analy[sz]ed|inclusion of|population of|trial of|study of|study with|trial with)\s(?:\w+ )?$/,
    3,
  ],
  [/\b(?:study|trial|design|rct|manner|fashion|cross-?over)[,:] $/, 3],
  [/(?:^|[.!?:;] {1,2}|\))\s*$/, 2],
  [/\b(?:thus|therefore|finally|here|methods|participants|patients|subjects|population|design|study)[,:]? ?$/, 2],
  [/\b(?:in|among|on|for)\s$/, 1],
  [/\b(?:screened|approached|invited|of the|of these|of whom|from|of)\s$/, -3],
];
const AFTER_CUES: readonly (readonly [RegExp, number])[] = [
  [/^[^.;]{0,60}?\bcompleted\b/, 0.5],
  // "41 women were assigned to magnesium and 39 to placebo" counts an arm, not the whole sample.
  [
    /^[^.;]{0,60}?\b(?:assigned|allocated|randomi[sz]ed) to [^.;]{0,80}?\band (?:\d+|[a-z]+-?[a-z]*) (?:[a-z]+ ){0,4}to\b/,
    -6,
  ],
  [/^[^.;]{0,130}?\b(?:were|was|who were|and)? ?(?:randomi[sz]ed|randomly|randomi[sz]ation)\b/, 4],
  [
    /^[^.;]{0,60}?\b(?:were|was|have been|had been) (?:\w+ )?(?:allocated|assigned|enrolled|recruited|included|studied|divided|analy[sz]ed|given|investigated|evaluated|supplemented|followed|treated|examined|tested|entered|selected|fed|housed)\b/,
    3,
  ],
  [
    /^[^.;]{0,60}?\b(?:participated|took part|volunteered|underwent|received|ingested|consumed|performed|took|entered|supplemented|cycled|ran|exercised)\b/,
    2,
  ],
  [
    /^[^.;]{0,50}?\b(?:withdrew|dropped|died|discontinued|refused|declined|reported|developed|experienced|lost|relapsed|failed|responded|improved|excluded|ineligible|screened|approached|assessed for eligibility|invited|were eligible)\b/,
    -4,
  ],
  [/^ ?\(\d+(?:\.\d+)? ?%\)/, -3],
  [/^ (?:in|to|from) (?:the )?(?:\w+[ -]){0,3}(?:group|arm)\b|^ (?:received|on|in|with) (?:the )?placebo\b/, -4],
  [/^[^.;]{0,20}\b(?:in|per|for) each\b/, -4],
];

const allCues = (text: string): number => {
  let score = 0;
  for (const [pattern, points] of AFTER_CUES) if (pattern.test(text)) score += points;
  return score;
};

const firstCue = (text: string): number => BEFORE_CUES.find(([pattern]) => pattern.test(text))?.[1] ?? 0;

const isYear = (number: FoundNumber, before: string, text: string): boolean =>
  !number.inWords &&
  number.value >= 1900 &&
  number.value <= 2100 &&
  number.end - number.start === 4 &&
  (YEAR_BEFORE.test(before) ||
    /^(?:\)|[-/]|,? (?:and|to|through|until) \d)/.test(text.slice(number.end, number.end + 12)));

/**
 * Scores the words before and after a count: points for words that indicate a whole sample, minus points for words that indicate
 * a part.
 */
export const scoreAround = (text: string, start: number, end: number): number =>
  firstCue(text.slice(Math.max(0, start - 40), start)) + allCues(text.slice(end, end + 150));

const toCandidate = (text: string, number: FoundNumber, nouns: ReadonlySet<string>): SampleCandidate | null => {
  const before = text.slice(Math.max(0, number.start - 40), number.start);
  const after = text.slice(number.end, number.end + 14);
  if (number.value < 1 || number.value > 50_000_000 || UNIT.test(after) || RATE_AFTER.test(after)) return null;
  if (/^[a-z\d]|^[.,]\d|^-(?!\w+ (?:and|or)|old)/.test(after) || isYear(number, before, text)) return null;
  if (/[a-z\d]$/.test(before)) return null;
  if (BAD_BEFORE.test(before) && !N_EQUALS.test(before)) return null;
  const phrase = readNounPhrase(text, number.end, nouns);
  if (phrase === null) return null;
  const behind = text.slice(phrase.end, phrase.end + 90);
  if (/^(?:-| )years/.test(behind)) return null;
  const score = 2 + scoreAround(text, number.start, phrase.end);
  return { n: number.value, score, at: number.start, phrase: phrase.phrase, end: phrase.end };
};

/** Finds every number in lower-case `text` that counts one of `nouns`, scored by the surrounding words. */
export const countedNouns = (text: string, nouns: ReadonlySet<string>): SampleCandidate[] =>
  findNumbers(text)
    .map((number) => toCandidate(text, number, nouns))
    .filter((candidate) => candidate !== null);

/** Finds every "n = 64" in lower-case `text`, in order. */
export const nEquals = (text: string): FoundNumber[] =>
  findNumbers(text).filter(
    ({ start, end, value }) =>
      N_EQUALS.test(text.slice(Math.max(0, start - 6), start)) &&
      value >= 1 &&
      value < 10_000_000 &&
      !/^[.,]\d/.test(text.slice(end, end + 2)),
  );
