/** Builds the JSON-LD of articles. */
import type { Article, WithContext } from 'schema-dts';
import type { Config } from '#core/config.ts';
import { pageFacts } from '#core/render/structured-data.ts';
import { breadcrumbs, scholarly } from '#plugins/evidence/index.ts';
import type { ArticleView } from './article-view.ts';
import type { ArticleRow } from './entities.ts';

/** Builds the JSON-LD of an article. `reviewedBy` is absent: it is a property of web pages, and no article is reviewed. */
export const articleData = (
  { slug, title, entry }: ArticleRow,
  view: ArticleView,
  config: Config,
): readonly object[] => {
  const baseUrl = config.text('BASE_URL');
  const path = `/articles/${slug}`;
  const article: WithContext<Article> = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    ...pageFacts({ baseUrl, path, name: title, description: entry.description, changed: entry.updated }),
    headline: title,
    abstract: entry.answer,
    mainEntityOfPage: `${baseUrl}${path}`,
    datePublished: entry.published,
    author: { '@type': 'Organization', name: entry.author, url: `${baseUrl}/editorial-policy` },
    citation: view.references.flatMap(({ source }) => (source && !source.retracted ? [scholarly(source)] : [])),
  };
  return [article, breadcrumbs(baseUrl, view.crumbs)];
};
