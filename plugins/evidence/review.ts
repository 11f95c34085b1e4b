/** Checks sources and references for `npm run content:check`. */
import { locateFields } from '#core/content-check/field-locations.ts';
import type { Offer, Passage, Reviewed } from '#core/content-check/reviewed.ts';
import { readYaml } from '#core/content-file.ts';
import type { ContentFile } from '#core/plugin.ts';
import { recordOf } from './content-records.ts';
import { grade } from './grading/grade.ts';
import {
  type ContentSourceEntry,
  ContentSourceList,
  CorrectionList,
  type ReferenceEntry,
  ReferenceList,
} from './schemas.ts';

/** Returns the ids of an entry in the form in which other entries cite it. */
const idsOf = ({ pmid, doi, nct_id: nct }: ReferenceEntry): string[] =>
  [pmid && `pmid:${pmid}`, doi && `doi:${doi.toLowerCase()}`, nct && `nct:${nct}`].filter((id): id is string => !!id);

const NOT_PEOPLE: Readonly<Record<string, Offer['mustSay']>> = {
  animal: {
    words:
      /\b(rats?|mice|mouse|animals?|dogs?|cats?|pigs?|piglets?|sows?|cows?|horses?|hens?|chickens?|broilers?|fish|lambs?|sheep|calves|rabbits?|hamsters?|worms?|flies|monkeys?)\b/i,
    because: 'studied animals',
  },
  in_vitro: {
    words: /\b(cells?|tube|laboratory|vitro|bacteria|samples?|tissue|blood|dish|strains?)\b/i,
    because: 'studied cells',
  },
};

/** Joins all stored text and figures of a source. */
const storedOf = (entry: ContentSourceEntry): string =>
  [
    entry.title,
    entry.summary,
    ...(entry.details ?? []),
    entry.population,
    entry.sample_size,
    entry.studies,
    entry.year,
    ...(entry.effect_sizes ?? []).map(({ value, low, high, people }) => [value, low, high, people].join(' ')),
  ].join(' ');

const offerOf = (entry: ContentSourceEntry): Offer => {
  const mustSay = NOT_PEOPLE[entry.species];
  return {
    ids: idsOf(entry),
    says: storedOf(entry),
    tier: grade(recordOf(entry)).qualityTier,
    about: entry.supplements.map((slug) => `supplement:${slug}`),
    ...(mustSay && { mustSay }),
  };
};

export const reviewSources = (file: ContentFile): Reviewed => {
  const entries = readYaml(file, ContentSourceList);
  const { at } = locateFields(file);
  return {
    kind: 'sources',
    entries: entries.length,
    offers: entries.map(offerOf),
    names: entries.flatMap(({ supplements, topics }, n) => [
      ...supplements.map((slug, place) => ({ id: `supplement:${slug}`, ...at(n, 'supplements', place) })),
      ...topics.map((slug, place) => ({ id: `topic:${slug}`, ...at(n, 'topics', place) })),
    ]),
    passages: entries.flatMap((entry, n): Passage[] => {
      const own = { role: 'claim' as const, cites: idsOf(entry).slice(0, 1), isSource: true };
      return [
        { ...own, text: entry.summary, ...at(n, 'summary') },
        ...(entry.details ?? []).map((text, place) => ({ ...own, text, ...at(n, 'details', place) })),
      ];
    }),
  };
};

export const reviewReferences = (file: ContentFile): Reviewed => {
  const entries = readYaml(file, ReferenceList);
  return {
    kind: 'references',
    entries: entries.length,
    offers: entries.map((entry) => ({ ids: idsOf(entry), isUnread: true })),
    names: [],
    passages: [],
  };
};

export const reviewCorrections = (file: ContentFile): Reviewed => {
  const entries = readYaml(file, CorrectionList);
  const { at } = locateFields(file);
  return {
    kind: 'corrections',
    entries: entries.length,
    offers: [],
    names: entries.flatMap(({ supplements = [], topics = [] }, n) => [
      ...supplements.map((slug, place) => ({ id: `supplement:${slug}`, ...at(n, 'supplements', place) })),
      ...topics.map((slug, place) => ({ id: `topic:${slug}`, ...at(n, 'topics', place) })),
    ]),
    passages: [],
  };
};
