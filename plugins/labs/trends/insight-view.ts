/** Formats a comparison before and after for the trends page and the document for the doctor. */
import { type Static, Type } from 'typebox';
import { unitText } from '#plugins/biomarkers/index.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import type { Draw } from '../history.ts';
import type { Insight, Strength } from '../insights/insights.ts';

export const InsightView = Type.Object({
  title: Type.String(),
  facts: Type.String(),
  change: Type.String(),
  expected: Type.String(),
  strength: Type.String(),
  strengthWords: Type.String(),
  caveats: Type.Array(Type.String()),
  evidence: Type.Array(Type.Object({ title: Type.String(), href: Type.String() })),
});

const STRENGTH_WORDS: Readonly<Record<Strength, string>> = {
  insufficient: 'Too little to tell anything from',
  weak: 'A weak hint at most',
  consistent: 'The same way each time, by more than the values vary otherwise; still no proof of why',
};

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: digits + 1 });

const sideInWords = (insight: Insight, { value, assessed, day }: Draw): string => {
  const sign = assessed.kept.comparator === '=' ? '' : assessed.kept.comparator;
  return `${sign}${number(value, insight.marker.digits)} ${unitText(insight.marker.ucum)} on ${dayInWords(day)}`.replace(
    / {2}/,
    ' ',
  );
};

const changeInWords = ({ changeAbs, changePct, direction, marker }: Insight): string => {
  if (direction === 'unknown') return 'Which way it went cannot be told.';
  if (direction === 'unchanged') return 'It did not change.';
  const way = direction === 'up' ? 'higher' : 'lower';
  if (changeAbs === null) return `It was ${way}; by how much is not known.`;
  const share = changePct === null ? '' : ` (${number(Math.abs(changePct), 0)} %)`;
  return `It was ${number(Math.abs(changeAbs), marker.digits)} ${unitText(marker.ucum)} ${way}${share}.`;
};

const EXPECTED_WORDS = { up: 'higher', down: 'lower', unchanged: 'no different' } as const;

const expectedInWords = ({ link: { expected, evidence } }: Insight): string => {
  if (expected) return `In studies that our base holds, this value was ${EXPECTED_WORDS[expected]} with it.`;
  return evidence.length
    ? 'Our base has sources on the two, but none that says which way this one value goes.'
    : 'Our base does not say which way this value goes with it.';
};

export const insightView = (insight: Insight): Static<typeof InsightView> => ({
  title: `${insight.marker.name} and ${insight.entry.name}`,
  facts: `Before: ${sideInWords(insight, insight.before)}. With it for ${insight.daysOn} ${insight.daysOn === 1 ? 'day' : 'days'}: ${sideInWords(insight, insight.after)}. Values compared: ${insight.befores.length} before, ${insight.afters.length} after.`,
  change: changeInWords(insight),
  expected: expectedInWords(insight),
  strength: insight.strength,
  strengthWords: STRENGTH_WORDS[insight.strength],
  caveats: [...insight.caveats],
  evidence: insight.link.evidence.map(({ title, address }) => ({ title, href: address })),
});
