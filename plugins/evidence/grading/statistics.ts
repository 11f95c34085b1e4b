const P_VALUE = /\bp(?:-| )?(?:values?)?\s?(?:for [\w× -]{1,30})?\s?([<>=≤≥]|of)\s?(0?[./]\d+|[01](?![\d.%/]))/g;
const NOT_SIGNIFICANT_MARK = /\(\s?n\.?s\.?\s?\)|, ?ns\b/g;

/** The usual significance level; abstracts seldom state an article's own level. */
const LEVEL = 0.05;

/** Returns, for each p-value in lower-case text, whether it is at most 0.05; "NS" in brackets counts as a value above it. */
export const pValues = (text: string): boolean[] => {
  const found: boolean[] = [];
  for (const match of text.matchAll(P_VALUE)) {
    const value = Number((match[2] ?? '').replace('/', '.'));
    if (!Number.isNaN(value)) found.push(match[1] === '>' || match[1] === '≥' ? false : value <= LEVEL);
  }
  for (const _ of text.matchAll(NOT_SIGNIFICANT_MARK)) found.push(false);
  return found;
};

const NUMBER = '[-+]?\\d{0,4}\\.?\\d+';
const INTERVAL = new RegExp(
  `(?:\\b(?:ci|confidence intervals?)\\b[^\\d.+-]{0,14}|\\b9[05] ?% ?(?:ci|confidence intervals?)[^\\d.+-]{0,14})(${NUMBER})\\s?%?\\s?(?:-|to|,|;)\\s?(${NUMBER})`,
  'g',
);
const RATIO = /\b(?:ratios?|hr|rr|or|irr|mrr|relative risk)\b/;

/**
 * Returns, for each confidence interval in lower-case text, whether it excludes no effect: 1 for a ratio, else 0. Intervals of a
 * share or a mean (without a ratio or a difference before them) are not informative and are left out.
 */
export const intervalVerdicts = (text: string): boolean[] => {
  const found: boolean[] = [];
  for (const match of text.matchAll(INTERVAL)) {
    const [low, high] = [Number(match[1]), Number(match[2])];
    const before = text.slice(Math.max(0, match.index - 90), match.index);
    if (Number.isNaN(low) || Number.isNaN(high) || low > high) continue;
    if (RATIO.test(before)) found.push(low > 1 || high < 1);
    else if (/\bdifference|\bmd\b|\bchange\b|\beffect\b/.test(before)) found.push(low > 0 || high < 0);
  }
  return found;
};
