/** Checks biomarker files for `npm run content:check`. */

import { locateFields } from '#core/content-check/field-locations.ts';
import { linkedIn } from '#core/content-check/links.ts';
import type { Reviewed } from '#core/content-check/reviewed.ts';
import { readFrontMatter } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { changePassages, daysOf, listedIn, listedNames, referrals } from '#plugins/vocabulary/index.ts';
import { BiomarkerEntry } from './schemas.ts';

export const reviewBiomarker = (file: ContentFile): Reviewed => {
  const { data, body } = readFrontMatter(file, BiomarkerEntry);
  const { at, inBody } = locateFields(file);
  const { topics = [], conditions = [], nutrients = [], how_to_test: howToTest } = data;
  const restsOn = listedIn(data);
  const slug = /([^/]+)\.md$/.exec(file.path)?.[1] ?? '';
  const isOwn = (id: string): boolean => [slug, ...nutrients].some((own) => id === `supplement:${own}`);
  return {
    kind: 'biomarkers',
    entries: 1,
    offers: [{ ids: [`biomarker:${slug}`] }],
    names: [
      ...topics.map((slug, n) => ({ id: `topic:${slug}`, ...at('topics', n) })),
      ...conditions.map((slug, n) => ({ id: `condition:${slug}`, ...at('conditions', n) })),
      ...listedNames(data, at),
      ...linkedIn(file, body, inBody(body)),
    ],
    reviewedAt: [data.updated_at],
    toldDays: daysOf(data.changes),
    passages: [
      {
        text: body,
        role: 'told',
        cites: [],
        restsOn,
        isOwn,
        field: 'text',
        line: inBody(body)(0),
        lineAt: inBody(body),
      },
      ...(howToTest
        ? [{ ...at('how_to_test'), text: howToTest, role: 'told' as const, cites: [], restsOn, isOwn }]
        : []),
      ...referrals(data, at),
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
