/** Extracts what `npm run content:check` checks in an article. */

import { locateFields } from '#core/content-check/field-locations.ts';
import { linkedIn } from '#core/content-check/links.ts';
import type { Named, Reviewed } from '#core/content-check/reviewed.ts';
import { claimsIn, plain } from '#core/content-check/sentences.ts';
import { readFrontMatter } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { changePassages, daysOf, referrals } from '#plugins/vocabulary/index.ts';
import { ARTICLE_CITATIONS, ArticleEntry } from './schemas.ts';

const SINGULAR = { supplements: 'supplement', conditions: 'condition' } as const;

const slugOf = (path: string): string => /([^/]+)\.md$/.exec(path)?.[1] ?? '';

export const reviewArticle = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, ArticleEntry);
  const { at, inBody } = locateFields(file);
  const lineAt = inBody(body);
  const about = (['supplements', 'conditions'] as const).flatMap((kind) =>
    (data.about[kind] ?? []).map((slug, n): Named => ({ id: `${SINGULAR[kind]}:${slug}`, ...at('about', kind, n) })),
  );
  return {
    kind: 'articles',
    entries: 1,
    offers: [{ ids: [`article:${slugOf(file.path)}`] }],
    names: [...about, ...linkedIn(file, body, lineAt)],
    reviewedAt: [data.updated],
    toldDays: [data.published, ...daysOf(data.changes)],
    passages: [
      { ...at('answer'), text: data.answer, role: 'summary', cites: [] },
      { text: plain(body), role: 'summary', cites: [], field: 'text', line: lineAt(0) },
      ...referrals(data, at),
      ...changePassages(data.changes, at),
      ...claimsIn({ body, syntax: ARTICLE_CITATIONS, lineAt }),
    ],
  };
};
