import { definePlugin } from '#core/plugin.ts';
import { catalogPlugin } from '#plugins/catalog/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { articleContent } from './content.ts';
import { Article } from './entities.ts';
import { articlePage, articlesPage } from './pages.ts';
import { type ArticleServices, startArticles } from './services.ts';

/** Registers the articles: each answers one question and cites only sources and rules of the base. */
export const articlesPlugin = definePlugin<ArticleServices>({
  name: 'articles',
  summary: 'Articles that rest on sources of the base',
  dependencies: [vocabularyPlugin, evidencePlugin, interactionsPlugin, catalogPlugin],
  entities: [Article],
  pages: [articlesPage, articlePage],
  content: [articleContent],
  start: startArticles,
});

export type { ArticleServices, ArticleSummary, FoundArticle } from './services.ts';
