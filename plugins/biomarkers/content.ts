/** Syncs content/biomarkers/*.md into the table `biomarker`. */
import { lineOfField, readFrontMatter } from '#core/content-file.ts';
import { bulkUpsert } from '#core/db/bulk.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { Biomarker } from './entities.ts';
import { markerOf, type Refuse } from './marker-of.ts';
import { reviewBiomarker } from './review.ts';
import { BiomarkerEntry } from './schemas.ts';
import type { BiomarkerServices } from './services.ts';

const FILE = /^biomarkers\/([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;
const slugOf = (path: string): string => FILE.exec(path)?.[1] ?? '';

const refuserOf =
  (file: ContentFile): Refuse =>
  (pointer, words) => {
    throw new ContentError(file.path, lineOfField(file, pointer), `field ${pointer.join('.')}: ${words}`);
  };

const refuseUnknownSlugs = (entry: BiomarkerEntry, terms: Terms, refuse: Refuse): void => {
  const { topics = [], nutrients = [], conditions = [] } = entry;
  for (const [at, slug] of topics.entries())
    if (!terms.topics.has(slug)) refuse(['topics', at], `there is no topic "${slug}"`);
  for (const [at, slug] of conditions.entries())
    if (!terms.conditions.has(slug)) refuse(['conditions', at], `there is no condition "${slug}"`);
  for (const [at, slug] of nutrients.entries())
    if (!terms.supplements.has(slug) && !terms.substances.has(slug))
      refuse(['nutrients', at], `there is no supplement or substance "${slug}"`);
};

const rowOf = (file: ContentFile, terms: Terms) => {
  const { data, body } = readFrontMatter(file, BiomarkerEntry);
  const refuse = refuserOf(file);
  refuseUnknownSlugs(data, terms, refuse);
  const slug = slugOf(file.path);
  return { slug, name: data.name, marker: markerOf(slug, data, refuse), entry: data, body, digest: file.digest };
};

/**
 * Finds a LOINC code that two markers share. Such a code is refused, because values from a phone could be filed under the wrong
 * marker.
 */
const CODE_TWICE = `select c->>'code' as code, array_agg(slug order by slug) as slugs
  from biomarker, jsonb_array_elements(marker->'loinc') c group by 1 having count(*) > 1 limit 1`;

export const biomarkerContent: ContentSource<BiomarkerServices> = {
  id: 'biomarkers',
  matches: (path) => FILE.test(path),
  review: reviewBiomarker,
  sync: async ({ use }, files, gone, em) => {
    const terms = await use(vocabularyPlugin).terms(em);
    const rows = files.map((file) => rowOf(file, terms));
    await em.nativeDelete(Biomarker, { slug: { $in: gone.map(slugOf) } });
    await bulkUpsert(em, 'biomarker', ['slug'], rows);
    const [twice] = (await em.execute(CODE_TWICE)) as unknown as { code: string; slugs: string[] }[];
    if (!twice) return;
    const path = `biomarkers/${twice.slugs.at(-1)}.md`;
    throw new ContentError(path, null, `field loinc: ${twice.code} stands in ${twice.slugs.join(' and ')}`);
  },
  committed: (services) => services.forget(),
};
