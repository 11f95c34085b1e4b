/** Formats comparisons of days as JSON for the API. */
import { type Static, Type } from 'typebox';
import type { LogEntry } from '../supplements/kept-entry.ts';
import type { DaySide } from './compare.ts';
import { criticalCaveat, generalCaveats, sourceCaveat } from './day-caveats.ts';
import { type DayComparison, type EntryDays, MOST_ENTRIES_COMPARED } from './day-insights.ts';
import { LEAST_KNOWN, SIDE_DAYS } from './windows.ts';

const Side = Type.Object({
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date' }),
  days: Type.Integer({ description: 'Days of the span that have a value of the source.' }),
  median: Type.Number(),
  lower_quartile: Type.Number({ description: 'By linear interpolation (type 7 of Hyndman and Fan).' }),
  upper_quartile: Type.Number(),
});

const ofEntry = { log_id: Type.Integer(), supplement_slug: Type.String(), name: Type.String() };

export const Vitals = Type.Array(
  Type.Object({
    ...ofEntry,
    metric: Type.String({ description: 'As in the days of wearables, such as `resting_hr_bpm`.' }),
    metric_name: Type.String(),
    unit: Type.String(),
    source: Type.String({ description: 'The same on both sides.' }),
    before: Side,
    after: Side,
    strength: Type.String({
      enum: ['insufficient', 'weak'],
      description:
        '`weak` where nothing else was started or stopped meanwhile and the middle halves of both sides lie apart; no more can come of it.',
    }),
    caveats: Type.Array(Type.String()),
  }),
  {
    description: `The ${SIDE_DAYS} days up to the start beside the last ${SIDE_DAYS} days with it, none of the first 28 after the start among them; ${LEAST_KNOWN} days of one source on each side at least. Of the ${MOST_ENTRIES_COMPARED} entries that were started last.`,
  },
);

export const VitalsNotCompared = Type.Array(
  Type.Object({
    ...ofEntry,
    metric: Type.Union([Type.String(), Type.Null()], { description: 'Null for the entry as a whole.' }),
    reason: Type.String({
      enum: [
        'too_young',
        'stopped_early',
        'days_end',
        'no_days_before',
        'taken_before',
        'few_days',
        'other_source',
        'other_method',
      ],
    }),
    detail: Type.String(),
    possible_from: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The first day on which a comparison can be made, where time is all that lacks.',
    }),
  }),
);

const entryJson = ({ logId, slug, slugKind, name }: LogEntry) => ({
  log_id: logId,
  supplement_slug: slugKind === 'supplement' || slugKind === 'substance' ? slug : '',
  name,
});

const sideJson = ({ from, to, days, median, q1, q3 }: DaySide) => ({
  from,
  to,
  days,
  median,
  lower_quartile: q1,
  upper_quartile: q3,
});

const vitalJson = (
  { entry, caveats, compared }: EntryDays,
  { series, source, before, after, leftOut, strength }: DayComparison,
  critical: readonly string[],
): Static<typeof Vitals>[number] => ({
  ...entryJson(entry),
  metric: series.id,
  metric_name: series.name,
  unit: series.unit,
  source,
  before: sideJson(before),
  after: sideJson(after),
  strength,
  caveats: [
    ...criticalCaveat(critical),
    ...caveats,
    ...[sourceCaveat(leftOut)].filter(Boolean),
    ...generalCaveats(compared.length),
  ],
});

const notComparedJson = ({ entry, whole, uncompared }: EntryDays): Static<typeof VitalsNotCompared> => [
  ...(whole
    ? [
        {
          ...entryJson(entry),
          metric: null,
          reason: whole.reason,
          detail: whole.words,
          possible_from: whole.possibleFrom,
        },
      ]
    : []),
  ...uncompared.map(({ series, reason, words }) => ({
    ...entryJson(entry),
    metric: series.id,
    reason,
    detail: words,
    possible_from: null,
  })),
];

/**
 * Builds the response.
 * @param critical markers whose last value is critical.
 */
export const dayInsightsJson = (all: readonly EntryDays[], critical: readonly string[]) => ({
  vitals: all.flatMap((one) => one.compared.map((compared) => vitalJson(one, compared, critical))),
  vitals_not_compared: all.flatMap(notComparedJson),
});
