import { defineEntity, p } from '@mikro-orm/core';
import type { ArticleEntry } from './schemas.ts';

/** An article, as in its file in content/. */
export const Article = defineEntity({
  name: 'Article',
  tableName: 'article',
  properties: {
    slug: p.string().primary(),
    title: p.string(),
    entry: p.json<ArticleEntry>(),
    body: p.text(),
    digest: p.string(),
  },
});

/** A row of the table `article`. */
export interface ArticleRow {
  readonly slug: string;
  readonly title: string;
  readonly entry: ArticleEntry;
  readonly body: string;
  readonly digest: string;
}
