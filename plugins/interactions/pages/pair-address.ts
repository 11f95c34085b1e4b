/** Page /interactions/{first_name}/{second_name}: redirects two names in any order to the one page of the pair. */
import { Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import type { InteractionServices } from '../services.ts';
import { placeOfPair } from './elsewhere.ts';
import { InteractionView } from './interaction-view.ts';

const Name = Type.String({ maxLength: 120 });

export const pairAddress = definePage({
  id: 'interactions.pair',
  path: '/interactions/{first_name}/{second_name}',
  summary: 'Leads to the page of a pair, or to what the checker says of the two',
  template: 'interactions/interaction',
  params: Type.Object({ first_name: Name, second_name: Name }),
  view: InteractionView,
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async ({ services }: Context<InteractionServices>, { params }) => {
    const { first_name: first, second_name: second } = params;
    const book = await services.book();
    const names = services.names(book);
    const place = await placeOfPair(book, names, [first, second]);
    if (place) return place;
    const near = (
      await Promise.all([first, second].map((name) => names.near(name.replaceAll('-', ' '), 'any', 3)))
    ).flat();
    const href = ({ kind, slug }: (typeof near)[number]): string =>
      `/interactions/${book.hubOf(kind === 'drug' || kind === 'class' ? kind : 'subject', slug)}`;
    return {
      missing: {
        resource: 'Interaction',
        id: `${first}/${second}`,
        near: near.map((one) => ({ name: one.name, href: href(one) })),
      },
    };
  },
});
