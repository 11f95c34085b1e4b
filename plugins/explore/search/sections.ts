/** Builds the tabs of a search, with counts, and the section of each kind, with links to more hits. */
import { KIND_WORDS, type KindHits, SEARCH_KINDS, type SearchKind, type Slice } from './hits.ts';
import type { SearchQuery, SearchView, SectionView } from './search-view.ts';

export type Found = KindHits & {
  readonly notes?: readonly string[];
  /** Whether the base contains nothing of this kind at all. */
  readonly holdsNone?: boolean;
};
export type FoundKinds = Readonly<Record<SearchKind, Found>>;

/** Maximum number of hits that pagination reaches. */
const DEEPEST = 1_000;

/**
 * Returns the address of a search.
 * @param base path of the page; other pages show the same search in another layout.
 */
export const addressOfSearch = (query: string, kind: string, page = 1, base = '/search'): string => {
  const given = new URLSearchParams({ q: query });
  if (kind) given.set('type_filter', kind);
  if (page > 1) given.set('page', String(page));
  return `${base}?${given}`;
};

export const sectionOf = (
  kind: SearchKind,
  found: Found,
  at: { readonly query: SearchQuery; readonly slice: Slice },
): SectionView => {
  const { q, type_filter: chosen, page } = at.query;
  const { offset, limit } = at.slice;
  const { total, hits, rows = total } = found;
  const shown = offset + hits.length;
  return {
    kind,
    title: KIND_WORDS[kind].many,
    total,
    groups: rows < total ? rows : 0,
    first: offset + 1,
    hits: [...hits],
    holdsNone: found.holdsNone ?? false,
    notes: [...(found.notes ?? [])],
    allHref: !chosen && rows > hits.length ? addressOfSearch(q, kind) : '',
    previousHref: chosen && page > 1 ? addressOfSearch(q, kind, page - 1) : '',
    nextHref: chosen && shown < rows && offset + limit < DEEPEST ? addressOfSearch(q, kind, page + 1) : '',
  };
};

export const tabsOf = (query: SearchQuery, all: FoundKinds, total: number): SearchView['tabs'] => [
  { name: 'Everything', href: addressOfSearch(query.q, ''), count: total, chosen: query.type_filter === '' },
  ...SEARCH_KINDS.map((kind) => ({
    name: KIND_WORDS[kind].many,
    href: addressOfSearch(query.q, kind),
    count: all[kind].total,
    chosen: query.type_filter === kind,
  })),
];
