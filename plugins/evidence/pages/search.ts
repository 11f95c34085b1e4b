/** /search/evidence: one box, and for each hit why it is there. */
import { type Static, Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { EvidenceServices } from '../services.ts';
import { readStats } from '../stats.ts';
import { namedIn, nearSupplements } from './near.ts';
import { byName, CLASS_WORDS, inSentence, LinkView, SourceView, toSourceView } from './views.ts';

const REASON_WORDS: Readonly<Record<string, string>> = {
  bm25: 'holds words of the query',
  semantic: 'is close in meaning',
  rrf_primary: 'is among the first ten by both',
};

const Hit = Type.Object({
  place: Type.Integer(),
  source: SourceView,
  reasons: Type.Array(Type.String()),
  matched: Type.Array(Type.String()),
  verticals: Type.Array(LinkView),
});

const SearchView = Type.Object({
  query: Type.String(),
  topK: Type.Integer(),
  sourceClass: Type.String(),
  classes: Type.Array(Type.Object({ value: Type.String(), name: Type.String() })),
  excludeOffPlan: Type.Boolean(),
  hits: Type.Array(Hit),
  total: Type.Integer(),
  hidden: Type.Integer(),
  /** The same search with everything shown, or only what is on the plan. */
  otherHref: Type.String(),
  pages: Type.Array(LinkView),
  near: Type.Array(LinkView),
});
type SearchView = Static<typeof SearchView>;

const SearchQuery = Type.Object({
  q: Type.String({ maxLength: 500, default: '' }),
  top_k: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  source_class: Type.String({ maxLength: 100, default: '' }),
  exclude_off_plan: Type.Boolean({ default: true }),
});
type SearchQuery = Static<typeof SearchQuery>;

const addressOfSearch = (query: SearchQuery): string => {
  const given = new URLSearchParams({ q: query.q.trim() });
  if (query.top_k !== 10) given.set('top_k', String(query.top_k));
  if (query.source_class) given.set('source_class', query.source_class);
  if (!query.exclude_off_plan) given.set('exclude_off_plan', 'false');
  return `/search/evidence?${given}`;
};

const verticalLinks = (verticals: readonly string[], terms: Terms, nameOf: EvidenceNames): LinkView[] =>
  verticals.slice(0, 4).flatMap((vertical) => {
    const name = nameOf(vertical, terms);
    return name ? [{ name, href: `/evidence/${vertical}` }] : [];
  });

type EvidenceNames = (vertical: string, terms: Terms) => string | null;

/** Pages that the query names outright: the supplement, and the supplement with the topic where there are sources. */
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

const find = async (context: Context<EvidenceServices>, query: SearchQuery) => {
  const { services } = context;
  const base = { text: query.q.trim(), limit: query.top_k, sourceClass: query.source_class || undefined };
  const plan = query.exclude_off_plan ? [...(await services.plan())].sort() : [];
  if (!plan.length) return { answer: await services.search(base), hidden: 0 };
  const answer = await services.search({ ...base, verticals: plan });
  const all = await services.search({ ...base, limit: 1 });
  return { answer, hidden: Math.max(0, all.total - answer.total) };
};

const loadSearch = async (context: Context<EvidenceServices>, query: SearchQuery) => {
  const text = query.q.trim();
  const vocabulary = context.use(vocabularyPlugin);
  const terms = await vocabulary.terms();
  const { byClass } = await context.db.read(readStats);
  const nameOf: EvidenceNames = (vertical, words) => {
    const found = vocabulary.verticalName(vertical, words);
    return found && `${found.supplement.name} and ${inSentence(found.topic.name)}`;
  };
  const found = text ? await find(context, query) : null;
  const rows = new Map(found?.answer.rows.map((row) => [row.sourceId, row]));
  const hits = (found?.answer.records ?? []).flatMap((record, at) => {
    const row = rows.get(record.source_id);
    if (!row) return [];
    const reasons = record.rank_reasons.map((reason) => REASON_WORDS[reason] ?? reason);
    const links = verticalLinks(row.verticals, terms, nameOf);
    return [
      {
        place: at + 1,
        source: toSourceView(row),
        reasons,
        matched: [...record.rank_explain.matched],
        verticals: links,
      },
    ];
  });
  const classes = [...new Set([...Object.keys(byClass), query.source_class].filter(Boolean))];
  const view: SearchView = {
    query: text,
    topK: query.top_k,
    sourceClass: query.source_class,
    classes: classes.map((value) => ({ value, name: CLASS_WORDS[value] ?? value })).sort(byName),
    excludeOffPlan: query.exclude_off_plan,
    hits,
    total: found?.answer.total ?? 0,
    hidden: found?.hidden ?? 0,
    otherHref: addressOfSearch({ ...query, exclude_off_plan: !query.exclude_off_plan }),
    pages: text ? await namedPages(context, text, terms) : [],
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
  revision: 1,
  load: (context: Context<EvidenceServices>, { query }) => loadSearch(context, query),
});
