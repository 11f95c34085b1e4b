/** Page /…-test/trends: each marker over time, with concurrent supplements, and comparisons before and after them. */
import { Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import { DaysPart, loadDays } from '../days/load-days.ts';
import { type Flow, WHOLE_FLOWS } from '../flows.ts';
import { type Draw, isCritical, type MarkerHistory } from '../history.ts';
import { readCourse, readInsights } from '../insights/read-insights.ts';
import type { LabServices } from '../services.ts';
import { MarkerTrend, markerTrend } from './view.ts';

const View = Type.Object({
  flow: Type.Object({ base: Type.String(), name: Type.String() }),
  /** All markers with a line or a table. */
  choices: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), isChosen: Type.Boolean(), values: Type.Integer() }),
  ),
  /** Name of the requested marker; "" for all. */
  chosen: Type.String(),
  trends: Type.Array(MarkerTrend),
  /** Last values at which a doctor is needed now. */
  critical: Type.Array(
    Type.Object({ name: Type.String(), value: Type.String(), day: Type.String(), href: Type.String() }),
  ),
  /** Number of values that no one has confirmed. */
  unconfirmed: Type.Integer(),
  days: DaysPart,
});

const criticalOf = ({ marker, draws }: MarkerHistory, base: string) => {
  const last = draws.at(-1) as Draw;
  const { kept } = last.assessed;
  return {
    name: marker.name,
    value: `${kept.valueText} ${kept.unit}`.trim(),
    day: dayInWords(last.day),
    href: `${base}/results?report_id=${last.reportId}`,
  };
};

const trendPage = (flow: Flow): Page =>
  definePage({
    id: `labs.${flow.id}.trends`,
    path: `${flow.base}/trends`,
    summary:
      'Confirmed values over time in one unit each, with what was taken meanwhile and days of wearables beside them',
    template: 'labs/trends',
    query: Type.Object({ marker: Type.String({ maxLength: 100, default: '' }) }),
    view: View,
    scope: 'device',
    sitemap: null,
    revision: 1,
    load: async (context: Context<LabServices>, { query }) => {
      if (context.device) await context.use(devicesPlugin).visit(context.device);
      const course = await readCourse(context);
      const { book, history, reports, log } = course;
      const asked = query.marker ? book.bySlug(query.marker) : null;
      if (query.marker && !asked) return { missing: { resource: 'Biomarker', id: query.marker } };
      const parts = { book, base: flow.base, log, ...(await readInsights(context, course)) };
      const chosen = history.filter(({ marker }) => !asked || marker.slug === asked.slug);
      return {
        head: {
          title: asked ? `${asked.name} over time` : 'Your values over time',
          description: 'Confirmed laboratory values of this device over time, with what was taken meanwhile.',
          noindex: true,
        },
        view: {
          flow: { base: flow.base, name: flow.name },
          choices: history.map(({ marker, draws, apart }) => ({
            name: marker.name,
            href: `${flow.base}/trends?marker=${marker.slug}`,
            isChosen: marker.slug === asked?.slug,
            values: draws.length + apart.length,
          })),
          chosen: asked?.name ?? '',
          critical: history.filter(isCritical).map((one) => criticalOf(one, flow.base)),
          trends: chosen.map((one) => markerTrend(one, parts)),
          unconfirmed: reports.flatMap(({ markers }) => markers).filter(({ confirmed }) => !confirmed).length,
          days: await loadDays(context, course, chosen),
        },
      };
    },
  });

export const trendPages: readonly Page[] = WHOLE_FLOWS.map(trendPage);
