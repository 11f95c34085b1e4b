/** Defines GET /search/suggest, which the search boxes of the site call while a reader types. */
import type { Static } from 'typebox';
import { defineRoute } from '#core/plugin.ts';
import { foldName } from '#core/search/name-index.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { BoxQuery, BoxReply } from './schemas.ts';
import type { ExploreServices } from './services.ts';
import { otherNames, type Suggestion, type SuggestKind } from './suggest.ts';
import { kindsOf } from './suggest-route.ts';

const KIND_NAMES: Readonly<Record<SuggestKind, string>> = {
  supplement: 'supplement',
  condition: 'condition',
  drug: 'medicine',
  drug_class: 'group of medicines',
  vertical: 'question with sources',
  brand: 'brand',
  topic: 'studies',
  substance: 'not a supplement page here',
};

/** Returns the other name that contains the letters, when the shown name does not; "a guess" for a corrected misspelling. */
const noteOf = (hit: Suggestion, q: string, terms: Terms): string => {
  const wanted = foldName(q);
  if (hit.match_type === 'typo') return 'a guess';
  if (foldName(hit.name).includes(wanted)) return '';
  const other = otherNames(hit, terms).find((name) => foldName(name).includes(wanted));
  return other ? `also ${other}` : '';
};

const PLAIN_KINDS: ReadonlySet<string> = new Set(['food', 'additive', 'supplement']);

/** Returns the kind in words: "food", "additive", "banned substance", or "banned supplement" for a supplement with a page. */
const kindName = ({ kind, id }: Suggestion, { substances }: Terms): string => {
  const status = substances.get(id)?.kind ?? '';
  if (kind === 'supplement') return `${status} supplement`.trim();
  if (kind !== 'substance') return KIND_NAMES[kind];
  return PLAIN_KINDS.has(status) ? status : `${status} substance`.trim();
};

type Item = Static<typeof BoxReply>['items'][number];

const itemOf = (hit: Suggestion, q: string, terms: Terms): Item => ({
  name: hit.name,
  kind: hit.kind,
  kind_name: kindName(hit, terms),
  note: noteOf(hit, q, terms),
  url: hit.url || `/search?${new URLSearchParams({ q: hit.name })}`,
});

export const boxRoute = defineRoute<ExploreServices, { query: typeof BoxQuery }>({
  id: 'search.box',
  method: 'GET',
  path: '/search/suggest',
  summary: 'Names for the search box of the site',
  description:
    'The names of /api/suggest with their kind in words and an address for each. It belongs to the pages and counts against no quota; integrations use /api/suggest.',
  tag: 'Search',
  access: 'public',
  // A fast typist sends about a hundred requests a minute at most.
  throttle: { bucket: 'box', perMinute: 240 },
  request: { query: BoxQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'Names, best first', schema: BoxReply }],
  raises: ['validation_failed'],
  handle: async ({ services, use }, { query }) => {
    const q = query.q.trim();
    const [hits, terms] = [await services.suggest(q, 8, kindsOf(query.kind)), await use(vocabularyPlugin).terms()];
    return {
      body: { query: query.q, items: hits.map((hit) => itemOf(hit, q, terms)) },
      headers: { 'Cache-Control': 'public, max-age=300' },
    };
  },
});
