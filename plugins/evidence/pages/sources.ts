/** Page /explore/sources: every source, filtered and paginated, strongest first. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { EvidenceServices } from '../services.ts';
import { countSources, listSources } from '../source-list.ts';
import { byName, CLASS_WORDS, inSentence, LinkView, latest, SourceView, toSourceView, versionOf } from './views.ts';

const PAGE_SIZE = 25;

const SourcesView = Type.Object({
  sourceClass: Type.String(),
  year: Type.Integer(),
  page: Type.Integer(),
  pages: Type.Integer(),
  total: Type.Integer(),
  first: Type.Integer(),
  classes: Type.Array(Type.Object({ value: Type.String(), name: Type.String(), count: Type.Integer() })),
  sources: Type.Array(Type.Object({ source: SourceView, verticals: Type.Array(LinkView) })),
  firstHref: Type.String(),
  previousHref: Type.String(),
  nextHref: Type.String(),
});
type SourcesView = Static<typeof SourcesView>;

const SourcesQuery = Type.Object({
  source_class: Type.String({ maxLength: 100, default: '' }),
  year: Type.Integer({ minimum: 0, maximum: 2100, default: 0, description: '0 shows all years.' }),
  page: Type.Integer({ minimum: 1, maximum: 40_000, default: 1 }),
});
type SourcesQuery = Static<typeof SourcesQuery>;

/** Returns the URL of a page of the list, without default parameters. */
export const sourcesHref = ({ source_class: kind, year, page }: SourcesQuery): string => {
  const given = new URLSearchParams();
  if (kind) given.set('source_class', kind);
  if (year) given.set('year', String(year));
  if (page > 1) given.set('page', String(page));
  return given.size ? `/explore/sources?${given}` : '/explore/sources';
};

const CLASSES = `select source_class as value, count(*)::int as count from evidence_source
  where removed_at is null group by 1`;

const loadSources = async (context: Context<EvidenceServices>, query: SourcesQuery) => {
  const { db, use } = context;
  const vocabulary = use(vocabularyPlugin);
  const terms = await vocabulary.terms();
  const filter = {
    sourceClass: query.source_class || undefined,
    yearFrom: query.year || undefined,
    yearTo: query.year || undefined,
    excludeRetracted: false,
  };
  const { classes, total, rows } = await db.read(async (em) => ({
    classes: (await em.execute(CLASSES)) as unknown as { value: string; count: number }[],
    total: await countSources(em, filter),
    rows: await listSources(em, filter, { limit: PAGE_SIZE, offset: (query.page - 1) * PAGE_SIZE }),
  }));
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const nameOf = (vertical: string): LinkView[] => {
    const found = vocabulary.verticalName(vertical, terms);
    const name = found && `${found.supplement.name} and ${inSentence(found.topic.name)}`;
    return name ? [{ name, href: `/evidence/${vertical}` }] : [];
  };
  const view: SourcesView = {
    sourceClass: query.source_class,
    year: query.year,
    page: query.page,
    pages,
    total,
    first: (query.page - 1) * PAGE_SIZE + 1,
    classes: classes.map(({ value, count }) => ({ value, count, name: CLASS_WORDS[value] ?? value })).sort(byName),
    sources: rows.map((row) => ({ source: toSourceView(row), verticals: row.verticals.slice(0, 3).flatMap(nameOf) })),
    firstHref: sourcesHref({ ...query, page: 1 }),
    previousHref: query.page > 1 && query.page <= pages ? sourcesHref({ ...query, page: query.page - 1 }) : '',
    nextHref: query.page < pages ? sourcesHref({ ...query, page: query.page + 1 }) : '',
  };
  const kind =
    query.source_class &&
    `, ${((Object.hasOwn(CLASS_WORDS, query.source_class) && CLASS_WORDS[query.source_class]) || query.source_class).toLowerCase()}`;
  const title = `All sources${kind}${query.year ? `, ${query.year}` : ''}${query.page > 1 ? `, page ${query.page}` : ''}`;
  const description =
    'Every source of the base with its design, size and tier, strongest first; filter by kind and year.';
  return { head: { title, description, noindex: sourcesHref(query) !== '/explore/sources' }, view };
};

const STATE = `select count(*)::int as n, coalesce(max(revision), 0)::text as revision, coalesce(sum(revision), 0)::text as revisions,
  to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from evidence_source where removed_at is null`;

async function* listSourcePages({ db, use }: Context<EvidenceServices>): AsyncIterable<PageInstance> {
  const { supplements, topics } = await use(vocabularyPlugin).terms();
  const [state] = (await db.read((em) => em.execute(STATE))) as unknown as { last: string | null }[];
  const names = [...supplements.values(), ...topics.values()].map(({ slug, name }) => [slug, name]);
  yield { params: {}, version: versionOf(state, names), changedAt: latest([state?.last]) };
}

export const exploreSourcesPage = definePage({
  id: 'evidence.sources',
  path: '/explore/sources',
  summary: 'All sources by kind and year',
  template: 'evidence/sources',
  query: SourcesQuery,
  view: SourcesView,
  scope: 'public',
  sitemap: 'static',
  revision: 1,
  list: listSourcePages,
  load: (context: Context<EvidenceServices>, { query }) => loadSources(context, query),
});
