/**
 * Loads the part of the trends page about days: charts beside the values, and comparisons before and with each entry of the log.
 */
import { type Static, Type } from 'typebox';
import type { Context } from '#core/plugin.ts';
import { isCritical, type MarkerHistory } from '../history.ts';
import type { Course } from '../insights/read-insights.ts';
import type { LabServices } from '../services.ts';
import { today } from '../supplements/new-entry.ts';
import { DayInsightsView, dayInsightsView } from './day-insight-view.ts';
import { comparedEntries, dayInsights, spanOfLog } from './day-insights.ts';
import { DaysBesideView, daysBesideView, drawDays, spanBeside } from './days-view.ts';
import { readDays, within } from './read-days.ts';
import { hull } from './windows.ts';

export const DaysPart = Type.Object({
  /** Link to import days if there are none; "" if no plugin stores days. */
  addHref: Type.String(),
  /** Null without stored days. */
  beside: Type.Union([Type.Null(), DaysBesideView]),
  /** Null without stored days, and if nothing may be shown about the log. */
  insights: Type.Union([Type.Null(), DayInsightsView]),
});

/**
 * Loads the days.
 * @param chosen the markers that the page shows.
 */
export const loadDays = async (
  context: Context<Pick<LabServices, 'keepers'>>,
  { history, log: whole }: Pick<Course, 'history' | 'log'>,
  chosen: readonly MarkerHistory[],
): Promise<Static<typeof DaysPart>> => {
  // The page then says that a doctor is needed, and shows nothing about supplements beside it.
  const log = history.some(isCritical) ? [] : whole;
  const draws = drawDays(chosen);
  const { keeper, held, series } = await readDays(context, (all) => hull(spanBeside(draws, all), spanOfLog(log)));
  if (!keeper || !held) return { addHref: keeper?.addHref ?? '', beside: null, insights: null };
  const span = spanBeside(draws, held);
  const compared = dayInsights({ series, held, log, today: today() });
  return {
    addHref: '',
    beside: daysBesideView(span ? within(series, span) : [], { span, held, draws, log, showHref: keeper.showHref }),
    insights: log.length ? dayInsightsView(compared, log.length - comparedEntries(log).length) : null,
  };
};
