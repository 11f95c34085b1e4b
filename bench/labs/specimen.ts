/** Generates a synthetic report: rows with their ground truth, drawn by a layout. Deterministic for a seed. */
import { type Analyte, analytes, type Language, type PrintedUnit } from './analytes.ts';

export type Random = () => number;

/** Returns a mulberry32 generator, which is small and gives equal results on every platform. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

export interface SpecimenRow {
  readonly section: string;
  readonly slug: string;
  readonly name: string;
  /** Value as printed, with its comparator. */
  readonly valueText: string;
  readonly value: number | null;
  readonly comparator: '<' | '>' | '=';
  readonly unit: string;
  readonly ucum: string;
  readonly range: string;
  readonly flag: '' | 'H' | 'L';
  /** Previous result, as printed in its own column. */
  readonly previous: string;
}

export interface Style {
  readonly language: Language;
  readonly units: 'usual' | 'si';
  readonly decimal: '.' | ',';
  readonly dash: string;
  /** Share of values printed as a bound. */
  readonly bounds?: number;
  /** Share of rows whose range has only an upper bound, such as "<200". */
  readonly oneSided?: number;
  readonly unitText?: (unit: PrintedUnit) => string;
  readonly nameText?: (name: string) => string;
}

const printed = (value: number, decimals: number, { decimal }: Style): string =>
  value.toFixed(decimals).replace('.', decimal);

const drawnValue = ({ low, high }: Analyte, random: Random): number => {
  const share = random();
  if (share < 0.72) return low + (high - low) * random();
  return share < 0.86 ? high * (1.02 + 0.5 * random()) : low * (0.6 + 0.37 * random());
};

const rowOf = (analyte: Analyte, style: Style, random: Random): SpecimenRow => {
  const unit = style.units === 'si' ? analyte.si : analyte.usual;
  const show = (value: number): string => printed(value * unit.factor, unit.decimals, style);
  const back = (text: string): number => Number(text.replace(',', '.'));
  const isBound = random() < (style.bounds ?? 0);
  const text = show(isBound ? analyte.low * 0.5 : drawnValue(analyte, random));
  const [low, high] = [show(analyte.low), show(analyte.high)];
  const isOneSided = random() < (style.oneSided ?? 0.15);
  const value = back(text);
  const flag = isBound ? '' : value > back(high) ? 'H' : !isOneSided && value < back(low) ? 'L' : '';
  return {
    section: analyte.section,
    slug: analyte.slug,
    name: (style.nameText ?? ((name) => name))(analyte.names[style.language]),
    valueText: `${isBound ? '<' : ''}${text}`,
    value,
    comparator: isBound ? '<' : '=',
    unit: (style.unitText ?? ((one) => one.text))(unit),
    ucum: unit.ucum,
    range: isOneSided ? `<${style.dash.includes(' ') ? ' ' : ''}${high}` : `${low}${style.dash}${high}`,
    flag,
    previous: show(drawnValue(analyte, random)),
  };
};

/** Returns `count` rows in the order of their sections. */
export const rowsFor = (style: Style, count: number, random: Random): SpecimenRow[] => {
  const taken = new Set(
    analytes
      .map((analyte) => ({ analyte, at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ analyte }) => analyte),
  );
  return analytes.filter((analyte) => taken.has(analyte)).map((analyte) => rowOf(analyte, style, random));
};
