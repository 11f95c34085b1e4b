import type { EffectSize } from './reading.ts';

const MEASURES: readonly (readonly [string, RegExp])[] = [
  ['HR', /^(?:adjusted |pooled |a)?(?:hazards? ratio|hr)$/i],
  ['OR', /^(?:adjusted |pooled |a)?(?:odds ratio|or)$/i],
  ['RR', /^(?:adjusted |pooled |a)?(?:risk ratio|relative risk|rate ratio|incidence rate ratio|irr|rr)$/i],
  ['SMD', /^(?:standardi[sz]ed mean difference|smd|hedges'? ?g|cohen'?s d|effect size|es)$/i],
  ['WMD', /^(?:weighted mean difference|wmd)$/i],
  ['RD', /^(?:absolute )?risk difference$|^arr$/i],
  ['MD', /^(?:mean|between-group|adjusted|treatment|net)? ?(?:difference|changes?)(?: in means)?$|^md$/i],
];
const NAME =
  "(?:(?:adjusted |pooled |a)?(?:hazards? ratio|odds ratio|risk ratio|relative risk|(?:incidence )?rate ratio|HR|OR|RR|IRR)|standardi[sz]ed mean difference|weighted mean difference|SMD|WMD|MD|Hedges'? ?g|Cohen'?s d|effect size|ES|(?:absolute )?risk difference|ARR|(?:mean |between-group |adjusted |treatment |net )(?:difference|changes?)(?: in means)?)";
const NUMBER = '[-+]?\\d{0,5}(?:\\.\\d+|(?<=\\d))';
const PATTERN = new RegExp(
  `(?<![A-Za-z])(${NAME})s?\\s?(?:\\((?:HR|OR|RR|SMD|WMD|MD|RD|IRR|ES)\\))?\\s?(?:was|of|:|=|,|is|\\[|\\()?\\s?(?:=\\s?)?(${NUMBER})\\s?(%|[A-Za-zµμ]{1,6}(?:/[A-Za-z]{1,5}(?:\\d)?)?|mm ?Hg)?`,
  'g',
);
const INTERVAL = new RegExp(
  `^[\\s;,:([]{0,4}(?:95 ?%\\s?|95 percent )?(?:CI|CIs|confidence intervals?|C\\.I\\.)?[\\s:=,;([]{0,4}(${NUMBER})\\s?%?\\s?(?:to|-|,|;|and)\\s?(${NUMBER})`,
  'i',
);
const PERCENT =
  /\b(?:by|of|was|were)\s(\d{1,3}(?:\.\d+)?)\s?%(?=[^.]{0,40}\b(?:lower|higher|reduc|increas|decreas|improv|less|more))|\b(\d{1,3}(?:\.\d+)?)\s?% (?:lower|higher|reduction|increase|decrease|improvement|greater|fewer|more|less)\b/i;
const NOT_A_UNIT = /^(?:ci|p|vs|and|to|for|in|with|or|of|per|n|the|than|at|was|were|on|but|as|by)$/i;

const nameMeasure = (name: string): string => MEASURES.find(([, pattern]) => pattern.test(name.trim()))?.[0] ?? 'MD';

/** Returns the first effect size of a passage with its 95 % interval; `percent` where only a relative change is stated. */
export const readEffectSize = (passage: string): EffectSize | null => {
  for (const match of passage.matchAll(PATTERN)) {
    const value = Number(match[2]);
    if (match[2] === '' || Number.isNaN(value)) continue;
    const rest = passage.slice(match.index + match[0].length, match.index + match[0].length + 60);
    const unit = match[3] && !NOT_A_UNIT.test(match[3]) ? match[3] : '';
    const interval = INTERVAL.exec(unit === '' && match[3] ? ` ${match[3]}${rest}` : rest);
    const [low, high] = interval ? [Number(interval[1]), Number(interval[2])] : [null, null];
    const fits = low !== null && high !== null && low <= value && value <= high;
    return { measure: nameMeasure(match[1]!), value, low: fits ? low : null, high: fits ? high : null, unit };
  }
  const percent = PERCENT.exec(passage);
  if (!percent) return null;
  return { measure: 'percent', value: Number(percent[1] ?? percent[2]), low: null, high: null, unit: '%' };
};
