/** Page /wearables/data: the imported data by metric and day, with the chosen source, and the ways to delete them. */
import { Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import { readLog } from '#plugins/labs/index.ts';
import { readDays, spanOf } from './daily/daily-store.ts';
import { DaysView, dayBefore, daysView, SPANS, type Span } from './daily/data-view.ts';
import { readImports } from './imports/import-store.ts';
import type { WearableServices } from './services.ts';
import { NOTICE_WORDS, type Notice, OUTCOME_WORDS, STAGE_WORDS } from './wearable-messages.ts';

const View = Type.Object({
  notice: Type.String(),
  /** Null without stored days. */
  days: Type.Union([Type.Null(), DaysView]),
  spans: Type.Array(Type.Object({ name: Type.String(), href: Type.String(), isChosen: Type.Boolean() })),
  connections: Type.Array(
    Type.Object({
      slug: Type.String(),
      name: Type.String(),
      isDead: Type.Boolean(),
      connectedOn: Type.String(),
      /** "" before the first synchronisation. */
      lastSyncOn: Type.String(),
      isPaused: Type.Boolean(),
    }),
  ),
  imports: Type.Array(
    Type.Object({ name: Type.String(), on: Type.String(), words: Type.String(), isOpen: Type.Boolean() }),
  ),
});

const SPAN_WORDS: Readonly<Record<Span, string>> = { '30': '30 days', '90': '90 days', '365': 'a year', all: 'all' };

const read = async ({ db, secrets, device }: Context<WearableServices>, span: Span) => {
  if (device === null) return { days: null, imports: [] };
  return db.read(async (em) => {
    const shelf = { em, secrets, device };
    const whole = await spanOf(shelf);
    const imports = await readImports(shelf);
    if (!whole) return { days: null, imports };
    // The span ends on the last stored day, so that an old export does not result in an empty page.
    const from = span === 'all' ? whole.from : dayBefore(whole.to, Number(span) - 1);
    const shown = { from: from < whole.from ? whole.from : from, to: whole.to };
    return { days: daysView(await readDays(shelf, shown), shown, await readLog(shelf)), imports };
  });
};

const connectionsOf = async ({ device, services }: Context<WearableServices>) =>
  (await services.connections.list(device))
    .filter(({ status }) => status === 'connected' || status === 'needs_reauth')
    .map(({ vendor, name, status, connectedAt, lastSyncAt, retryAt }) => ({
      slug: vendor,
      name,
      isDead: status === 'needs_reauth',
      connectedOn: connectedAt ? dayInWords(connectedAt.toISOString().slice(0, 10)) : '',
      lastSyncOn: lastSyncAt ? dayInWords(lastSyncAt.toISOString().slice(0, 10)) : '',
      isPaused: retryAt !== null,
    }));

export const dataPage: Page<WearableServices> = definePage({
  id: 'wearables.data',
  path: '/wearables/data',
  summary: 'What wearables brought to this device by metric and day, with the source that counts; deletes it',
  template: 'wearables/data',
  query: Type.Object({
    notice: Type.String({ enum: ['', ...Object.keys(NOTICE_WORDS)], default: '' }),
    span: Type.String({ enum: [...SPANS], default: '90' }),
  }),
  view: View,
  scope: 'device',
  sitemap: null,
  revision: 1,
  load: async (context: Context<WearableServices>, { query }) => {
    if (context.device) await context.use(devicesPlugin).visit(context.device);
    const { days, imports } = await read(context, query.span as Span);
    return {
      head: { title: 'Your days', description: 'Days of your wearables, for this device only.', noindex: true },
      view: {
        notice: query.notice ? NOTICE_WORDS[query.notice as Exclude<Notice, ''>] : '',
        days,
        connections: await connectionsOf(context),
        spans: SPANS.map((span) => ({
          name: SPAN_WORDS[span],
          href: `/wearables/data?span=${span}`,
          isChosen: span === query.span,
        })),
        imports: imports.map(({ name, createdAt, outcome, state }) => ({
          name,
          on: dayInWords(createdAt.slice(0, 10)),
          words: outcome ? OUTCOME_WORDS[outcome] : (STAGE_WORDS.waiting ?? ''),
          isOpen: state !== 'ready',
        })),
      },
    };
  },
});
