import { definePlugin } from '#core/plugin.ts';
import { conditionContent } from './condition-content.ts';
import { supplementContent, topicContent } from './content.ts';
import { vocabularyDatasets } from './datasets.ts';
import { Condition, Redirect, ReferenceIntake, Substance, Supplement, Topic } from './entities.ts';
import { intakeContent, redirectContent, substanceContent } from './list-content.ts';
import { vocabularyRoutes } from './routes.ts';
import { startVocabulary, type VocabularyServices } from './services.ts';

/** The vocabulary of content/: supplements, conditions, substances, topics. All other plugins build on it. */
export const vocabularyPlugin = definePlugin<VocabularyServices>({
  name: 'vocabulary',
  summary: 'Supplements, conditions, substances, topics: names, synonyms, entries, one resolver',
  dependencies: [],
  entities: [Supplement, Topic, Condition, Substance, ReferenceIntake, Redirect],
  // Each refers only to sources earlier in the list.
  content: [topicContent, supplementContent, conditionContent, substanceContent, intakeContent, redirectContent],
  routes: vocabularyRoutes,
  datasets: vocabularyDatasets,
  start: startVocabulary,
});

export { CONDITION_CATEGORIES, type ConditionEntry } from './condition-schema.ts';
export type { SubstanceKind } from './list-schemas.ts';
export {
  LegendView,
  ORIGIN_LEGEND,
  ORIGIN_MARKS,
  ORIGINS,
  type Origin,
  OriginCode,
  OriginView,
  originOfNote,
  originView,
} from './origins.ts';
export { checkPage, linkHeader, type PageRequest, pageMembers, pageOf, pageQuery } from './paging.ts';
export type { Kind, Resolved } from './resolver.ts';
export { changePassages, daysOf, listedIn, listedNames, referrals, SOURCE_CITATIONS, subjectIds } from './review.ts';
export { ResolveAnswer, ResolvedName, SupplementRecord } from './route-schemas.ts';
export { EntryChanges, ListedFields, SeeDoctor, type StandardIds } from './schema-parts.ts';
export type { SupplementEntry } from './schemas.ts';
export { Direction, SourceRef } from './schemas.ts';
export type { VocabularyServices } from './services.ts';
export { echoOf, type SupplementFilter, supplementFilter } from './supplement-filter.ts';
export type { ConditionRow, IntakeRow, SubstanceRow, SupplementRow, Terms, TopicRow } from './terms.ts';
export { isExplained, isWarnedKind, legalStatusOf, pagelessSubstances, statusNamesOf } from './terms.ts';
