/** What the kinds of a search have in common: a hit with the reason why it is there, and a page of them. */
import { type Static, Type } from 'typebox';
import { LinkView, OptionalTier } from '#plugins/evidence/index.ts';

/** In the order in which a reader meets them: what could harm first. */
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
  /** One line on what it is; "" where the name says it. */
  text: Type.String(),
  /** A sentence: the matched name, synonym, misspelling or words. */
  why: Type.String(),
  tier: OptionalTier,
  severity: Type.Union([Type.Object({ code: Type.String(), word: Type.String() }), Type.Null()]),
  /** What to do about it, beside the severity; "" for what has none. */
  toDo: Type.String(),
  /** What the hit stands for when it stands for several: the medicines of a group, each with its own page. */
  members: Type.Array(LinkView),
});
export type HitView = Static<typeof HitView>;

export interface KindHits {
  readonly total: number;
  readonly hits: readonly HitView[];
  /** Hits to turn pages through, where one stands for several; `total` otherwise. */
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

/** A hit with members counts for each of them. */
const weightOf = ({ members }: HitView): number => Math.max(1, members.length);

export const sliceOf = (hits: readonly HitView[], { offset, limit }: Slice): KindHits => ({
  total: hits.reduce((sum, hit) => sum + weightOf(hit), 0),
  rows: hits.length,
  hits: hits.slice(offset, offset + limit),
});
