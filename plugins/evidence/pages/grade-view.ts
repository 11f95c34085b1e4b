/** The grade of a question as pages show it. The plugin that grades outcomes knows this one, so it hands its reader in. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Static, Type } from 'typebox';
import type { AssessmentView } from './assessment-view.ts';
import { DirectionView } from './views.ts';

export const GradeView = Type.Object({
  /** `high`, `moderate`, `low`, `very_low` or `not_assessed`. */
  level: Type.String(),
  word: Type.String(),
  meaning: Type.String(),
  /** Whom it is about; "" when it is not assessed. */
  population: Type.String(),
  direction: DirectionView,
  size: Type.String(),
  sizeBasis: Type.String(),
  people: Type.String(),
  /** Why, one sentence each: where it starts, what lowers it, what caps it. */
  reasons: Type.Array(Type.String()),
  /** What would make it surer, one sentence each; empty where nothing lowers it. */
  lacking: Type.Array(Type.String()),
  /** Registered trials under way on the question; the newest of them. */
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
  /** RFC 3339. */
  readonly gradedAt: string;
}

export interface QuestionGrades {
  /** Waits a moment for grades to come level with the corpus; outside of a transaction. */
  level(): Promise<void>;
  /** Null for a question that has no grade. */
  of(
    em: EntityManager,
    vertical: string,
  ): Promise<{
    readonly grade: GradeView;
    /** One for each population that is assessed, the leading one first. */
    readonly assessments: readonly AssessmentView[];
    readonly history: Static<typeof GradeHistory>;
    /** What is missing on the question, by the rules of `/api/gaps`. */
    readonly gaps: readonly string[];
  } | null>;
  /** Every graded question by vertical. */
  graded(em: EntityManager): Promise<ReadonlyMap<string, GradedQuestion>>;
}
