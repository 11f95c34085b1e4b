/** Defines /changes: the newest changes of the base by day, with the same content as its Atom feed. */
import { Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { breadcrumbs, dayInWords, versionOf } from '#plugins/evidence/index.ts';
import { SeverityView } from '#plugins/interactions/index.ts';
import type { ToldChange } from './change-words.ts';
import { changesOfAll } from './changes.ts';

const Thing = Type.Object({
  name: Type.String(),
  /** "" when the title of the change already contains it. */
  what: Type.String(),
  severity: Type.Union([SeverityView, Type.Null()]),
  /** "" when the thing has no page. */
  href: Type.String(),
});

const ChangesView = Type.Object({
  crumbs: Type.Array(Type.Object({ name: Type.String(), href: Type.String() })),
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      changes: Type.Array(
        Type.Object({
          /** What the things have in common; "" for a single thing. */
          title: Type.String(),
          things: Type.Array(Thing),
          /** Whether the things are names only, because the title describes what happened to them. */
          isNames: Type.Boolean(),
          more: Type.Integer(),
          /** Address of a list with the other things; "" when there is none. */
          moreHref: Type.String(),
        }),
      ),
    }),
  ),
});

const ALONE = { title: '', more: 0, moreHref: '' };

const crumbs = [{ name: 'What changed', href: '/changes' }];

const LISTS: Readonly<Record<string, string>> = { 'interaction.created': '/interactions' };

const changeView = ({ kind, title, href, things, more }: ToldChange) => {
  if (!things.length) return { ...ALONE, things: [{ name: title, what: '', severity: null, href }], isNames: false };
  const [first] = things;
  if (first && things.length === 1 && !more) {
    const { name, what } = first;
    return { ...ALONE, things: [{ name, what, severity: null, href: first.href }], isNames: false };
  }
  return {
    title,
    things: things.map(({ name, besides, severity, href }) => ({ name, what: besides, severity, href })),
    isNames: things.every(({ besides, severity, name }) => !besides && !severity && name.length < 40),
    more,
    moreHref: more ? (LISTS[kind] ?? '') : '',
  };
};

const viewOf = (changes: readonly ToldChange[]) => ({
  crumbs,
  days: [...Map.groupBy(changes, ({ at }) => dayInWords(at))].map(([day, mine]) => ({
    day,
    changes: mine.map(changeView),
  })),
});

export const changesPage = definePage({
  id: 'pages.changes',
  path: '/changes',
  summary: 'What changed in the base, newest first',
  template: 'pages/changes',
  view: ChangesView,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list: async function* (context: Context): AsyncIterable<PageInstance> {
    const changes = await changesOfAll(context);
    yield { params: {}, version: versionOf(changes), changedAt: changes[0]?.at ?? null };
  },
  load: async (context: Context) => ({
    head: {
      title: 'What changed',
      description:
        'The newest changes of the base: texts, grades, retractions, severities of interactions, and sources that came in.',
      structuredData: [breadcrumbs(context.config.text('BASE_URL'), crumbs)],
    },
    view: viewOf(await changesOfAll(context)),
  }),
});
