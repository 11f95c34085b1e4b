/** An interpretation of numbers that is inserted into the text as words, so that the model needs no arithmetic. */
export interface Hint {
  /** Position in the text; the words replace the characters from `start` to `end`. */
  readonly start: number;
  readonly end: number;
  readonly words: readonly string[];
}

const LEVEL = 0.05;
const P_VALUE =
  /\b[pP](?:-| )?(?:values?|trend)?\s?(?:for [\w× -]{1,30}|\([\w -]{1,20}\))?\s?(?:[=:]\s?)?([<>=]|of|was|=\s?<)?\s?(\d?\.\d+(?:\s?[x×]\s?10\s?-\s?\d+|e-\d+)?|0\d{2,4}|[01](?![\d.%/]))/g;
const NOT_SIGNIFICANT = /\(?\b(?:n\.s\.?|ns|NS|N\.S\.?)(?![\p{L}])\)?/gu;
const NUMBER = '[-+]?\\d{0,4}(?:\\.\\d+|(?<=\\d))';
const INTERVAL = new RegExp(
  `(${NUMBER})?\\s?(?:%|[a-zA-Z/]{1,8})?\\s?[;,:]?\\s?[([]?\\s?(?:(9\\d ?%|9\\d percent)?[\\s-]?(?:ci|CI|CIs|c\\.i\\.|confidence intervals?|interval)s?[\\s:=,;([]{0,4})(${NUMBER})\\s?%?\\s?(?:-|to|,|;|and)\\s?(${NUMBER})`,
  'g',
);
const BARE = new RegExp(`(${NUMBER}) [([](${NUMBER})\\s?(?:-|to|,|;)\\s?(${NUMBER})[)\\]]`, 'g');
const RATIO = /\b(?:ratios?|a?hr|a?rr|a?or|irr|relative risk|risk|odds|hazard)\b/i;
const DIFFERENCE = /\b(?:difference|md|smd|wmd|change|reduction|increase|effect|coefficient|beta)\b/i;
const PAIR = new RegExp(
  `(${NUMBER})\\s?(%|[a-zA-Z/]{1,10})?\\s?(?:\\(?(?:±|\\+/-|\\()\\s?\\d*\\.?\\d+\\s?%?\\)?\\s?)?(?:[a-zA-Z/%]{1,10} )?(?:[([,;]\\s?)?(?:vs\\.?|versus|compared (?:with|to)|against|in contrast to|\\band\\b|\\bto\\b)\\s(?:only )?(${NUMBER})`,
  'g',
);

const FROM = /\bfrom\s*$/;

const readP = (sign: string | undefined, digits: string): boolean => {
  const base = Number.parseFloat(/^0\d{2,4}$/.test(digits) ? `0.${digits.slice(1)}` : digits);
  const small = /10\s?-|e-/.test(digits);
  return sign === '>' ? false : small || base <= LEVEL;
};

const judgeInterval = (low: number, high: number, before: string): readonly string[] => {
  if (Number.isNaN(low) || Number.isNaN(high) || low > high) return [];
  if (low < 0 && high > 0) return ['not', 'significant'];
  if (low < 0) return ['significant', 'lower'];
  if (RATIO.test(before)) {
    if (low > 1) return ['significant', 'higher'];
    if (high < 1) return ['significant', 'lower'];
    return ['not', 'significant'];
  }
  if (DIFFERENCE.test(before) && low > 0) return ['significant'];
  return [];
};

/**
 * Interprets the p-values, confidence intervals and pairs of numbers of a passage as words. The result is in order and without
 * overlaps.
 */
export const readHints = (text: string): Hint[] => {
  const hints: Hint[] = [];
  const respectively = /\brespectively\b/.test(text);
  for (const match of text.matchAll(P_VALUE)) {
    const words = readP(match[1], match[2]!) ? ['p', 'significant'] : ['p', 'not', 'significant'];
    hints.push({ start: match.index, end: match.index + match[0].length, words });
  }
  for (const match of text.matchAll(NOT_SIGNIFICANT))
    hints.push({ start: match.index, end: match.index + match[0].length, words: ['not', 'significant'] });
  for (const match of text.matchAll(INTERVAL)) {
    const end = match.index + match[0].length;
    const words = judgeInterval(Number(match[3]), Number(match[4]), text.slice(Math.max(0, match.index - 90), end));
    if (words.length > 0) hints.push({ start: end, end, words });
  }
  for (const match of text.matchAll(BARE)) {
    const end = match.index + match[0].length;
    const [value, low, high] = [Number(match[1]), Number(match[2]), Number(match[3])];
    if (low > value || value > high) continue;
    const words = judgeInterval(low, high, text.slice(Math.max(0, match.index - 90), end));
    if (words.length > 0) hints.push({ start: end, end, words });
  }
  for (const match of text.matchAll(PAIR)) {
    const end = match.index + match[0].length;
    const [first, second] = [Number(match[1]), Number(match[3])];
    const isChange = / to /.test(match[0]) && FROM.test(text.slice(Math.max(0, match.index - 8), match.index));
    if (!isChange && /\b(?:and|to) /.test(match[0]) && !/[±(]|\+\/-/.test(match[0]) && !respectively) continue;
    if (match[1] === '' || match[3] === '' || Number.isNaN(first) || Number.isNaN(second) || first === second) continue;
    // "From 3.2 to 4.1" is a change within one arm.
    if (isChange) {
      hints.push({ start: end, end, words: ['changed', first > second ? 'lower' : 'higher'] });
      continue;
    }
    hints.push({ start: end, end, words: ['first', first > second ? 'higher' : 'lower'] });
  }
  return tidy([...hints, ...readRow(text)]);
};

/**
 * Reads a table row, which has no verbs: the last number below one is the p-value, and the first two numbers with a spread are
 * the arms.
 */
const readRow = (text: string): Hint[] => {
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  const numbers = [...text.matchAll(/(?<![\d.])-?\d+(?:\.\d+)?/g)];
  if (numbers.length < 3 || words > numbers.length + 6) return [];
  const end = text.length;
  const found: Hint[] = [];
  const last = text.trimEnd().match(/[<>]?\s?([01]?\.\d{2,4})\*{0,3}$/);
  if (last && !/\bp\b/i.test(text)) {
    found.push({
      start: end,
      end,
      words: Number(last[1]) <= LEVEL ? ['p', 'significant'] : ['p', 'not', 'significant'],
    });
  }
  const spreads = [...text.matchAll(/(-?\d+(?:\.\d+)?)\s?(?:±|\+\/-|\()\s?\d/g)].map((match) => Number(match[1]));
  if (spreads.length >= 2 && spreads[0] !== spreads[1])
    found.push({ start: end, end, words: ['first', spreads[0]! > spreads[1]! ? 'higher' : 'lower'] });
  return found;
};

const tidy = (hints: readonly Hint[]): Hint[] => {
  const kept: Hint[] = [];
  for (const hint of hints.toSorted((left, right) => left.start - right.start || left.end - right.end)) {
    const last = kept.at(-1);
    if (last && hint.start < last.end) continue;
    kept.push(hint);
  }
  return kept;
};
