/** Biomarkers for `npm run content:check`. */
import { linkedIn } from '#core/content-check/links.ts';
import { placesIn } from '#core/content-check/places.ts';
import type { Reviewed } from '#core/content-check/reviewed.ts';
import { readFrontMatter } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { changePassages, daysOf } from '#plugins/vocabulary/index.ts';
import { BiomarkerEntry } from './schemas.ts';

export const reviewBiomarker = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, BiomarkerEntry);
  const { at, inBody } = placesIn(file);
  const { topics = [], conditions = [] } = data;
  return {
    kind: 'biomarkers',
    entries: 1,
    offers: [{ ids: [`biomarker:${/([^/]+)\.md$/.exec(file.path)?.[1] ?? ''}`] }],
    names: [
      ...topics.map((slug, n) => ({ id: `topic:${slug}`, ...at('topics', n) })),
      ...conditions.map((slug, n) => ({ id: `condition:${slug}`, ...at('conditions', n) })),
      ...linkedIn(file, body, inBody(body)),
    ],
    reviewedAt: [data.updated_at],
    toldDays: daysOf(data.changes),
    passages: [
      // What a value is, and no word on what changes it.
      { text: body, role: 'general', cites: [], field: 'text', line: inBody(body)(0) },
      ...changePassages(data.changes, at),
      ...(data.ranges ?? []).map(({ note = '', low, high, source }, n) => ({
        ...at('ranges', n),
        text: `${low ?? ''} ${high ?? ''} ${note}`.trim(),
        role: 'claim' as const,
        cites: [source.address],
      })),
    ],
  };
};
