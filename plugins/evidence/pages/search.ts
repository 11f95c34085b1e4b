/** Page /search/evidence: a search box, and for each hit the reasons why it matches. */

import { type Static, Type } from 'typebox';
import { searchLeavesMachine } from '#core/models/model-settings.ts';
import { Permission } from '#core/models/permission.ts';
import { type Context, definePage } from '#core/plugin.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { checkYears } from '../check-years.ts';
import type { Tier } from '../schemas.ts';
import type { EvidenceAnswer } from '../search.ts';
import type { EvidenceServices } from '../services.ts';
import { readStats } from '../stats.ts';
import { namedIn, nearSupplements } from './near.ts';
import { reasonsInWords } from './reasons.ts';
import { ExportView, exportsOf } from './search-exports.ts';
import { FACET_FIELDS, FacetView, facetViews, filterLinks } from './search-facets.ts';
import { addressOfSearch, SearchQuery } from './search-query.ts';
import { byName, CLASS_WORDS, inSentence, LinkView, SourceView, toSourceView } from './views.ts';

const Hit = Type.Object({
  place: Type.Integer(),
  source: SourceView,
  reasons: Type.Array(Type.String()),
  verticals: Type.Array(LinkView),
});

const SearchView = Type.Object({
  query: Type.String(),
  topK: Type.Integer(),
  sourceClass: Type.String(),
  classes: Type.Array(Type.Object({ value: Type.String(), name: Type.String() })),
  excludeOffPlan: Type.Boolean(),
  /** Whether the search can use external models, with the person's consent. */
  asksConsent: Type.Boolean(),
  hasConsent: Type.Boolean(),
  hits: Type.Array(Hit),
  total: Type.Integer(),
  hidden: Type.Integer(),
  /** Groups of links that narrow the search. */
  facets: Type.Array(FacetView),
  /** Active filters, each with the link of the same search without it. */
  filters: Type.Array(LinkView),
  /** The corrected query that was searched, and the link for the query as typed; null when nothing was corrected. */
  corrected: Type.Union([
    Type.Object({
      query: Type.String(),
      words: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
      typedHref: Type.String(),
    }),
    Type.Null(),
  ]),
  warnings: Type.Array(Type.String()),
  exports: Type.Union([ExportView, Type.Null()]),
  /** Link of the same search over everything, or limited to the plan. */
  otherHref: Type.String(),
  pages: Type.Array(LinkView),
  near: Type.Array(LinkView),
});
type SearchView = Static<typeof SearchView>;

const verticalLinks = (verticals: readonly string[], terms: Terms, nameOf: EvidenceNames): LinkView[] =>
  verticals.slice(0, 4).flatMap((vertical) => {
    const name = nameOf(vertical, terms);
    return name ? [{ name, href: `/evidence/${vertical}` }] : [];
  });

type EvidenceNames = (vertical: string, terms: Terms) => string | null;

/** Returns links to pages that the query names: supplements, and pairs of supplement and topic that have sources. */
const namedPages = async ({ db }: Context<EvidenceServices>, query: string, terms: Terms): Promise<LinkView[]> => {
  const { supplements, topics } = namedIn(query, terms);
  const pairs = supplements.flatMap((supplement) => topics.map((topic) => ({ supplement, topic }))).slice(0, 20);
  const wanted = pairs.map(({ supplement, topic }) => `${supplement.slug}-${topic.slug}`);
  const rows = wanted.length
    ? ((await db.read((em) =>
        em.execute(
          'select distinct vertical from evidence_vertical where vertical in (select jsonb_array_elements_text(?::jsonb))',
          [JSON.stringify(wanted)],
        ),
      )) as unknown as { vertical: string }[])
    : [];
  const here = new Set(rows.map(({ vertical }) => vertical));
  return [
    ...supplements.map(({ name, slug }) => ({ name, href: `/supplements/${slug}` })).sort(byName),
    ...pairs
      .map(({ supplement, topic }) => ({
        name: `${supplement.name} and ${inSentence(topic.name)}`,
        vertical: `${supplement.slug}-${topic.slug}`,
      }))
      .filter(({ vertical }) => here.has(vertical))
      .map(({ name, vertical }) => ({ name, href: `/evidence/${vertical}` }))
      .sort(byName),
  ].slice(0, 8);
};

interface Found {
  readonly answer: EvidenceAnswer;
  readonly hidden: number;
}

const find = async (context: Context<EvidenceServices>, query: SearchQuery): Promise<Found> => {
  const { services, signal } = context;
  const minTier = query.min_quality_tier.toUpperCase() as Tier | '';
  const base = {
    text: query.q.trim(),
    limit: query.top_k,
    sourceClass: query.source_class || undefined,
    vertical: query.vertical || undefined,
    evidenceLevels: query.evidence_level ? [query.evidence_level] : [],
    species: query.species ? [query.species] : [],
    ...(minTier && { minTier }),
    yearFrom: query.year_from,
    yearTo: query.year_to,
    excludeRetracted: query.exclude_retracted,
    correct: query.correct,
    permission: Permission.ofPerson(query.model_consent),
    facets: FACET_FIELDS,
    signal,
  };
  const plan = query.exclude_off_plan ? [...(await services.plan()).verticals].sort() : [];
  if (!plan.length) return { answer: await services.search(base), hidden: 0 };
  const answer = await services.search({ ...base, verticals: plan });
  const all = await services.search({ ...base, limit: 1, facets: [], rerank: false });
  return { answer, hidden: Math.max(0, all.total - answer.total) };
};

const hitsOf = ({ records, rows }: EvidenceAnswer, linksOf: (verticals: readonly string[]) => LinkView[]) => {
  const byId = new Map(rows.map((row) => [row.sourceId, row]));
  return records.flatMap((record, at) => {
    const row = byId.get(record.source_id);
    if (!row) return [];
    const reasons = reasonsInWords(record);
    return [{ place: at + 1, source: toSourceView(row), reasons, verticals: linksOf(row.verticals) }];
  });
};

/** Returns the vertical of the first question that the query names, or "". */
const questionIn = (pages: readonly LinkView[]): string =>
  pages.find(({ href }) => href.startsWith('/evidence/'))?.href.slice('/evidence/'.length) ?? '';

/** Builds the parts of the view that depend on the search result; all are empty without a query. */
const foundView = (
  query: SearchQuery,
  { found, pages }: { readonly found: Found | null; readonly pages: readonly LinkView[] },
  nameOf: (vertical: string) => string | null,
) => {
  if (!found) return { total: 0, hidden: 0, facets: [], corrected: null, warnings: [], exports: null };
  const { answer, hidden } = found;
  const { corrected } = answer;
  return {
    total: answer.total,
    hidden,
    facets: facetViews(answer.facets, query, nameOf),
    corrected: corrected && {
      query: corrected.query,
      words: corrected.words.map(({ from, to }) => ({ from, to })),
      typedHref: addressOfSearch({ ...query, correct: false }),
    },
    warnings: answer.warnings.filter(({ code }) => code !== 'nothing_found').map(({ message }) => message),
    exports: exportsOf(query.vertical || questionIn(pages), answer.rows, nameOf),
  };
};

const loadSearch = async (context: Context<EvidenceServices>, query: SearchQuery) => {
  checkYears(query);
  const text = query.q.trim();
  const vocabulary = context.use(vocabularyPlugin);
  const terms = await vocabulary.terms();
  const { byClass } = await context.db.read(readStats);
  const nameOf: EvidenceNames = (vertical, words) => {
    const named = vocabulary.verticalName(vertical, words);
    return named && `${named.supplement.name} and ${inSentence(named.topic.name)}`;
  };
  const found = text ? await find(context, query) : null;
  const classes = [...new Set([...Object.keys(byClass), query.source_class].filter(Boolean))];
  const pages = text ? await namedPages(context, found?.answer.corrected?.query ?? text, terms) : [];
  const view: SearchView = {
    ...foundView(query, { found, pages }, (vertical) => nameOf(vertical, terms)),
    query: text,
    topK: query.top_k,
    sourceClass: query.source_class,
    classes: classes.map((value) => ({ value, name: CLASS_WORDS[value] ?? value })).sort(byName),
    excludeOffPlan: query.exclude_off_plan,
    asksConsent: searchLeavesMachine(context.config),
    hasConsent: query.model_consent,
    hits: found ? hitsOf(found.answer, (verticals) => verticalLinks(verticals, terms, nameOf)) : [],
    filters: filterLinks(query, (vertical) => nameOf(vertical, terms)),
    otherHref: addressOfSearch({ ...query, exclude_off_plan: !query.exclude_off_plan }),
    pages,
    near: text ? [...nearSupplements(text, terms)] : [],
  };
  const title = text ? `Evidence on “${text.slice(0, 80)}”` : 'Search the evidence';
  const description = 'Search every graded source of the base by words and by meaning, and see why each one was found.';
  return { head: { title, description, noindex: text !== '' }, view };
};

export const searchPage = definePage({
  id: 'evidence.search',
  path: '/search/evidence',
  summary: 'Search over all sources, with the reason for each hit',
  template: 'evidence/search',
  query: SearchQuery,
  view: SearchView,
  scope: 'public',
  sitemap: null,
  revision: 2,
  load: (context: Context<EvidenceServices>, { query }) => loadSearch(context, query),
});
