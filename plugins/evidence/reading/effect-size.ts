import type { EffectSize } from './reading.ts';
import { stem, tokenize } from './tokens.ts';

const MEASURES: readonly (readonly [string, RegExp])[] = [
  ['HR', /hazards? ratio|\bhr$/i],
  ['OR', /odds ratio|\bor$/i],
  ['RR', /risk ratio|relative risk|rate ratio|\bi?rr$/i],
  ['SMD', /standardi[sz]ed mean difference|\bsmd$|hedges'? ?g|cohen'?s d|effect size|^es$/i],
  ['WMD', /weighted mean difference|\bwmd$/i],
  ['RD', /risk difference|^arr$/i],
];
const RATIOS: ReadonlySet<string> = new Set(['HR', 'OR', 'RR']);
const NAME =
  "(?:(?:adjusted |pooled |a)?(?:hazards? ratio|odds ratio|risk ratio|relative risk|(?:incidence )?rate ratio|HR|OR|RR|IRR)|standardi[sz]ed mean difference|weighted mean difference|SMD|WMD|MD|Hedges'? ?g|Cohen'?s d|effect size|ES|(?:absolute )?risk difference|ARR|(?:mean |between-group |adjusted |net |group |estimated )?treatment effect|(?:mean |between-group |adjusted |treatment |net |group )?(?:difference|changes?)(?: in means| between (?:the )?(?:groups|means?))?)";
const NUMBER = '[-+]?\\d{0,6}(?:\\.\\d+|(?<=\\d))';
const BRACKETED = '(?:\\s?[([]\\s?(?:a?HR|a?OR|a?RR|SMD|WMD|MD|RD|IRR|ES|difference|mean difference)\\s?[\\])]?)?';
const PATTERN = new RegExp(
  `(?<![A-Za-z])(${NAME})s?${BRACKETED}\\s?(?:was|of|:|=|,|is|\\[|\\()?\\s?[=(]?\\s?(${NUMBER})(?![\\d.])\\s?(%|[A-Za-zµμ]{1,7}(?:/[A-Za-z]{1,5}\\d?)?|mm ?Hg)?`,
  'g',
);
const INTERVAL = new RegExp(
  `^[^.()[\\]]{0,25}?[\\s;,:([]{0,4}(?:95 ?%|95 percent)?\\s?(?:CI|CIs|confidence intervals?|C\\.I\\.)\\s?(?:[([](?:CIs?|confidence intervals?)[)\\]])?[\\s:=,;([]{0,4}(${NUMBER})(?:\\s?%|\\s?(?!to\\b|and\\b)[A-Za-z][A-Za-z/]{0,7})?\\s?(?:to|-|,|;|:|and)\\s?(${NUMBER})`,
  'i',
);
/** An interval directly after the figure without a label: "0.85 (0.65 to 1.12)". */
const BARE_INTERVAL = new RegExp(`^\\s?[[(]\\s?(${NUMBER})\\s?(?:to|-|,|;)\\s?(${NUMBER})\\s?[\\])]`);
const PERCENT =
  /\b(?:by|of|was|were)\s(\d{1,3}(?:\.\d+)?)\s?%(?=[^.]{0,40}\b(?:lower|higher|reduc|increas|decreas|improv|less|more))|\b(\d{1,3}(?:\.\d+)?)\s?% (?:lower|higher|reduction|increase|decrease|improvement|greater|fewer|more|less)\b/gi;
const NOT_A_UNIT =
  /^(?:ci|p|vs|and|to|for|in|with|or|of|per|n|the|than|at|was|were|on|but|as|by|after|between|fewer|more|lower|higher|when|from|trials?|stud(?:y|ies))$/i;
/** Highest accepted ratio; a higher value is probably a percentage. */
const HIGHEST_RATIO = 60;

interface Found {
  readonly at: number;
  readonly end: number;
  readonly size: EffectSize;
}

const nameMeasure = (name: string): string => MEASURES.find(([, pattern]) => pattern.test(name.trim()))?.[0] ?? 'MD';

const readInterval = (rest: string, value: number): readonly [number, number] | null => {
  const match = INTERVAL.exec(rest) ?? BARE_INTERVAL.exec(rest);
  if (!match) return null;
  const [low, high] = [Number(match[1]), Number(match[2])];
  return low <= value && value <= high ? [low, high] : null;
};

const sizesIn = (passage: string): Found[] => {
  const found: Found[] = [];
  for (const match of passage.matchAll(PATTERN)) {
    const value = Number(match[2]);
    // In "Difference (95% CI …)", the number is the level of the interval and not an effect size.
    if (match[2] === '' || Number.isNaN(value) || /^(?:9[059]) ?%?$/.test(`${match[2]}${match[3] ?? ''}`)) continue;
    const unit = match[3] && !NOT_A_UNIT.test(match[3]) ? match[3] : '';
    const measure = nameMeasure(match[1]!);
    if (RATIOS.has(measure) && (unit !== '' || value <= 0 || value > HIGHEST_RATIO)) continue;
    const end = match.index + match[0].length;
    const rest = passage.slice(unit === '' ? end - (match[3]?.length ?? 0) : end, end + 90);
    const interval = readInterval(rest, value);
    // "Change was 3.2" is mostly the change within one arm: only an interval shows that two arms are compared.
    if (!interval && measure === 'MD' && !/difference|effect|MD/i.test(match[1]!)) continue;
    const size = { measure, value, low: interval?.[0] ?? null, high: interval?.[1] ?? null, unit };
    found.push({ at: match.index, end, size });
  }
  if (found.length) return found;
  for (const match of passage.matchAll(PERCENT)) {
    const value = Number(match[1] ?? match[2]);
    const end = match.index + match[0].length;
    found.push({ at: match.index, end, size: { measure: 'percent', value, low: null, high: null, unit: '%' } });
  }
  return found;
};

const SPAN = 60;

/** Returns the end of the stretch of a passage that contains most of the outcome's words; -1 when the passage contains none. */
const endOfOutcome = (passage: string, outcome: string): number => {
  const wanted = new Set(
    tokenize(outcome)
      .map(({ text }) => stem(text.toLowerCase()))
      .filter((word) => word.length > 1),
  );
  const hits = tokenize(passage).filter(({ text }) => wanted.has(stem(text.toLowerCase())));
  let [most, end] = [0, -1];
  for (const [from, hit] of hits.entries()) {
    const near = hits.slice(from, from + wanted.size + 2).filter(({ start }) => start - hit.start <= SPAN);
    const count = new Set(near.map(({ text }) => stem(text.toLowerCase()))).size;
    if (count > most) [most, end] = [count, near.at(-1)!.start + near.at(-1)!.text.length];
  }
  return end;
};

/** Largest distance between the outcome and its figure, in characters. */
const REACH = 160;

/**
 * Returns the effect size that a passage states for an outcome, with its 95 % interval: the first one after the words of the
 * outcome, or the only one. The measure is `percent` when only a relative change is stated. Null when it is not clear which
 * figure belongs to the outcome.
 */
export const readEffectSize = (passage: string, outcome = ''): EffectSize | null => {
  const found = sizesIn(passage);
  const [only] = found;
  if (!only) return null;
  if (outcome === '') return only.size;
  const end = endOfOutcome(passage, outcome);
  if (end < 0) return null;
  const behind = found.find(({ at }) => at >= end && at - end <= REACH);
  if (found.length === 1) return only.at - end <= REACH ? only.size : null;
  return behind?.size ?? null;
};
