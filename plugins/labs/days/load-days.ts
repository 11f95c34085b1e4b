/** What the trends page has of days: drawn beside the values, and before and with what was taken. */
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
  /** Where days can be brought, while there are none; "" where nothing here keeps days. */
  addHref: Type.String(),
  /** Null without a day. */
  beside: Type.Union([Type.Null(), DaysBesideView]),
  /** Null without a day, and where nothing may be said of what was taken. */
  insights: Type.Union([Type.Null(), DayInsightsView]),
});

/** @param chosen the markers that the page shows. */
export const loadDays = async (
  context: Context<Pick<LabServices, 'keepers'>>,
  { history, log: whole }: Pick<Course, 'history' | 'log'>,
  chosen: readonly MarkerHistory[],
): Promise<Static<typeof DaysPart>> => {
  // The page says then that a doctor is needed, and nothing of supplements beside it.
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
