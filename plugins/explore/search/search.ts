/** One query over every kind: what it names, what the checker says, and the hits of each kind. */
import type { Context } from '#core/plugin.ts';
import {
  evidencePlugin,
  inSentence,
  namedIn,
  nearSupplements,
  readVerticalCounts,
  type VerticalCount,
} from '#plugins/evidence/index.ts';
import { type InteractionBook, interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { ExploreServices } from '../services.ts';
import { checkFirst } from './check-first.ts';
import { KIND_WORDS, type KindHits, NO_HITS, SEARCH_KINDS, type SearchKind, type Slice, sliceOf } from './hits.ts';
import { interactionHits, sidesOf } from './interaction-hits.ts';
import { conditionHits, supplementHits } from './named-hits.ts';
import type { QueryName } from './query-names.ts';
import { type Reading, readSearch } from './reading.ts';
import type { SearchQuery, SearchView, SectionView } from './search-view.ts';
import { productHits, sourceHits } from './source-hits.ts';

const PAGE_SIZE = 20;
/** Of each kind, where all stand on one page. */
const FEW = 4;
/** Deeper than that nobody turns pages. */
const DEEPEST_SOURCE = 1_000;

const EMERGENCY =
  /\b(overdos\w*|poison(?:ed|ing)|swallowed|suicid\w*|kill myself|self[- ]?harm\w*|chest pains?|can(?:no|')t breathe|anaphyla\w*)\b/i;

const KIND_NAMES: Readonly<Record<QueryName['kind'], string>> = {
  supplement: 'supplement',
  condition: 'condition',
  substance: 'not a supplement page here',
  drug: 'medicine',
  class: 'group of medicines',
};

export const addressOfSearch = (query: string, kind: string, page = 1): string => {
  const given = new URLSearchParams({ q: query });
  if (kind) given.set('type_filter', kind);
  if (page > 1) given.set('page', String(page));
  return `/search?${given}`;
};

const hrefOf = ({ kind, slug }: QueryName, book: InteractionBook): string => {
  if (kind === 'supplement' || kind === 'condition') return `/${kind}s/${slug}`;
  if (kind === 'substance') return book.address(slug) ? `/interactions/${slug}` : '';
  return `/interactions/${book.hubOf(kind, slug)}`;
};

const resolvedView = (names: readonly QueryName[], book: InteractionBook, terms: Terms): SearchView['resolved'] =>
  names.map((name) => {
    const substance = name.kind === 'substance' ? terms.substances.get(name.slug) : undefined;
    const kind = substance && substance.kind !== 'food' ? `${substance.kind} substance` : KIND_NAMES[name.kind];
    const { words, sure } = name;
    return { words, sure, name: name.name, kind, href: hrefOf(name, book), note: substance?.statement ?? '' };
  });

const questionsOf = (text: string, names: readonly QueryName[], terms: Terms, counts: readonly VerticalCount[]) => {
  const supplements = new Set(names.flatMap(({ kind, slug }) => (kind === 'supplement' ? [slug] : [])));
  const topics = new Set(namedIn(text, terms).topics.map(({ slug }) => slug));
  return counts
    .filter(({ supplement, topic }) => supplements.has(supplement) && topics.has(topic))
    .map(({ vertical, supplement, topic }) => ({
      name: `${terms.supplements.get(supplement)?.name ?? supplement} and ${inSentence(terms.topics.get(topic)?.name ?? topic)}`,
      href: `/evidence/${vertical}`,
    }));
};

/** Topics that a condition of the query stands for, or that the query names itself. */
const topicsOf = (text: string, names: readonly QueryName[], terms: Terms) => {
  const ofConditions = names.flatMap(({ kind, slug }) =>
    kind === 'condition' ? (terms.conditions.get(slug)?.topics ?? []) : [],
  );
  const slugs = new Set([...ofConditions, ...namedIn(text, terms).topics.map(({ slug }) => slug)]);
  return [...slugs].flatMap((slug) => terms.topics.get(slug) ?? []);
};

/** Labels do not name medicines: those words would only be misread for others. */
const wordsOfProducts = (text: string, names: readonly QueryName[]): string => {
  const medicines = names.filter(({ kind }) => kind === 'drug' || kind === 'class');
  const rest = medicines.reduce((left, { words }) => left.replace(words, ' '), text);
  return /[\p{L}\d]/u.test(rest) ? rest.replace(/\s+/g, ' ').trim() : text;
};

type Found = KindHits & { readonly notes?: readonly string[] };

const sectionOf = (kind: SearchKind, found: Found, at: { query: SearchQuery; slice: Slice }): SectionView => {
  const { q, type_filter: chosen, page } = at.query;
  const { offset, limit } = at.slice;
  const shown = offset + found.hits.length;
  return {
    kind,
    title: KIND_WORDS[kind].many,
    total: found.total,
    first: offset + 1,
    hits: [...found.hits],
    notes: [...(found.notes ?? [])],
    allHref: !chosen && found.total > found.hits.length ? addressOfSearch(q, kind) : '',
    previousHref: chosen && page > 1 ? addressOfSearch(q, kind, page - 1) : '',
    nextHref:
      chosen && shown < found.total && offset + limit < DEEPEST_SOURCE ? addressOfSearch(q, kind, page + 1) : '',
  };
};

interface Asked {
  readonly query: SearchQuery;
  readonly reading: Reading;
  readonly terms: Terms;
  readonly book: InteractionBook;
  readonly counts: readonly VerticalCount[];
  sliceFor(kind: SearchKind): Slice;
}

const findKinds = async (
  { use }: Context<ExploreServices>,
  { query, reading, terms, book, counts, sliceFor }: Asked,
): Promise<Readonly<Record<SearchKind, Found>>> => {
  const { names, text, also, sources } = reading;
  const search = { query: query.q, names, vocabulary: use(vocabularyPlugin), terms };
  const supplements = await supplementHits(search, { topics: topicsOf(text, names, terms), counts });
  const notes = also.length ? [`Searched for ${also.join(' and ')} as well, which your words stand for.`] : [];
  return {
    interaction: sliceOf(interactionHits(book, sidesOf(names)), sliceFor('interaction')),
    supplement: sliceOf(supplements, sliceFor('supplement')),
    condition: sliceOf(await conditionHits(search), sliceFor('condition')),
    source: { ...sourceHits(sources), notes },
    product: await productHits(use(productsPlugin), wordsOfProducts(text, names), sliceFor('product')),
    // None in this base yet.
    article: NO_HITS,
    biomarker: NO_HITS,
  };
};

/** Looks for a query in every kind; those that are not chosen are only counted. */
export const searchAll = async (context: Context<ExploreServices>, query: SearchQuery): Promise<SearchView> => {
  const { use, db, services } = context;
  const [vocabulary, interactions, evidence] = [use(vocabularyPlugin), use(interactionsPlugin), use(evidencePlugin)];
  const [terms, book] = [await vocabulary.terms(), await interactions.book()];
  const chosen = query.type_filter as SearchKind | '';
  const page = { offset: (query.page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const sliceFor = (kind: SearchKind): Slice => (chosen === kind ? page : { offset: 0, limit: chosen ? 1 : FEW });
  const reading = await readSearch(query.q, { vocabulary, book, evidence }, sliceFor('source'));
  const { names, text, corrected, sources } = reading;
  const counts = await db.read(readVerticalCounts);
  const all = await findKinds(context, { query, reading, terms, book, counts, sliceFor });
  const check = await checkFirst(interactions, sidesOf(names));
  // The one pair that the checker has answered already need not stand there twice.
  const isRepeat = (kind: SearchKind): boolean => kind === 'interaction' && check !== null && all[kind].total === 1;
  const shown = SEARCH_KINDS.filter((kind) => (chosen ? kind === chosen : all[kind].total > 0 && !isRepeat(kind)));
  const total = SEARCH_KINDS.reduce((sum, kind) => sum + all[kind].total, 0);
  return {
    query: query.q,
    chosen,
    tabs: tabsOf(query, all, total),
    resolved: resolvedView(names, book, terms),
    corrected,
    check,
    isEmergency: EMERGENCY.test(query.q),
    questions: questionsOf(text, names, terms, counts),
    sections: shown.map((kind) => sectionOf(kind, all[kind], { query, slice: sliceFor(kind) })),
    total,
    warnings: sources.total ? sources.warnings.map(({ message }) => message) : [],
    near: names.length ? [] : await nearOf(services, query.q, terms),
  };
};

const tabsOf = (query: SearchQuery, all: Readonly<Record<SearchKind, Found>>, total: number): SearchView['tabs'] => [
  { name: 'Everything', href: addressOfSearch(query.q, ''), count: total, chosen: query.type_filter === '' },
  ...SEARCH_KINDS.map((kind) => ({
    name: KIND_WORDS[kind].many,
    href: addressOfSearch(query.q, kind),
    count: all[kind].total,
    chosen: query.type_filter === kind,
  })),
];

const nearOf = async (services: ExploreServices, text: string, terms: Terms) => {
  const suggested = (await services.suggest(text.slice(0, 200), 6, [])).filter(({ url }) => url);
  const near = suggested.map(({ name, url }) => ({ name, href: url }));
  return near.length ? near : [...nearSupplements(text, terms)];
};
