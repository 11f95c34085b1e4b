/** Defines the shared types of the kinds of search hits: a hit with the reason why it matched, and a page of hits. */
import { type Static, Type } from 'typebox';
import { LinkView, OptionalTier } from '#plugins/evidence/index.ts';

/** Kinds in display order, with those about possible harm first. */
export const SEARCH_KINDS = [
  'interaction',
  'supplement',
  'condition',
  'source',
  'product',
  'article',
  'biomarker',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const KIND_WORDS: Readonly<Record<SearchKind, { readonly one: string; readonly many: string }>> = {
  interaction: { one: 'interaction', many: 'Interactions' },
  supplement: { one: 'supplement', many: 'Supplements' },
  condition: { one: 'condition', many: 'Conditions' },
  source: { one: 'source', many: 'Sources' },
  product: { one: 'product', many: 'Products' },
  article: { one: 'article', many: 'Articles' },
  biomarker: { one: 'biomarker', many: 'Biomarkers' },
};

export const HitView = Type.Object({
  name: Type.String(),
  href: Type.String(),
  /** One line of description; "" when the name is enough. */
  text: Type.String(),
  /** Reason for the hit, as a sentence: the matched name, synonym, misspelling or words. */
  why: Type.String(),
  tier: OptionalTier,
  severity: Type.Union([Type.Object({ code: Type.String(), word: Type.String() }), Type.Null()]),
  /** Advice, shown beside the severity; "" for none. */
  toDo: Type.String(),
  /** Things that the hit represents when it represents several: the medicines of a group, each with its own page. */
  members: Type.Array(LinkView),
});
export type HitView = Static<typeof HitView>;

export interface KindHits {
  readonly total: number;
  readonly hits: readonly HitView[];
  /** Number of hits for pagination, when one hit can represent several things; if absent, `total` is used. */
  readonly rows?: number;
}

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

export const NO_HITS: KindHits = { total: 0, hits: [] };

export const plainHit = (hit: Pick<HitView, 'name' | 'href' | 'why'> & Partial<HitView>): HitView => ({
  text: '',
  tier: null,
  severity: null,
  toDo: '',
  members: [],
  ...hit,
});

/** Returns how many things a hit represents: its number of members, at least 1. */
const weightOf = ({ members }: HitView): number => Math.max(1, members.length);

export const sliceOf = (hits: readonly HitView[], { offset, limit }: Slice): KindHits => ({
  total: hits.reduce((sum, hit) => sum + weightOf(hit), 0),
  rows: hits.length,
  hits: hits.slice(offset, offset + limit),
});
