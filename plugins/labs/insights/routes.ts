/** API route of values before and after a supplement was started. */
import { Type } from 'typebox';
import { type Context, defineRoute, type Route } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { dayInsightsJson, Vitals, VitalsNotCompared } from '../days/day-insight-json.ts';
import { dayInsights, spanOfLog } from '../days/day-insights.ts';
import { readDays } from '../days/read-days.ts';
import { type Flow, WHOLE_FLOWS } from '../flows.ts';
import { type Draw, isCritical } from '../history.ts';
import { tag } from '../route-parts.ts';
import type { LabServices } from '../services.ts';
import { today } from '../supplements/new-entry.ts';
import type { Insight } from './insights.ts';
import { type Course, readCourse, readInsights } from './read-insights.ts';

const nullableNumber = Type.Union([Type.Number(), Type.Null()]);

const Side = Type.Object({
  value: Type.Number(),
  unit: Type.String({ description: 'UCUM; the same on both sides.' }),
  comparator: Type.String(),
  collected_at: Type.String(),
  report_id: Type.String(),
});

const InsightsReply = Type.Object({
  insights: Type.Array(
    Type.Object({
      log_id: Type.Integer(),
      supplement_slug: Type.String(),
      name: Type.String(),
      biomarker_slug: Type.String(),
      before: Side,
      after: Side,
      values_before: Type.Integer(),
      values_after: Type.Integer(),
      days_on: Type.Integer(),
      change_abs: nullableNumber,
      change_pct: nullableNumber,
      direction: Type.String({ enum: ['up', 'down', 'unchanged', 'unknown'] }),
      expected_direction: Type.Union([Type.String(), Type.Null()], {
        description: 'What the base says of this very value, where it does; null otherwise.',
      }),
      evidence: Type.Array(Type.String()),
      strength: Type.String({ enum: ['insufficient', 'weak', 'consistent'] }),
      caveats: Type.Array(Type.String()),
    }),
  ),
  vitals: Vitals,
  vitals_not_compared: VitalsNotCompared,
});

const sideOf = ({ marker }: Insight, { value, day, reportId, assessed }: Draw) => ({
  value,
  unit: marker.ucum,
  comparator: assessed.kept.comparator,
  collected_at: day,
  report_id: reportId,
});

const insightJson = (insight: Insight) => {
  const { entry, marker, link, befores, afters } = insight;
  return {
    log_id: entry.logId,
    supplement_slug: entry.slugKind === 'supplement' || entry.slugKind === 'substance' ? entry.slug : '',
    name: entry.name,
    biomarker_slug: marker.slug,
    before: sideOf(insight, insight.before),
    after: sideOf(insight, insight.after),
    values_before: befores.length,
    values_after: afters.length,
    days_on: insight.daysOn,
    change_abs: insight.changeAbs,
    change_pct: insight.changePct,
    direction: insight.direction,
    expected_direction: link.expected,
    evidence: link.evidence.map(({ id }) => id),
    strength: insight.strength,
    caveats: insight.caveats,
  };
};

/** Returns the comparisons of days, which are based on the log alone and need no draw. */
const vitalsOf = async (context: Context<LabServices>, { log, history }: Course) => {
  const { held, series } = await readDays(context, () => spanOfLog(log));
  const all = held ? dayInsights({ series, held, log, today: today() }) : [];
  return dayInsightsJson(
    all,
    history.filter(isCritical).map(({ marker }) => marker.name),
  );
};

const insightRoute = (flow: Flow): Route =>
  defineRoute<LabServices, Record<never, never>>({
    id: `labs.${flow.id}.insights`,
    method: 'GET',
    path: `/api${flow.base}/intervention-insights`,
    summary: 'Confirmed values, and days of wearables, before a supplement was started and while it was taken',
    description:
      'Only values that were drawn after the day of the start count as after. A change is never said to be the work of what was taken.',
    tag,
    access: 'public',
    device: 'read',
    request: {},
    replies: [{ status: 200, mediaType: 'application/json', description: 'The comparisons', schema: InsightsReply }],
    raises: [],
    handle: async (context) => {
      if (context.device) await context.use(devicesPlugin).visit(context.device);
      const course = await readCourse(context);
      const { insights } = await readInsights(context, course);
      const body = { insights: insights.map(insightJson), ...(await vitalsOf(context, course)) };
      return { headers: { 'Cache-Control': 'no-store' }, body };
    },
  });

export const insightRoutes: readonly Route[] = WHOLE_FLOWS.map(insightRoute);
