import { compareFigures } from './compare-figures.ts';
import type { ArrowSource, MarkedToken } from './marked-passage.ts';
import { ROLE } from './roles.ts';

/** Words that state an increase. */
export const UP = new Set(
  'raise raises raising elevate elevates prolonged prolongs prolong lengthened heavier stronger boosted promoted stimulated upregulated accelerated expanded doubled augments enhance enhances \u2191 higher greater larger longer more increased increase increases increasing elevated raised rise rose risen gained gain gains enhanced enhancement augmented faster exceeded improved improve improves improvement improvements better superior highest increments longest greatest most elevation elevations exceed exceeds outperformed effective advantage advantages advantageous benefit benefits beneficial benefited favor favour favoring favouring favored favoured favors favours restored easier exacerbated'.split(
    ' ',
  ),
);
/** Words that state a decrease. */
export const DOWN = new Set(
  'shortened shortens lessened minimized mitigated ameliorated inhibited blunted slowed downregulated weaker alleviates alleviate suppresses prevents fewest lowers \u2193 lower smaller shorter less fewer reduced reduction reductions reduces reduce reducing decreased decrease decreases decreasing decline declined declines fell fall dropped drop lowered lowering diminished attenuated slower prevented suppressed alleviated worse inferior lowest shortest least relief relieved poorer poor worsened worsening worsens impaired impairs impair impairment deteriorated deterioration lesser low earlier sooner quicker lost falls dropping diminish diminishes weakened halved ameliorates ameliorate mitigates attenuates attenuate inhibits inhibit shortens protected protective resolved'.split(
    ' ',
  ),
);
/** Words before the arm that another arm is compared with. */
export const AGAINST = new Set(['than', 'compared', 'versus', 'vs', 'relative', 'comparison', 'against', 'over']);
/** Words that mean better or worse instead of more or less. */
const GOOD =
  /^(?:improv\w*|better|superior\w*|benefi\w*|favou?r\w*|advantage\w*|\w*effective\w*|worse\w*|inferior\w*|poorer|impair\w*|deteriorat\w*)$/;
const CLAUSE_END = new Set(['.', ';', 'but', 'whereas', 'while', 'although', 'however']);
const REACH = 40;

/** Returns +1 when a token names the intervention's arm, -1 for the comparator's, 0 for neither. */
const armOf = ({ roles, isHint }: MarkedToken): number => {
  if (isHint || roles & ROLE.outcome) return 0;
  const arms = roles & (ROLE.intervention | ROLE.comparator);
  if (arms === ROLE.intervention) return 1;
  return arms === ROLE.comparator ? -1 : 0;
};

const SHORTENED = new Set('vs fig figs approx e g i al ca cf resp no'.split(' '));

/** Returns whether a token is a full stop that ends a sentence and not an abbreviation. */
const isStop = (tokens: readonly MarkedToken[], index: number): boolean =>
  tokens[index]!.text === '.' && !tokens[index]!.isHint && !SHORTENED.has(tokens[index - 1]?.text ?? '');

const isClauseEnd = (tokens: readonly MarkedToken[], index: number): boolean => {
  const { text, isHint } = tokens[index]!;
  return text === '.' ? isStop(tokens, index) : !isHint && CLAUSE_END.has(text);
};

/** Returns the arm whose change a word describes: +1 the intervention, -1 the comparator, 0 when the text does not state it. */
const findSubject = (tokens: readonly MarkedToken[], at: number): number => {
  for (let index = at + 1; index < Math.min(tokens.length, at + REACH) && !isClauseEnd(tokens, index); index += 1) {
    const arm = armOf(tokens[index]!);
    if (arm !== 0) return arm;
    if (AGAINST.has(tokens[index]!.text)) {
      const other = firstArm(tokens, index + 1, 12);
      if (other !== 0) return -other;
      break;
    }
  }
  for (let index = at - 1; index >= Math.max(0, at - REACH) && !isClauseEnd(tokens, index); index -= 1) {
    const arm = armOf(tokens[index]!);
    if (arm === 0) continue;
    // "Compared with placebo, magnesium reduced …": the nearer arm is the subject; a lone arm after "compared with" is not.
    for (let before = index - 1; before >= Math.max(0, index - 5); before -= 1) {
      if (armOf(tokens[before]!) === -arm) break;
      if (AGAINST.has(tokens[before]!.text)) return -arm;
    }
    return arm;
  }
  return 0;
};

const firstArm = (tokens: readonly MarkedToken[], from: number, reach: number): number => {
  for (let index = from; index < Math.min(tokens.length, from + reach) && !isClauseEnd(tokens, index); index += 1) {
    const arm = armOf(tokens[index]!);
    if (arm !== 0) return arm;
  }
  return 0;
};

/** Returns the arm named first before a pair of numbers, or the first one after the pair when none precedes it. */
const firstOfPair = (tokens: readonly MarkedToken[], at: number, baseline: number): number => {
  // Figures from before and after a treatment are in chronological order.
  if (baseline !== 0) return baseline;
  let from = at;
  while (from > 0 && at - from < REACH && !isStop(tokens, from - 1) && tokens[from - 1]!.text !== ';') from -= 1;
  for (let index = from; index < at; index += 1) {
    const arm = armOf(tokens[index]!);
    if (arm === 0) continue;
    return arm;
  }
  return firstArm(tokens, at, 15);
};

/** Adds "up" or "down" after each word of change: the direction of the intervention's arm relative to the comparator's. */
export const addOrientation = (
  tokens: readonly MarkedToken[],
  control: -1 | 0 | 1,
  baseline: boolean,
): MarkedToken[] => {
  const result: MarkedToken[] = [];
  let from = 0;
  tokens.forEach((token, index) => {
    result.push(token);
    const hinted = token.isHint && tokens[index - 1]?.isHint === true;
    const pair = hinted && tokens[index - 1]!.text === 'first';
    const changed = hinted && tokens[index - 1]!.text === 'changed';
    const ratio = hinted && tokens[index - 1]!.text === 'significant';
    if (isStop(tokens, index) || index === tokens.length - 1) {
      const verdict = compareSentence(tokens.slice(from, index + 1));
      if (verdict !== 0) result.push(arrow(verdict, 'figures'));
      from = index + 1;
    }
    if (token.isHint && !pair && !ratio && !changed) return;
    const stated = UP.has(token.text) ? 1 : DOWN.has(token.text) ? -1 : 0;
    const change = stated !== 0 && isWeakened(tokens, index) ? -stated : stated;
    if (change === 0 || strengthens(tokens, index)) return;
    const isGood = GOOD.test(token.text);
    // "Reduction" in the name of the outcome is not a change of the outcome.
    if (token.roles & ROLE.outcome && CHANGE_NOUN.has(token.text)) return;
    const subject = ratio
      ? -control
      : pair
        ? firstOfPair(tokens, index - 1, baseline ? control : 0) || -control
        : (changed && baseline ? -control : findSubject(tokens, index)) || -control;
    const source = ratio ? 'ratio' : pair ? 'pair' : changed ? 'change' : 'word';
    if (subject !== 0) result.push(arrow(change * subject, source, isGood));
    // The text names no arm that the prompt contains. Prompts mostly name the arm first whose change is described.
    else result.push({ text: change > 0 ? 'rise' : 'fall', roles: 0, isHint: true, source, isGood });
  });
  return result;
};

const DEGREE = new Set(['greater', 'larger', 'more', 'higher', 'faster', 'longest', 'greatest', 'highest', 'most']);
const FALLING = /^(?:decreased|declined|reduced|fell|dropped|lowered)$/;
const LESS = new Set(['less', 'smaller', 'lower', 'lesser', 'slower', 'least', 'smallest', 'fewer']);
const CHANGE_NOUN = new Set(
  'reduction reductions decrease decreases decline declines fall drop loss relief'.split(' '),
);

/** Returns whether a word such as "greater" in "greater reduction" only strengthens a noun that carries the direction. */
const strengthens = (tokens: readonly MarkedToken[], index: number): boolean =>
  (DEGREE.has(tokens[index]!.text) || LESS.has(tokens[index]!.text)) &&
  tokens.slice(index + 1, index + 4).some(({ text, roles }) => CHANGE_NOUN.has(text) && !(roles & ROLE.outcome));

/** Returns whether a change is described as small: "less reduction", "decreased significantly less". */
const isWeakened = (tokens: readonly MarkedToken[], index: number): boolean => {
  const { text } = tokens[index]!;
  if (CHANGE_NOUN.has(text) && tokens.slice(Math.max(0, index - 3), index).some((token) => LESS.has(token.text)))
    return true;
  return FALLING.test(text) && tokens.slice(index + 1, index + 3).some((token) => token.text === 'less');
};

const arrow = (sign: number, source: ArrowSource, isGood = false): MarkedToken => ({
  text: sign > 0 ? 'up' : 'down',
  roles: 0,
  isHint: true,
  source,
  isGood,
});

const compareSentence = (sentence: readonly MarkedToken[]): number => {
  const arms = sentence.map((token, at) => ({ at, arm: armOf(token) })).filter(({ arm }) => arm !== 0);
  return compareFigures(sentence, arms);
};
