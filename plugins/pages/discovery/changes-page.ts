/** /changes: the newest changes of the base, day by day; the same as its Atom feed. */
import { Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { breadcrumbs, dayInWords, versionOf } from '#plugins/evidence/index.ts';
import type { ToldChange } from './change-words.ts';
import { changesOfAll } from './changes.ts';

const ChangesView = Type.Object({
  crumbs: Type.Array(Type.Object({ name: Type.String(), href: Type.String() })),
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      changes: Type.Array(
        Type.Object({
          title: Type.String(),
          /** "" where no page is about it alone. */
          href: Type.String(),
          things: Type.Array(Type.Object({ text: Type.String(), href: Type.String() })),
          more: Type.Integer(),
        }),
      ),
    }),
  ),
});

const crumbs = [{ name: 'What changed', href: '/changes' }];

const changeView = ({ title, href, things, more }: ToldChange) => ({
  title,
  href: things.length === 1 && !more ? href : '',
  // One thing is told by its title.
  things: things.length === 1 && !more ? [] : things.map((thing) => ({ ...thing })),
  more,
});

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
  revision: 1,
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
