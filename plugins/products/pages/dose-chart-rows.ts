/**
 * Builds the rows of a supplement’s dose chart: trials, recommended amounts, labels and the upper limit, in one unit. All
 * functions are pure.
 */
import { type DoseChartView, type DoseRow, doseChart } from '#core/render/charts/dose-chart.ts';
import type { IntakeRow } from '#plugins/vocabulary/index.ts';
import { inBaseUnit } from '../card/dose.ts';
import type { MarketProfile } from '../catalogue.ts';
import { unitWord } from './product-figures.ts';

export interface StudiedDose {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** "root extract"; "" for the plain substance. */
  readonly of: string;
  /** True for doses studied only in infants, children, pregnancy or breastfeeding, which do not apply to others. */
  readonly isOfGroup: boolean;
}

export interface DosesOnFile {
  readonly slug: string;
  readonly name: string;
  readonly studied: readonly StudiedDose[];
  readonly intake: IntakeRow | null;
  readonly labels: MarketProfile['dose_distribution'];
}

type Convert = (amount: number, unit: string) => number | null;

/** Returns a converter to one unit, to six significant figures; it returns null for units that do not convert. */
const converter = (slug: string, to: string): Convert => {
  const one = inBaseUnit(slug, 1, to);
  return (amount, unit) => {
    const given = inBaseUnit(slug, amount, unit);
    return one && given && given.unit === one.unit ? Number((given.value / one.value).toPrecision(6)) : null;
  };
};

const rangeIn = (convert: Convert, { min, max, unit }: { min: number; max: number; unit: string }) => {
  const [low, high] = [convert(min, unit), convert(max, unit)];
  return low === null || high === null ? null : ([low, high] as const);
};

/**
 * Returns the rows of trials. An authority's amounts are for the plain substance, so trials of a salt or an oil are not shown
 * with them. For herbs, every amount is for a named preparation.
 */
const studiedRows = ({ studied, intake }: DosesOnFile, convert: Convert): DoseRow[] =>
  studied
    .filter(({ of }) => of === '' || intake === null)
    .flatMap(({ name, of, isOfGroup, ...amounts }) => {
      const range = rangeIn(convert, amounts);
      return range
        ? [
            {
              kind: isOfGroup ? 'group' : 'trial',
              name: of ? `${name}: ${of}` : name,
              range,
              per: 'a day',
              note: '',
            } as const,
          ]
        : [];
    })
    .toSorted((a, b) => Number(a.kind === 'group') - Number(b.kind === 'group'));

const ADULT = 19;
const isAdult = ({ group, age = '' }: { group: string; age?: string }): boolean =>
  (group === 'Male' || group === 'Female') && Number(/^\d+/.exec(age)?.[0] ?? ADULT) >= ADULT;

const recommendedRow = ({ intake }: DosesOnFile, convert: Convert): DoseRow[] => {
  const adults = intake?.recommended.filter((one) => isAdult(one) && one.value !== null) ?? [];
  const values = adults.flatMap(({ value }) => (value === null ? [] : (convert(value, intake?.unit ?? '') ?? [])));
  if (!values.length) return [];
  const kinds = [...new Set(adults.map(({ kind = '' }) => kind))].filter(Boolean).join(', ');
  const note = ['women and men, by age', kinds].filter(Boolean).join('; ');
  return [
    {
      kind: 'recommended',
      name: 'Recommended for adults',
      range: [Math.min(...values), Math.max(...values)],
      per: 'a day',
      note,
    },
  ];
};

const labelRow = ({ labels }: DosesOnFile, convert: Convert): DoseRow[] => {
  if (!labels) return [];
  const { unit, p10, p25, p50, p75, p90, labels: count, from_name: fromName } = labels;
  const [low, q1, middle, q3, high] = [p10, p25, p50, p75, p90].map((value) => convert(value, unit));
  if (low == null || q1 == null || middle == null || q3 == null || high == null || high <= 0) return [];
  const note = `${count} labels${fromName ? `, ${fromName} of them read from the product’s name only` : ''}`;
  return [
    { kind: 'market', name: 'Middle 80% of labels', range: [low, high], box: [q1, middle, q3], per: 'a serving', note },
  ];
};

const upperRow = ({ intake }: DosesOnFile, convert: Convert): DoseRow[] => {
  const adult = intake?.upperLimit?.adult ?? null;
  const value = intake && adult !== null ? convert(adult, intake.unit) : null;
  return value === null
    ? []
    : [
        {
          kind: 'upper',
          name: 'Upper limit for adults',
          range: [value, value],
          per: 'a day',
          note: intake?.upperLimit?.note ?? '',
        },
      ];
};

const PREPARATIONS =
  'Trials gave the preparations that are named; labels may hold others, so equal amounts need not be alike.';

/**
 * Builds the chart, or returns null when there is too little to compare; the tables of the page still contain each figure.
 */
export const supplementDoses = (onFile: DosesOnFile, id: string): DoseChartView | null => {
  const { slug, name, studied, intake, labels } = onFile;
  const unit = intake?.unit ?? labels?.unit ?? studied[0]?.unit ?? '';
  const convert = converter(slug, unit);
  const rows = [
    ...studiedRows(onFile, convert),
    ...recommendedRow(onFile, convert),
    ...labelRow(onFile, convert),
    ...upperRow(onFile, convert),
  ];
  const prepared = intake === null && studied.some(({ of }) => of !== '');
  return doseChart({
    id,
    title: `${name}: doses on one axis`,
    unit: unitWord(unit),
    rows,
    caveat: prepared ? PREPARATIONS : '',
  });
};
