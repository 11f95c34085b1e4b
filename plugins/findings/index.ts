import { definePlugin } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type FindingServices, startFindings } from './book.ts';
import { findingContent } from './content.ts';
import { findingDataset } from './dataset.ts';
import { FindingRow } from './entities.ts';
import { findingImporter } from './import.ts';
import { findingRoute, findingsRoute } from './routes.ts';

export const findingsPlugin = definePlugin<FindingServices>({
  name: 'findings',
  summary: 'Findings: one result on one outcome from one source',
  dependencies: [vocabularyPlugin],
  entities: [FindingRow],
  content: [findingContent],
  importers: [findingImporter],
  routes: [findingsRoute, findingRoute],
  datasets: [findingDataset],
  start: startFindings,
});

export { type FindingBook, type FindingServices, isCombined, supplementOf } from './book.ts';
export { FindingRecord, FindingsReply } from './schemas.ts';
export { sourceUrl, toRecord } from './view.ts';
export type { Finding, FindingCertainty, FindingDirection, FindingMeasure, Importance, People } from './vocabulary.ts';
