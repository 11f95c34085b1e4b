/** Formats ranges as text and as bands on a shared axis. */
import { type Static, Type } from 'typebox';
import { axisFor, bandOn } from '#core/render/charts/axis.ts';
import type { Marker, MarkerRange } from './marker.ts';
import { unitText } from './units.ts';

export const RangeView = Type.Object({
  /** For example "Women, 19 to 40 years". */
  population: Type.String(),
  /** For example "16 to 154", "up to 200" or "20 or more". */
  range: Type.String(),
  kind: Type.String(),
  note: Type.String(),
  source: Type.Object({ name: Type.String(), href: Type.String() }),
});
export type RangeView = Static<typeof RangeView>;

export const BandChart = Type.Object({
  id: Type.String(),
  title: Type.String(),
  desc: Type.String(),
  unit: Type.String(),
  logarithmic: Type.Boolean(),
  height: Type.Integer(),
  base: Type.Integer(),
  ticks: Type.Array(Type.Object({ at: Type.Number(), text: Type.String(), anchor: Type.String() })),
  rows: Type.Array(
    Type.Object({
      label: Type.String(),
      value: Type.String(),
      isGoal: Type.Boolean(),
      y: Type.Integer(),
      band: Type.Object({ from: Type.Number(), width: Type.Number() }),
    }),
  ),
});
export type BandChart = Static<typeof BandChart>;

const figures = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 6 });
export const figure = (value: number): string => figures.format(value);

const KIND_WORDS: Readonly<Record<MarkerRange['kind'], string>> = {
  interval: 'Reference range',
  threshold: 'Threshold',
  goal: 'Goal',
};

const SEX_WORDS: Readonly<Record<MarkerRange['sex'], string>> = { female: 'Women', male: 'Men', any: '' };

const ageWords = ({ ageFrom, ageTo }: MarkerRange): string => {
  if (ageFrom !== null && ageTo !== null) return `${ageFrom} to ${ageTo} years`;
  if (ageFrom !== null) return `from ${ageFrom} years`;
  return ageTo === null ? '' : `up to ${ageTo} years`;
};

const UNSTATED = 'Sex and age not stated';

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const populationWords = (range: MarkerRange): string => {
  const said = [SEX_WORDS[range.sex], ageWords(range), range.isPregnant ? 'in pregnancy' : ''].filter(Boolean);
  return said.length ? capital(said.join(', ')) : UNSTATED;
};

/** Formats a range as "16 to 154". A range with one bound makes no statement about the other end. */
export const rangeWords = ({ low, high }: Pick<MarkerRange, 'low' | 'high'>): string => {
  if (low !== null && high !== null) return `${figure(low)} to ${figure(high)}`;
  return low === null ? `up to ${figure(high ?? 0)}` : `${figure(low)} or more`;
};

export const rangeView = (range: MarkerRange): RangeView => ({
  population: populationWords(range),
  range: rangeWords(range),
  kind: KIND_WORDS[range.kind],
  note: range.note,
  source: { name: range.source.name, href: range.source.url },
});

const ROW = 40;
const FIRST = 28;
const LABEL = 34;

const fitting = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, room - 1).replace(/[\s,]+\S*$/, '')} …`;

/** Builds the band chart, or returns null for a single range, which the table shows just as well. */
export const bandsOf = ({ slug, name, ucum, ranges }: Marker): BandChart | null => {
  if (ranges.length < 2) return null;
  const axis = axisFor(ranges.flatMap(({ low, high }) => [low, high === null ? (low ?? 0) * 1.5 : high]).map(Number));
  // Bands are labelled with their source when no range states its population.
  const isUnstated = ranges.every((range) => populationWords(range) === UNSTATED);
  const rows = ranges.map((range, at) => {
    const value = rangeWords(range);
    const population = populationWords(range);
    const words = isUnstated ? (range.source.name.split(':')[0] ?? '') : population;
    const band = bandOn(axis, [range.low ?? axis.from, range.high ?? axis.to]);
    return {
      label: fitting(words, LABEL),
      value,
      isGoal: range.kind !== 'interval',
      y: FIRST + at * ROW,
      band,
    };
  });
  return {
    id: `ranges-${slug}`,
    title: `Ranges of ${name}`,
    desc: `${ranges.map((range) => `${populationWords(range)}: ${rangeWords(range)}`).join('; ')}.`,
    unit: unitText(ucum),
    logarithmic: axis.logarithmic,
    base: FIRST + rows.length * ROW - 16,
    height: FIRST + rows.length * ROW + 6,
    ticks: axis.ticks.map(({ at, text, anchor }) => ({ at, text, anchor })),
    rows,
  };
};
