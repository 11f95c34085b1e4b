/** Searches all kinds with one query: names, interaction check, card of the best match, and the hits of each kind. */
import type { Context } from '#core/plugin.ts';
import { foldName } from '#core/search/name-index.ts';
import { articlesPlugin } from '#plugins/articles/index.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import {
  evidencePlugin,
  nearSupplements,
  readSupplementCounts,
  readVerticalCounts,
  type VerticalCount,
} from '#plugins/evidence/index.ts';
import { type InteractionBook, interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { ExploreServices } from '../services.ts';
import { articleHits } from './article-hits.ts';
import { type BestView, bestAnswer, bestName } from './best-answer.ts';
import { biomarkerHits } from './biomarker-hits.ts';
import { checkFirst } from './check-first.ts';
import { type HitView, SEARCH_KINDS, type SearchKind, type Slice, sliceOf } from './hits.ts';
import { interactionHits, sidesOf } from './interaction-hits.ts';
import { conditionHits, supplementHits } from './named-hits.ts';
import { type Reading, readSearch } from './reading.ts';
import { questionsOf, resolvedView, topicsOf, wordsOfProducts } from './resolved.ts';
import type { SearchQuery, SearchView } from './search-view.ts';
import { type FoundKinds, sectionOf, tabsOf } from './sections.ts';
import { productHits, sourceHits } from './source-hits.ts';

const PAGE_SIZE = 20;
/** Number of hits of each kind when all kinds are on one page. */
const FEW = 4;

const EMERGENCY =
  /\b(overdos\w*|poison(?:ed|ing)|swallowed|suicid\w*|kill myself|self[- ]?harm\w*|chest pains?|can(?:no|')t breathe|anaphyla\w*)\b/i;

interface Asked {
  readonly query: SearchQuery;
  readonly reading: Reading;
  readonly terms: Terms;
  readonly book: InteractionBook;
  readonly counts: readonly VerticalCount[];
  readonly interactions: readonly HitView[];
  sliceFor(kind: SearchKind): Slice;
}

const findKinds = async ({ use }: Context<ExploreServices>, asked: Asked): Promise<FoundKinds> => {
  const { query, reading, terms, counts, interactions, sliceFor } = asked;
  const { names, text, also, sources } = reading;
  const search = { query: query.q, names, vocabulary: use(vocabularyPlugin), terms };
  const supplements = await supplementHits(search, { topics: topicsOf(text, names, terms), counts });
  const notes = also.length ? [`Searched for ${also.join(' and ')} as well, which your words stand for.`] : [];
  return {
    interaction: sliceOf(interactions, sliceFor('interaction')),
    supplement: sliceOf(supplements, sliceFor('supplement')),
    condition: sliceOf(await conditionHits(search), sliceFor('condition')),
    source: { ...sourceHits(sources), notes },
    product: await productHits(use(productsPlugin), {
      query: wordsOfProducts(text, names),
      known: names.flatMap(({ words, sure }) => (sure ? foldName(words).split(' ') : [])),
      ...sliceFor('product'),
    }),
    article: {
      ...sliceOf(await articleHits(use(articlesPlugin), { text, names }), sliceFor('article')),
      holdsNone: (await use(articlesPlugin).count()) === 0,
    },
    biomarker: {
      ...sliceOf(await biomarkerHits(use(biomarkersPlugin), { text, names }), sliceFor('biomarker')),
      holdsNone: (await use(biomarkersPlugin).rows()).length === 0,
    },
  };
};

const bestOf = async (
  { db }: Context<ExploreServices>,
  { reading, terms, book, interactions }: Asked,
): Promise<BestView | null> => {
  const name = bestName(reading.names);
  const counts = name?.kind === 'supplement' ? await db.read(readSupplementCounts) : [];
  const count = counts.find(({ supplement }) => supplement === name?.slug) ?? null;
  return bestAnswer(name, { terms, book, count, interactions });
};

/** Searches all kinds. When one kind is chosen, the others are only counted. */
export const searchAll = async (context: Context<ExploreServices>, query: SearchQuery): Promise<SearchView> => {
  const { use, db, services } = context;
  const [vocabulary, interactions, evidence] = [use(vocabularyPlugin), use(interactionsPlugin), use(evidencePlugin)];
  const [terms, book] = [await vocabulary.terms(), await interactions.book()];
  const chosen = query.type_filter as SearchKind | '';
  const page = { offset: (query.page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const sliceFor = (kind: SearchKind): Slice => (chosen === kind ? page : { offset: 0, limit: chosen ? 1 : FEW });
  const reading = await readSearch(query.q, { vocabulary, book, evidence }, sliceFor('source'));
  const { names, corrected, sources, isAway } = reading;
  const sides = sidesOf(names);
  const counts = await db.read(readVerticalCounts);
  const asked = { query, reading, terms, book, counts, interactions: interactionHits(book, sides), sliceFor };
  const all = await findKinds(context, asked);
  const check = await checkFirst(interactions, sides);
  const best = check || chosen ? null : await bestOf(context, asked);
  const total = SEARCH_KINDS.reduce((sum, kind) => sum + all[kind].total, 0);
  return {
    query: query.q,
    chosen,
    tabs: tabsOf(query, all, total),
    resolved: resolvedView(names, book, terms),
    corrected,
    check,
    best,
    isEmergency: EMERGENCY.test(query.q),
    questions: chosen ? [] : questionsOf(reading, terms, { counts, grades: await use(outcomesPlugin).all() }),
    sections: shownKinds(all, { chosen, check, best }).map((kind) =>
      sectionOf(kind, all[kind], { query, slice: sliceFor(kind) }),
    ),
    total,
    warnings: sources.total ? sources.warnings.map(({ message }) => message) : [],
    isAway,
    near: names.length ? [] : await nearOf(services, query.q, terms),
  };
};

interface Above {
  readonly chosen: SearchKind | '';
  readonly check: SearchView['check'];
  readonly best: BestView | null;
}

/** Returns the kinds to show. Omits a kind whose only hit is already shown above, as the check or as the card. */
const shownKinds = (all: FoundKinds, { chosen, check, best }: Above): SearchKind[] => {
  if (chosen) return [chosen];
  const isRepeat = (kind: SearchKind): boolean => {
    const { total, hits } = all[kind];
    if (total !== 1) return false;
    return (kind === 'interaction' && check !== null) || (best !== null && hits[0]?.href === best.href);
  };
  return SEARCH_KINDS.filter((kind) => all[kind].total > 0 && !isRepeat(kind));
};

const nearOf = async (services: ExploreServices, text: string, terms: Terms) => {
  const suggested = (await services.suggest(text.slice(0, 200), 6, [])).filter(({ url }) => url);
  const near = suggested.map(({ name, url }) => ({ name, href: url }));
  return near.length ? near : [...nearSupplements(text, terms)];
};
