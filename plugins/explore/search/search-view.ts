/** What the template of /search gets. */
import { type Static, Type } from 'typebox';
import { DirectionView, LinkView, OptionalTier } from '#plugins/evidence/index.ts';
import { BestView } from './best-answer.ts';
import { CheckView } from './check-first.ts';
import { HitView, SEARCH_KINDS } from './hits.ts';

const SectionView = Type.Object({
  kind: Type.String({ enum: [...SEARCH_KINDS] }),
  title: Type.String(),
  total: Type.Integer(),
  /** Hits that the total stands in, where one stands for several; 0 otherwise. */
  groups: Type.Integer(),
  /** The place of the first hit in the whole list, from 1. */
  first: Type.Integer(),
  hits: Type.Array(HitView),
  /** The base has nothing of this kind at all. */
  holdsNone: Type.Boolean(),
  notes: Type.Array(Type.String()),
  /** All hits of the kind; "" where these are all, or the page is of one kind. */
  allHref: Type.String(),
  previousHref: Type.String(),
  nextHref: Type.String(),
});
export type SectionView = Static<typeof SectionView>;

/** A question with sources, and what they amount to; no grade where none was made yet. */
const QuestionView = Type.Object({
  name: Type.String(),
  href: Type.String(),
  tier: OptionalTier,
  sources: Type.Integer(),
  grade: Type.Union([
    Type.Object({
      direction: DirectionView,
      certainty: Type.Object({ level: Type.String(), word: Type.String() }),
      people: Type.String(),
    }),
    Type.Null(),
  ]),
});

export const SearchView = Type.Object({
  query: Type.String(),
  chosen: Type.String({ enum: ['', ...SEARCH_KINDS] }),
  tabs: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer(), chosen: Type.Boolean() }),
  ),
  /** Each name of the query with what it stands for. */
  resolved: Type.Array(
    Type.Object({
      words: Type.String(),
      name: Type.String(),
      kind: Type.String(),
      href: Type.String(),
      note: Type.String(),
      sure: Type.Boolean(),
    }),
  ),
  corrected: Type.Union([
    Type.Object({ query: Type.String(), words: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })) }),
    Type.Null(),
  ]),
  check: Type.Union([CheckView, Type.Null()]),
  /** The one thing that the query names. */
  best: Type.Union([BestView, Type.Null()]),
  isEmergency: Type.Boolean(),
  /** Questions with sources that the query names both sides of. */
  questions: Type.Array(QuestionView),
  sections: Type.Array(SectionView),
  total: Type.Integer(),
  warnings: Type.Array(Type.String()),
  /** The sources cannot be searched at the moment: none found then says nothing. */
  isAway: Type.Boolean(),
  near: Type.Array(LinkView),
});
export type SearchView = Static<typeof SearchView>;

export const SearchQuery = Type.Object({
  q: Type.String({ maxLength: 500, default: '' }),
  type_filter: Type.String({ enum: ['', ...SEARCH_KINDS], default: '' }),
  page: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }),
});
export type SearchQuery = Static<typeof SearchQuery>;
