/**
 * Defines the grade of a question as pages show it. The plugin that grades outcomes depends on this one, so it registers its
 * reader here.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Static, Type } from 'typebox';
import type { AssessmentView } from './assessment-view.ts';
import { DirectionView } from './views.ts';

export const GradeView = Type.Object({
  /** `high`, `moderate`, `low`, `very_low` or `not_assessed`. */
  level: Type.String(),
  word: Type.String(),
  meaning: Type.String(),
  /** Population of the grade; "" when it is not assessed. */
  population: Type.String(),
  direction: DirectionView,
  size: Type.String(),
  sizeBasis: Type.String(),
  people: Type.String(),
  /** Reasons, one sentence each: the starting certainty, downgrades and caps. */
  reasons: Type.Array(Type.String()),
  /** Evidence that would increase the certainty, one sentence each; empty when nothing lowers it. */
  lacking: Type.Array(Type.String()),
  /** The newest running registered trials on the question. */
  trials: Type.Array(
    Type.Object({ id: Type.String(), href: Type.String(), title: Type.String(), state: Type.String() }),
  ),
  moreTrials: Type.Integer(),
});
export type GradeView = Static<typeof GradeView>;

export const GradeHistory = Type.Array(Type.Object({ day: Type.String(), text: Type.String() }));

export interface GradedQuestion {
  readonly supplement: string;
  readonly topic: string;
  readonly assessed: boolean;
  /** Changes with anything that the page shows of the grade. */
  readonly digest: string;
  /** RFC 3339 time. */
  readonly gradedAt: string;
}

export interface QuestionGrades {
  /** Waits for a limited time until the grades are up to date with the corpus. Call it outside of a transaction. */
  level(): Promise<void>;
  /** Returns null for a question without a grade. */
  of(
    em: EntityManager,
    vertical: string,
  ): Promise<{
    readonly grade: GradeView;
    /** One assessment per population, the leading one first. */
    readonly assessments: readonly AssessmentView[];
    readonly history: Static<typeof GradeHistory>;
    /** Evidence gaps of the question, by the rules of `/api/gaps`. */
    readonly gaps: readonly string[];
  } | null>;
  /** Returns every graded question by vertical. */
  graded(em: EntityManager): Promise<ReadonlyMap<string, GradedQuestion>>;
}
