import { ownLicence } from '#core/datasets.ts';
import type { Dataset } from '#core/plugin.ts';
import type { FindingServices } from './book.ts';
import { FindingRecord } from './schemas.ts';
import { toRecord } from './view.ts';

export const findingDataset: Dataset<FindingServices> = {
  name: 'findings',
  title: 'Findings of reviews and trials',
  description:
    'One result on one outcome from one source: comparison, population, effect with its interval, people, studies, and the certainty that the authors gave.',
  licence: ownLicence(
    'Figures are facts of the sources; sentences are our own words and CC BY 4.0. Cite the source of a figure.',
  ),
  row: FindingRecord,
  key: 'id',
  tables: ['finding'],
  rows: async function* ({ services }) {
    const { all } = await services.book();
    yield all.map(toRecord);
  },
};
