/** Defines /articles and /articles/{slug}: texts on one question each, with sources for every claim. */
import { Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { linksFrom } from '#core/render/content-links.ts';
import { collectionPage } from '#core/render/structured-data.ts';
import { dayInWords, latest, likeness, readCited, versionOf } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { articleData } from './article-data.ts';
import { ArticleView, articleView, refsOf } from './article-view.ts';
import type { ArticleRow } from './entities.ts';
import { ruleOfRef } from './schemas.ts';
import { type ArticleServices, readArticles } from './services.ts';

type Reading = Context<ArticleServices>;

const viewOf = async ({ db, use }: Reading, article: ArticleRow): Promise<ArticleView> => {
  const refs = refsOf(article).filter((ref) => ruleOfRef(ref) === null);
  const cited = refs.length ? await db.read((em) => readCited(em, refs)) : [];
  const [book, terms] = [await use(interactionsPlugin).book(), await use(vocabularyPlugin).terms()];
  return articleView({ article, cited, book, terms }, linksFrom(`articles/${article.slug}.md`));
};

const LIKE_ENOUGH = 0.3;
const SHOWN_NEAR = 4;

const nearTo = (slug: string, articles: readonly ArticleRow[]) => [
  ...articles
    .map((article) => ({ article, like: likeness(slug, article.slug) }))
    .filter(({ like }) => like >= LIKE_ENOUGH)
    .sort((a, b) => b.like - a.like)
    .slice(0, SHOWN_NEAR)
    .map(({ article }) => ({ name: article.title, href: `/articles/${article.slug}` })),
  { name: 'All articles', href: '/articles' },
];

const loadArticle = async (context: Reading, slug: string) => {
  const articles = await context.db.read(readArticles);
  const article = articles.find((one) => one.slug === slug);
  if (!article) return { missing: { resource: 'Article', id: slug, near: nearTo(slug, articles) } };
  const view = await viewOf(context, article);
  const structuredData = articleData(article, view, context.config);
  return { head: { title: article.title, description: article.entry.description, structuredData }, view };
};

const LAST_NOTICE = `select to_char(max(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last from change_log
  where subject_type = 'source' and kind in ('evidence.tier_changed', 'evidence.retracted', 'evidence.removed')
  and subject_id in (select jsonb_array_elements_text(?::jsonb))`;

/** Returns the date of the last edit, or the time at which a cited source was last regraded, retracted or removed, if later. */
const changedAtOf = async ({ db }: Reading, { entry }: ArticleRow, { references }: ArticleView) => {
  const ids = references.flatMap(({ source }) => source?.id ?? []);
  const [row] = (await db.read((em) => em.execute(LAST_NOTICE, [JSON.stringify(ids)]))) as unknown as [
    { last: string | null },
  ];
  return latest([`${entry.updated}T00:00:00Z`, row.last]);
};

export const articlePage = definePage({
  id: 'articles.article',
  path: '/articles/{slug}',
  summary: 'One article: answer first, every claim with its sources, what is not known',
  template: 'articles/article',
  params: Type.Object({ slug: Type.String({ maxLength: 80 }) }),
  view: ArticleView,
  scope: 'public',
  sitemap: 'articles',
  llms: { section: 'Articles', isInFull: true },
  revision: 3,
  list: async function* (context: Reading) {
    for (const article of await context.db.read(readArticles)) {
      const view = await viewOf(context, article);
      const version = versionOf(article.digest, view);
      yield { params: { slug: article.slug }, version, changedAt: await changedAtOf(context, article, view) };
    }
  },
  load: (context: Reading, { params }) => loadArticle(context, params.slug),
}) as Page<ArticleServices>;

const ArticlesView = Type.Object({
  articles: Type.Array(
    Type.Object({ title: Type.String(), href: Type.String(), text: Type.String(), updatedOn: Type.String() }),
  ),
});

const listOf = async ({ services }: Reading) =>
  (await services.all()).map(({ title, href, description, updatedAt }) => ({
    title,
    href,
    text: description,
    updatedOn: dayInWords(updatedAt),
  }));

const DESCRIPTION =
  'Short articles on supplements and on how to read the evidence. Each claim names its studies, their tier and the number of people.';

const lastChangeOf = async ({ services }: Reading) => latest((await services.all()).map(({ updatedAt }) => updatedAt));

const loadArticles = async (context: Reading) => {
  const articles = await listOf(context);
  const facts = {
    baseUrl: context.config.text('BASE_URL'),
    path: '/articles',
    name: 'Articles',
    description: DESCRIPTION,
    changed: await lastChangeOf(context),
  };
  const items = articles.map(({ title, href }) => ({ name: title, href }));
  return {
    head: { title: 'Articles', description: DESCRIPTION, structuredData: [collectionPage(facts, items)] },
    view: { articles },
  };
};

export const articlesPage = definePage({
  id: 'articles.list',
  path: '/articles',
  summary: 'All articles',
  template: 'articles/articles',
  view: ArticlesView,
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list: async function* (context: Reading) {
    yield { params: {}, version: versionOf(await listOf(context)), changedAt: await lastChangeOf(context) };
  },
  load: loadArticles,
}) as Page<ArticleServices>;
