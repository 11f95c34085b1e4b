import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { gradeDataset } from './dataset.ts';
import { OutcomeGradeRow, OutcomeSourceRow, TrendingSnapshot } from './entities.ts';
import { questionGrades } from './grade-view.ts';
import { trendingJob } from './jobs.ts';
import { methodologyRoute } from './methodology-route.ts';
import { gapsRoute, interventionsRoute, outcomeRoute, outcomesRoute } from './outcome-routes.ts';
import { type OutcomeServices, startOutcomes } from './services.ts';
import { trendingRoute } from './trending-route.ts';

export const outcomesPlugin = definePlugin<OutcomeServices>({
  name: 'outcomes',
  summary: 'Grades per outcome with their history, interventions, gaps, trending',
  dependencies: [vocabularyPlugin, evidencePlugin, findingsPlugin],
  entities: [OutcomeGradeRow, OutcomeSourceRow, TrendingSnapshot],
  routes: [outcomesRoute, outcomeRoute, interventionsRoute, gapsRoute, trendingRoute, methodologyRoute],
  jobs: [trendingJob],
  datasets: [gradeDataset],
  start: (host) => {
    const services = startOutcomes(host);
    const known = { terms: () => host.use(vocabularyPlugin).terms(), book: () => host.use(findingsPlugin).book() };
    host.use(evidencePlugin).gradeQuestions(questionGrades(services, known));
    return services;
  },
  ready: async ({ services, signal }) => {
    await services.catchUp(signal);
    services.keepLevel();
  },
  stages: (services) => [services.stage()],
  stop: (services) => services.stop(),
});

export type { Finding } from '#plugins/findings/index.ts';
export { assessmentView, findingsById, peopleInStudies, summaryOf, toldDirection } from './assessment-view.ts';
export type { GradeChange } from './changes.ts';
export { changeInWords, gradeView, NOT_ASSESSED_DIRECTION } from './grade-view.ts';
export { CERTAINTY_WORDS } from './grade-words.ts';
export type { Assessment as OutcomeAssessment } from './grading/assessment.ts';
export type { MethodDescription } from './grading/describe-method.ts';
export { CERTAINTIES, CERTAINTY_MEANINGS, type Certainty } from './grading/method.ts';
export { type ConditionFinder, conditionFinder, isPopulationOf } from './grading/population.ts';
export { groupsOfDose } from './interventions.ts';
export { nameOfPopulation } from './population-name.ts';
export { forCondition, type OutcomeGrade } from './read-grades.ts';
export { OutcomesReply } from './schemas.ts';
export type { OutcomeServices } from './services.ts';
export { type WhatWouldChange, whatWouldChange } from './what-would-change.ts';
