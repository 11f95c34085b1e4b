/** Defines the view of the template of /search. */
import { type Static, Type } from 'typebox';
import { DirectionView, LinkView, OptionalTier } from '#plugins/evidence/index.ts';
import { BestView } from './best-answer.ts';
import { CheckView } from './check-first.ts';
import { HitView, SEARCH_KINDS } from './hits.ts';

const SectionView = Type.Object({
  kind: Type.String({ enum: [...SEARCH_KINDS] }),
  title: Type.String(),
  total: Type.Integer(),
  /** Number of hits when a hit can represent several things and `total` is therefore larger; 0 otherwise. */
  groups: Type.Integer(),
  /** Position of the first hit in the whole list, from 1. */
  first: Type.Integer(),
  hits: Type.Array(HitView),
  /** Whether the base contains nothing of this kind at all. */
  holdsNone: Type.Boolean(),
  notes: Type.Array(Type.String()),
  /** Address of all hits of the kind; "" when all are shown, or when the page shows a single kind. */
  allHref: Type.String(),
  previousHref: Type.String(),
  nextHref: Type.String(),
});
export type SectionView = Static<typeof SectionView>;

/** A question with sources and its grade; the grade is null until one was computed. */
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
  /** The names in the query, each with the thing that it refers to. */
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
  /** Card of the one thing that the query names. */
  best: Type.Union([BestView, Type.Null()]),
  isEmergency: Type.Boolean(),
  /** Questions with sources of which the query names both the supplement and the topic. */
  questions: Type.Array(QuestionView),
  sections: Type.Array(SectionView),
  total: Type.Integer(),
  warnings: Type.Array(Type.String()),
  /** Whether the search of sources is currently unavailable, so that an empty list of sources has no meaning. */
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
