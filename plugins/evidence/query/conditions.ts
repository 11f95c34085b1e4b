/** Converts the filters of a search to conditions of the index. */
import type { Condition } from '#core/search/port.ts';
import { TIERS, type Tier } from '../schemas.ts';

/** Filters that are combined with AND. The values of a list are combined with OR; a leading `-` excludes a value. */
export interface EvidenceFilter {
  readonly minTier?: Tier;
  readonly sourceClass?: string;
  readonly sourceClasses?: readonly string[];
  readonly vertical?: string;
  readonly verticals?: readonly string[];
  readonly evidenceLevels?: readonly string[];
  readonly species?: readonly string[];
  /** Slugs. */
  readonly supplements?: readonly string[];
  /** Slugs. */
  readonly topics?: readonly string[];
  /** Directions that an editor judged; a direction that only a program read counts as `unclear`. */
  readonly directions?: readonly string[];
  readonly yearFrom?: number;
  readonly yearTo?: number;
  /** Excludes sources that do not state their size. */
  readonly minSampleSize?: number;
  readonly human?: boolean;
  /** Defaults to true. */
  readonly excludeRetracted?: boolean;
}

const LISTS = {
  sourceClasses: 'source_class',
  verticals: 'vertical',
  evidenceLevels: 'evidence_level',
  species: 'species',
  supplements: 'supplement',
  topics: 'topic',
  directions: 'direction',
} as const;

const listed = (field: string, values: readonly string[] = []): Condition[] => {
  const wanted = values.filter((value) => !value.startsWith('-'));
  const unwanted = values.filter((value) => value.startsWith('-')).map((value) => value.slice(1));
  return [...(wanted.length ? [{ field, in: wanted }] : []), ...(unwanted.length ? [{ field, notIn: unwanted }] : [])];
};

export const conditionsOf = (filter: EvidenceFilter): Condition[] => {
  const conditions: Condition[] = [];
  if (filter.minTier) conditions.push({ field: 'tier', in: TIERS.slice(0, TIERS.indexOf(filter.minTier) + 1) });
  if (filter.sourceClass) conditions.push({ field: 'source_class', in: [filter.sourceClass] });
  if (filter.vertical) conditions.push({ field: 'vertical', in: [filter.vertical] });
  for (const [name, field] of Object.entries(LISTS))
    conditions.push(...listed(field, filter[name as keyof typeof LISTS]));
  if (filter.yearFrom || filter.yearTo)
    conditions.push({ field: 'year', from: filter.yearFrom || 1, to: filter.yearTo || 9999 });
  if (filter.minSampleSize) conditions.push({ field: 'sample_size', from: filter.minSampleSize });
  if (filter.human) conditions.push({ field: 'species', in: ['human'] });
  if (filter.excludeRetracted ?? true) conditions.push({ field: 'retraction', notIn: ['retracted'] });
  return conditions;
};

/** Splits a query parameter such as `a,-b` into a list; drops spaces and empty parts. */
export const valuesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '' && value !== '-');
