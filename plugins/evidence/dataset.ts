/** Dataset of all sources. */
import { ownLicence } from '#core/datasets.ts';
import type { Dataset } from '#core/plugin.ts';
import { sourcePages } from './export/source-pages.ts';
import { ReadRecord } from './schemas.ts';
import type { EvidenceServices } from './services.ts';
import { toReadRecord } from './source-view.ts';

/**
 * Number of sources per page; smaller than in an export, because no user waits for it and readers of the same process take
 * precedence.
 */
const PART = 100;

export const sourceDataset: Dataset<EvidenceServices> = {
  name: 'sources',
  title: 'Sources',
  description:
    'Every source with its grade, what the grade is made of, what a program read in its abstract, and its identifiers; retracted ones are there and say so in retraction_status.',
  licence: ownLicence(
    'Grades, what was read out of the sources, and summaries that are our own words are CC BY 4.0. Bibliographic facts belong to nobody. An abstract belongs to its publisher: it is there as far as the licence in `license` allows, else its first 49 words.',
  ),
  row: ReadRecord,
  key: 'source_id',
  tables: ['evidence_source'],
  rows: async function* ({ db }) {
    for await (const rows of sourcePages(db, { excludeRetracted: false }, PART)) yield rows.map(toReadRecord);
  },
};
