/** Builds the facets of a search as links that narrow it, and the active filters as links that widen it. */
import { type Static, Type } from 'typebox';
import { DESIGN_POINTS } from '../grading/formula.ts';
import { TIER_LABELS, TIERS, type Tier } from '../schemas.ts';
import { addressOfSearch, type SearchQuery } from './search-query.ts';
import { CLASS_WORDS } from './views.ts';

export const FACET_FIELDS = ['tier', 'source_class', 'evidence_level', 'species', 'year', 'vertical'];

export const FacetView = Type.Object({
  name: Type.String(),
  values: Type.Array(Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer() })),
});
export type FacetView = Static<typeof FacetView>;

type Counts = Readonly<Record<string, number>>;
type Facets = Readonly<Record<string, Counts>>;

const SPECIES_WORDS: Readonly<Record<string, string>> = {
  human: 'People',
  animal: 'Animals',
  in_vitro: 'Cells',
  unknown: 'Not stated',
};

const levelWord = (level: string): string =>
  DESIGN_POINTS[level as keyof typeof DESIGN_POINTS]?.label ?? (level === 'other' ? 'Other design' : level);

const byCount = (counts: Counts): [string, number][] =>
  Object.entries(counts).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));

const tierWord = (tier: Tier): string => (tier === 'A' ? `A, ${TIER_LABELS.A.toLowerCase()}` : `${tier} or better`);

/** Counts sources of each tier or better, as the filter selects them. */
const tierValues = (counts: Counts, query: SearchQuery): FacetView['values'] => {
  const shown = TIERS.slice(0, -1).map((tier, at) => ({
    name: tierWord(tier),
    href: addressOfSearch({ ...query, min_quality_tier: tier }),
    count: TIERS.slice(0, at + 1).reduce((sum, one) => sum + (counts[one] ?? 0), 0),
  }));
  return shown.filter(({ count }) => count > 0);
};

const decadeOf = (decade: string): { year_from: number; year_to: number } => {
  const [from = 0, to = 0] = decade.split('-').map(Number);
  return { year_from: from, year_to: to };
};

/** Builds the facets with more than one value; fields that are already filtered are omitted. */
export const facetViews = (facets: Facets, query: SearchQuery, nameOf: (vertical: string) => string | null) => {
  const choice = (counts: Counts, name: (value: string) => string | null, narrow: (value: string) => object) =>
    byCount(counts)
      .slice(0, 10)
      .flatMap(([value, count]) => {
        const word = name(value);
        return word ? [{ name: word, count, href: addressOfSearch({ ...query, ...narrow(value) }) }] : [];
      });
  const groups: FacetView[] = [
    { name: 'Tier', values: query.min_quality_tier ? [] : tierValues(facets.tier ?? {}, query) },
    {
      name: 'Design',
      values: query.evidence_level
        ? []
        : choice(facets.evidence_level ?? {}, levelWord, (value) => ({ evidence_level: value })),
    },
    {
      name: 'Kind of source',
      values: query.source_class
        ? []
        : choice(
            facets.source_class ?? {},
            (value) => CLASS_WORDS[value] ?? value,
            (value) => ({ source_class: value }),
          ),
    },
    {
      name: 'Studied in',
      values: query.species
        ? []
        : choice(
            facets.species ?? {},
            (value) => SPECIES_WORDS[value] ?? value,
            (value) => ({ species: value }),
          ),
    },
    {
      name: 'Year',
      values: query.year_from || query.year_to ? [] : choice(facets.year ?? {}, (value) => value, decadeOf),
    },
    {
      name: 'Question',
      values: query.vertical ? [] : choice(facets.vertical ?? {}, nameOf, (value) => ({ vertical: value })),
    },
  ];
  return groups.filter(({ name, values }) => values.length > (name === 'Question' ? 0 : 1));
};

const yearsInWords = ({ year_from: from, year_to: to }: SearchQuery): string => {
  if (from && to) return from === to ? String(from) : `${from} to ${to}`;
  return from ? `from ${from}` : `to ${to}`;
};

/** Builds the active filters, each with the link of the same search without it. */
export const filterLinks = (query: SearchQuery, nameOf: (vertical: string) => string | null) => {
  const without = (change: Partial<SearchQuery>): string => addressOfSearch({ ...query, ...change });
  const tier = query.min_quality_tier.toUpperCase() as Tier | '';
  return [
    ...(tier ? [{ name: tierWord(tier), href: without({ min_quality_tier: '' }) }] : []),
    ...(query.evidence_level ? [{ name: levelWord(query.evidence_level), href: without({ evidence_level: '' }) }] : []),
    ...(query.source_class
      ? [{ name: CLASS_WORDS[query.source_class] ?? query.source_class, href: without({ source_class: '' }) }]
      : []),
    ...(query.species ? [{ name: SPECIES_WORDS[query.species] ?? query.species, href: without({ species: '' }) }] : []),
    ...(query.year_from || query.year_to
      ? [{ name: yearsInWords(query), href: without({ year_from: 0, year_to: 0 }) }]
      : []),
    ...(query.vertical ? [{ name: nameOf(query.vertical) ?? query.vertical, href: without({ vertical: '' }) }] : []),
    ...(query.exclude_retracted ? [] : [{ name: 'Retracted too', href: without({ exclude_retracted: true }) }]),
  ];
};
