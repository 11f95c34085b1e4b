import { defineEntity, p } from '@mikro-orm/core';
import type { Assessment, OutcomeReason } from './grading/assessment.ts';
import type { OutcomeCap } from './grading/certainty.ts';
import type { OutcomeFigures } from './grading/figures.ts';
import type { Magnitude } from './grading/magnitude.ts';
import type { TrendingAnswer } from './trending-figures.ts';

/** The current grade of a supplement on an outcome. Previous grades are in the change log. */
export const OutcomeGradeRow = defineEntity({
  name: 'OutcomeGradeRow',
  tableName: 'outcome_grade',
  properties: {
    vertical: p.string().primary(),
    supplementSlug: p.string(),
    topicSlug: p.string(),
    assessed: p.boolean(),
    assessments: p.json<Assessment[]>(),
    certainty: p.string(),
    direction: p.string(),
    magnitude: p.json<Magnitude>(),
    figures: p.json<OutcomeFigures>(),
    caps: p.json<OutcomeCap[]>(),
    reasons: p.json<OutcomeReason[]>(),
    methodVersion: p.string(),
    digest: p.string(),
    /** Digest of the claims of the supplement's entry on the outcome. */
    claimsDigest: p.string(),
    firstGradedAt: p.datetime(),
    gradedAt: p.datetime(),
  },
});

/** A source from which a grade was made; reveals when a source leaves the question. */
export const OutcomeSourceRow = defineEntity({
  name: 'OutcomeSourceRow',
  tableName: 'outcome_source',
  properties: { sourceId: p.string().primary(), vertical: p.string().primary() },
});

/** The last result of the trending job. */
export const TrendingSnapshot = defineEntity({
  name: 'TrendingSnapshot',
  tableName: 'trending_snapshot',
  properties: {
    name: p.string().primary(),
    methodVersion: p.string(),
    generatedAt: p.datetime(),
    answer: p.json<TrendingAnswer>(),
  },
});
