import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { checkerRoutes } from './checker/routes.ts';
import { interactionDatasets } from './datasets.ts';
import { classContent, nameContent, otherNameContent } from './drugs/content.ts';
import { drugRoutes } from './drugs/routes.ts';
import { floorRoutes } from './floor/routes.ts';
import { drugImporters } from './importers/index.ts';
import { candidateContent } from './labels/candidate-table.ts';
import { labelsCommand } from './labels/command.ts';
import { interactionPages } from './pages/index.ts';
import {
  cautionContent,
  depletionContent,
  floorContent,
  formContent,
  labelContent,
  mechanismContent,
  practiceContent,
  propertyContent,
  ruleContent,
  signalContent,
} from './rules/content.ts';
import { type InteractionServices, startInteractions } from './services.ts';

/** Drugs and their interactions with supplements: names, classes, rules, the checker and its pages. */
export const interactionsPlugin = definePlugin<InteractionServices>({
  name: 'interactions',
  summary: 'Drugs, interaction rules and the checker',
  dependencies: [vocabularyPlugin, evidencePlugin],
  routes: [...checkerRoutes, ...drugRoutes, ...floorRoutes],
  pages: interactionPages,
  importers: drugImporters,
  commands: [labelsCommand],
  datasets: interactionDatasets,
  // Each refers only to sources earlier in the list.
  content: [
    classContent,
    nameContent,
    otherNameContent,
    propertyContent,
    mechanismContent,
    ruleContent,
    labelContent,
    candidateContent,
    practiceContent,
    cautionContent,
    floorContent,
    formContent,
    depletionContent,
    signalContent,
  ],
  start: startInteractions,
});

export type { InteractionBook, Pair } from './book/interaction-book.ts';
export type { CautionRecord } from './book/rule-record.ts';
export { check } from './checker/check.ts';
export { CheckReply, StackReply } from './checker/schemas.ts';
export { checkStack } from './checker/stack.ts';
export type { Drug, DrugBook, DrugClass, DrugResolution } from './drugs/drug-book.ts';
export { safetyFloor } from './floor/safety-floor.ts';
export { NOT_STUDIED_TOPICS } from './floor/topics.ts';
export { CareView, careOf } from './pages/care.ts';
export { SeverityView, severityView } from './pages/rule-view.ts';
export { type EntryRow, readEntries } from './rules/entries.ts';
export { describeGrounds } from './rules/grounds.ts';
export {
  ACTION_WORDS,
  CONDITION_WORDS,
  cautionSeverityWord,
  cautionToDo,
  gravestFirst,
  pairToDo,
  SEVERITIES,
  SEVERITY_WORDS,
  type Severity,
} from './rules/severity-labels.ts';
export {
  EXPOSURE_LEVELS,
  NARROW,
  NO_OUTCOME,
  NOT_KNOWN,
  NOT_MEASURED,
  OUTCOME_LEVELS,
  STATED,
  STATED_BY_LABEL,
} from './rules/severity-rule.ts';
export type { InteractionServices } from './services.ts';
export type { CautionSummary, InteractionCount, InteractionPair, InteractionSummary } from './summaries.ts';
