/** Defines the assessment of a question in one population, as pages show it. The plugin that grades outcomes supplies it. */
import { type Static, Type } from 'typebox';
import { DirectionView } from './views.ts';

/** One result of a review or trial; it expands to show its numbers. */
export const FindingView = Type.Object({
  id: Type.String(),
  outcome: Type.String(),
  summary: Type.String(),
  direction: DirectionView,
  /** `high`, `moderate`, `low` or `very_low`. */
  level: Type.String(),
  word: Type.String(),
  /** "Risk ratio 0.86 (0.78 to 0.95)", people, studies, dose …; each with its label. */
  numbers: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  /** Authors, title, journal and year in one line. */
  source: Type.Object({ name: Type.String(), href: Type.String() }),
});
export type FindingView = Static<typeof FindingView>;

export const AssessmentView = Type.Object({
  /** Population, such as "adults with depression". */
  population: Type.String(),
  level: Type.String(),
  word: Type.String(),
  meaning: Type.String(),
  direction: DirectionView,
  /** "Small", or the figure itself. */
  size: Type.String(),
  /** Number of people, such as "2,922 people in 16 studies". */
  people: Type.String(),
  /** Answer in one sentence. */
  summary: Type.String(),
  /** Origin of the certainty. */
  basis: Type.String(),
  outcomes: Type.Array(FindingView),
  harms: Type.Array(FindingView),
  compared: Type.Array(FindingView),
  combined: Type.Array(FindingView),
  reasons: Type.Array(Type.String()),
});
export type AssessmentView = Static<typeof AssessmentView>;
