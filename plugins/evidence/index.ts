import { definePlugin } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { indexCommand, sourceImporters } from './commands.ts';
import { sourceContent } from './content.ts';
import { sourceDataset } from './dataset.ts';
import { OriginRecord, RetractionNotice, Source, SourceVertical } from './entities.ts';
import { exportRoutes } from './export/routes.ts';
import { indexLevel } from './index-level.ts';
import { pubmedUpdate } from './jobs.ts';
import { evidencePages } from './pages/index.ts';
import { PubmedSearch, QueuedPmid } from './pubmed-search/entities.ts';
import { evidenceRoutes } from './routes.ts';
import { RETRIEVAL_VERSION } from './search.ts';
import { type EvidenceServices, startEvidence } from './services.ts';
import { evidenceCommand } from './starter/command.ts';

/** Number of sources to regrade above which a server starts first and regrades in the background. */
const GRADE_BEFORE_START = 3_000;

export const evidencePlugin = definePlugin<EvidenceServices>({
  name: 'evidence',
  summary: 'Sources: importing, grading, verticals, search',
  dependencies: [vocabularyPlugin],
  settings: [
    {
      name: 'NCBI_API_KEY',
      kind: 'secret',
      fallback: '',
      meaning: 'Key for NCBI E-utilities, which allows 10 requests a second instead of 3.',
    },
    {
      name: 'NCBI_EMAIL',
      kind: 'text',
      fallback: '',
      meaning: 'Your e-mail address, which NCBI asks for with each request; PubMed is searched only when it is set.',
    },
    {
      name: 'STARTER_EVIDENCE',
      kind: 'text',
      fallback: 'all',
      meaning: 'Sources shipped with the program besides those in content/sources: all or none.',
      choices: ['all', 'none'],
    },
    {
      name: 'NCBI_BASE_URL',
      kind: 'url',
      fallback: '',
      meaning: 'Address of NCBI E-utilities, for a mirror or a test.',
    },
  ],
  entities: [Source, OriginRecord, SourceVertical, RetractionNotice, PubmedSearch, QueuedPmid],
  routes: [...evidenceRoutes, ...exportRoutes],
  pages: evidencePages,
  jobs: [pubmedUpdate],
  commands: [indexCommand, evidenceCommand],
  importers: sourceImporters,
  content: [sourceContent],
  datasets: [sourceDataset],
  start: startEvidence,
  ready: async ({ services, db, log, signal }) => {
    const { version } = await services.grader();
    const stale = await db.read((em) => em.count(Source, { projection: { $ne: version }, removedAt: null }));
    const refresh = async (): Promise<void> => {
      await services.refreshStale(signal);
      await services.catchUp();
    };
    if (stale > GRADE_BEFORE_START) refresh().catch((error) => log.warn('not_graded_anew', { error }));
    else await refresh();
  },
  gauges: async ({ index }) => {
    const { documents, version } = index.state();
    const revision = Number(/\.r(\d+)\./.exec(version)?.[1] ?? 0);
    return [
      { name: 'index_documents', help: 'Documents that the search index holds.', value: documents },
      { name: 'index_revision', help: 'Of the search index; it grows with each change.', value: revision },
    ];
  },
  background: ({ starter }) => starter.begin(),
  stages: ({ starter }) => starter.stages(),
  diagnose: async (diagnosis) => [await indexLevel(diagnosis)],
  checks: async (services) => ({ search_index: services.index.state().documents > 0 ? 'ok' : 'degraded' }),
  versions: (services) => ({ index_version: services.index.state().version, retrieval_version: RETRIEVAL_VERSION }),
  stop: (services) => services.stop(),
});

export { readCited, readSources, sourceFinder, whereCited } from './cited-sources.ts';
export { Source, SourceVertical } from './entities.ts';
export { AssessmentView, FindingView } from './pages/assessment-view.ts';
export { type GradedQuestion, GradeHistory, GradeView, type QuestionGrades } from './pages/grade-view.ts';
export { likeness, namedIn, nearSupplements } from './pages/near.ts';
export { reasonsInWords } from './pages/reasons.ts';
// Exports shared with the pages of other plugins.
export * from './pages/views.ts';
export { isSure as isSureFinding } from './reading/is-sure.ts';
export { SearchEnvelope } from './schemas/search.ts';
export { EVIDENCE_LEVELS, EvidenceRecord, TIER_LABELS, TIERS, type Tier } from './schemas.ts';
export { type EvidenceAnswer, RETRIEVAL_VERSION } from './search.ts';
export type { EvidenceServices } from './services.ts';
export { parseSourceRef } from './source-id.ts';
export type { StatedEffect } from './source-record.ts';
export { abstractOrSummary, addressOf, isOnlyListed, type SourceRow } from './source-view.ts';
export { readStats } from './stats.ts';
export { GROUPS, type Group, groupsIn, groupsInWords } from './studied-groups.ts';
export { readSupplementCounts, type SupplementCount } from './supplement-counts.ts';
export { readVerticalCounts, type VerticalCount } from './vertical-counts.ts';
