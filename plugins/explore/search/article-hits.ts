/** Finds articles that are about a name in the query, or that contain its words. */
import type { ArticleServices } from '#plugins/articles/index.ts';
import { type HitView, plainHit } from './hits.ts';
import type { QueryName } from './query-names.ts';

interface ArticleSearch {
  readonly text: string;
  readonly names: readonly QueryName[];
}

export const articleHits = async (articles: ArticleServices, { text, names }: ArticleSearch): Promise<HitView[]> => {
  const about = names.filter(({ kind }) => kind === 'supplement' || kind === 'condition');
  const nameOf = new Map(about.map(({ slug, name }) => [slug, name]));
  const found = await articles.search(
    text,
    about.map(({ slug }) => slug),
  );
  return found.map(({ title, href, description, supplements, conditions, matched }) => {
    const subjects = [...supplements, ...conditions].flatMap((slug) => nameOf.get(slug) ?? []);
    const why = subjects.length
      ? `It is about ${subjects.join(' and ')}.`
      : `Its title or text holds: ${matched.join(', ')}.`;
    return plainHit({ name: title, href, text: description, why });
  });
};
