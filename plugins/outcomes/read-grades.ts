/** Reads the stored grades and their history. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '#core/plugin.ts';
import type { Tier } from '#plugins/evidence/index.ts';
import { type GradeChange, historyOfSupplement, historyOfVertical } from './changes.ts';
import { OutcomeGradeRow } from './entities.ts';
import type { Assessment, OutcomeReason } from './grading/assessment.ts';
import type { OutcomeCap } from './grading/certainty.ts';
import type { OutcomeFigures } from './grading/figures.ts';
import type { Magnitude } from './grading/magnitude.ts';
import type { Certainty } from './grading/method.ts';
import { isPopulationOf } from './grading/population.ts';

const LONGEST_HISTORY = 200;

/** Grade of the evidence on one supplement and one outcome. */
export interface OutcomeGrade {
  readonly vertical: string;
  readonly supplement_slug: string;
  readonly topic_slug: string;
  /** False when nobody has assessed the question; certainty and direction are then meaningless. */
  readonly assessed: boolean;
  /** One assessment per population, the leading one first. */
  readonly assessments: readonly Assessment[];
  readonly certainty: Certainty;
  readonly direction: string;
  readonly magnitude: Magnitude;
  /** Number of valid sources of every kind. */
  readonly source_count: number;
  /** "1,208", "at least 1,208", "not stated" or "none". */
  readonly people: string;
  readonly best_tier: Tier | null;
  readonly figures: OutcomeFigures;
  readonly caps: readonly OutcomeCap[];
  readonly reasons: readonly OutcomeReason[];
  readonly method_version: string;
  readonly first_graded_at: string;
  readonly graded_at: string;
  readonly digest: string;
}

export interface GradeFilter {
  readonly vertical?: string;
  readonly supplement?: string;
  readonly topic?: string;
  readonly topics?: readonly string[];
}

export interface GradeReader {
  ofSupplement(slug: string, em?: EntityManager): Promise<readonly OutcomeGrade[]>;
  ofVertical(vertical: string, em?: EntityManager): Promise<OutcomeGrade | null>;
  /** Returns every grade that matches the filter, ordered by vertical. */
  list(filter: GradeFilter, em?: EntityManager): Promise<readonly OutcomeGrade[]>;
  /** Returns every grade; the result is cached in memory until a grade changes. */
  all(): Promise<readonly OutcomeGrade[]>;
  /** Returns the changes of one question, newest first. */
  history(vertical: string, em?: EntityManager): Promise<readonly GradeChange[]>;
  historyOfSupplement(slug: string, limit: number, em?: EntityManager): Promise<readonly GradeChange[]>;
}

type StoredGrade = Awaited<ReturnType<typeof readGrades>>[number];

const readGrades = (em: EntityManager, { vertical, supplement, topic, topics }: GradeFilter) =>
  em.find(
    OutcomeGradeRow,
    {
      ...(vertical && { vertical }),
      ...(supplement && { supplementSlug: supplement }),
      ...(topic && { topicSlug: topic }),
      ...(topics && { topicSlug: { $in: [...topics] } }),
    },
    { disableIdentityMap: true },
  );

const toGrade = (row: StoredGrade): OutcomeGrade => ({
  vertical: row.vertical,
  supplement_slug: row.supplementSlug,
  topic_slug: row.topicSlug,
  assessed: row.assessed,
  // Rows of an earlier method lack lists that were added later, until they are graded again.
  assessments: row.assessments.map((assessment) => ({ ...assessment, combined: assessment.combined ?? [] })),
  certainty: row.certainty as Certainty,
  direction: row.direction,
  // Grades of an earlier method have no limits until they are graded again.
  magnitude: { ...row.magnitude, limits: row.magnitude.limits ?? [] },
  source_count: row.figures.sources,
  people: row.figures.people.text,
  best_tier: row.figures.best_tier,
  figures: row.figures,
  caps: row.caps,
  reasons: row.reasons,
  method_version: row.methodVersion,
  first_graded_at: row.firstGradedAt.toISOString(),
  graded_at: row.gradedAt.toISOString(),
  digest: row.digest,
});

/** Changes whenever any process adds, removes or changes a grade. */
const STATE =
  'select count(*)::int as n, max(graded_at)::text as at, sum(hashtext(digest)) as digests from outcome_grade';

export const gradeReader = (db: Database): GradeReader => {
  const within = <T>(em: EntityManager | undefined, work: (em: EntityManager) => Promise<T>): Promise<T> =>
    em ? work(em) : db.read(work);
  const list = async (filter: GradeFilter, em?: EntityManager): Promise<readonly OutcomeGrade[]> =>
    (await within(em, (inner) => readGrades(inner, filter)))
      .map(toGrade)
      .sort((a, b) => (a.vertical < b.vertical ? -1 : 1));
  let kept: { readonly state: string; readonly grades: readonly OutcomeGrade[] } | null = null;
  const all = (): Promise<readonly OutcomeGrade[]> =>
    db.read(async (em) => {
      const state = JSON.stringify(await em.execute(STATE));
      if (kept?.state !== state) kept = { state, grades: await list({}, em) };
      return kept.grades;
    });
  return {
    list,
    all,
    ofSupplement: (slug: string, em?: EntityManager) => list({ supplement: slug }, em),
    ofVertical: async (vertical: string, em?: EntityManager) => (await list({ vertical }, em))[0] ?? null,
    history: (vertical: string, em?: EntityManager) =>
      within(em, (inner) => historyOfVertical(inner, vertical, LONGEST_HISTORY)),
    historyOfSupplement: (slug: string, limit: number, em?: EntityManager) =>
      within(em, (inner) => historyOfSupplement(inner, slug, limit)),
  };
};

/**
 * Returns the grade for people with one illness, with a matching population in the lead; empty when the question was not assessed
 * in them. Without an illness, the grade is returned unchanged.
 */
export const forCondition = (grade: OutcomeGrade, condition: string | undefined): readonly OutcomeGrade[] => {
  if (!condition) return [grade];
  const assessments = grade.assessments.filter(({ population }) => isPopulationOf(condition, population));
  const [lead] = assessments;
  if (!lead) return [];
  const { certainty, direction, magnitude, reasons, caps } = lead;
  return [{ ...grade, assessments, certainty, direction, magnitude, reasons, caps }];
};
