/** Articles for `npm run content:check`. */
import { placesIn } from '#core/content-check/places.ts';
import type { Named, Reviewed } from '#core/content-check/reviewed.ts';
import { claimsIn, plain } from '#core/content-check/sentences.ts';
import { readFrontMatter } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { ARTICLE_CITATIONS, ArticleEntry } from './schemas.ts';

/** Links to other entries: `../supplements/zinc.md`, `what-a-tier-says.md`, `/biomarkers/glucose`. */
const ENTRY_LINK =
  /\]\((?:\.\.\/|\/)?(supplements|conditions|biomarkers|articles)\/([a-z0-9-]+)(?:\.md)?(?:#[^)]*)?\)|\]\(([a-z0-9-]+)\.md(?:#[^)]*)?\)/g;
const SINGULAR: Readonly<Record<string, string>> = {
  supplements: 'supplement',
  conditions: 'condition',
  biomarkers: 'biomarker',
  articles: 'article',
};

const slugOf = (path: string): string => /([^/]+)\.md$/.exec(path)?.[1] ?? '';

export const reviewArticle = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, ArticleEntry);
  const { at, inBody } = placesIn(file);
  const lineAt = inBody(body);
  const about = (['supplements', 'conditions'] as const).flatMap((kind) =>
    (data.about[kind] ?? []).map((slug, n): Named => ({ id: `${SINGULAR[kind]}:${slug}`, ...at('about', kind, n) })),
  );
  const linked = [...body.matchAll(ENTRY_LINK)].map(
    ({ 1: kind = 'articles', 2: entry, 3: sibling = '', index }): Named => ({
      id: `${SINGULAR[kind]}:${entry ?? sibling}`,
      field: 'text',
      line: lineAt(index),
    }),
  );
  return {
    kind: 'articles',
    entries: 1,
    offers: [{ ids: [`article:${slugOf(file.path)}`] }],
    names: [...about, ...linked],
    reviewedAt: [data.published, data.updated],
    passages: [
      { ...at('answer'), text: data.answer, role: 'summary', cites: [] },
      { text: plain(body), role: 'summary', cites: [], field: 'text', line: lineAt(0) },
      ...claimsIn({ body, syntax: ARTICLE_CITATIONS, lineAt }),
    ],
  };
};
