/** Provides articles to other plugins: their list and number, and a search by subject or words. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { createVersionedCache } from '#core/db/versioned-cache.ts';
import type { Host } from '#core/plugin.ts';
import { foldName } from '#core/search/name-index.ts';
import { Article, type ArticleRow } from './entities.ts';

export interface ArticleSummary {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Date of the last edit, as RFC 3339. */
  readonly updatedAt: string;
  readonly href: string;
  readonly supplements: readonly string[];
  readonly conditions: readonly string[];
}

export interface FoundArticle extends ArticleSummary {
  /** Words of the search that occur in its title, description or text. */
  readonly matched: readonly string[];
}

export interface ArticleServices {
  /** Returns all articles, newest first, then by title. */
  all(): Promise<readonly ArticleSummary[]>;
  count(): Promise<number>;
  /** Returns the articles about one of the slugs, or with all words in title, description or text; best first. */
  search(words: string, about: readonly string[]): Promise<readonly FoundArticle[]>;
  forget(): void;
}

const summaryOf = ({ slug, title, entry }: ArticleRow): ArticleSummary => ({
  slug,
  title,
  description: entry.description,
  updatedAt: `${entry.updated}T00:00:00Z`,
  href: `/articles/${slug}`,
  supplements: entry.about.supplements ?? [],
  conditions: entry.about.conditions ?? [],
});

const byNewest = (a: ArticleRow, b: ArticleRow): number =>
  a.entry.updated === b.entry.updated ? (a.title < b.title ? -1 : 1) : a.entry.updated < b.entry.updated ? 1 : -1;

export const readArticles = async (em: EntityManager): Promise<readonly ArticleRow[]> => {
  const rows: readonly ArticleRow[] = await em.find(Article, {}, { disableIdentityMap: true });
  return rows.toSorted(byNewest);
};

const SMALL = new Set(
  'a an and are as at be by can do does for from how in is it its of on or that the to what when which who why with'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] => [
  ...new Set(
    foldName(text)
      .split(' ')
      .filter((word) => word.length > 1 && !SMALL.has(word)),
  ),
];

/** Searched fields, each with its weight in the score. */
const PLACES: readonly [number, (row: ArticleRow) => string][] = [
  [4, ({ title }) => title],
  [2, ({ entry }) => entry.description],
  [1, ({ entry, body }) => `${entry.answer} ${body}`],
];

const placesOf = (row: ArticleRow) =>
  PLACES.map(([weight, textOf]) => ({ weight, words: new Set(wordsOf(textOf(row))) }));

interface Searchable {
  readonly row: ArticleRow;
  readonly places: ReturnType<typeof placesOf>;
}

/** Scores an article. It matches if it contains every word of the search, or if it is about a subject in `about`. */
const found = ({ row, places }: Searchable, wanted: readonly string[], about: ReadonlySet<string>) => {
  const weightOf = (word: string): number => places.find(({ words }) => words.has(word))?.weight ?? 0;
  const matched = wanted.filter((word) => weightOf(word) > 0);
  const subjects = [...(row.entry.about.supplements ?? []), ...(row.entry.about.conditions ?? [])];
  const named = subjects.filter((slug) => about.has(slug)).length;
  const isFound = named > 0 || (wanted.length > 0 && matched.length === wanted.length);
  const score = named * 5 + matched.reduce((sum, word) => sum + weightOf(word), 0);
  return isFound ? [{ ...summaryOf(row), matched, score }] : [];
};

const VERSION = "select count(*)::int as n, coalesce(md5(string_agg(digest, '' order by slug)), '') as d from article";

export const startArticles = ({ db }: Host): ArticleServices => {
  const { current, forget } = createVersionedCache(db, {
    version: VERSION,
    make: async (em) => (await readArticles(em)).map((row): Searchable => ({ row, places: placesOf(row) })),
  });
  return {
    all: async () => (await current()).map(({ row }) => summaryOf(row)),
    count: async () => (await current()).length,
    search: async (words, about) => {
      const [wanted, slugs] = [wordsOf(words), new Set(about)];
      const hits = (await current()).flatMap((article) => found(article, wanted, slugs));
      return hits.sort((a, b) => b.score - a.score).map(({ score: _, ...hit }) => hit);
    },
    forget,
  };
};
