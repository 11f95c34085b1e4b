/** Dataset of all outcome grades. */
import { ownLicence } from '#core/datasets.ts';
import type { Dataset } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { isNamed, toOutcome } from './outcome-routes.ts';
import { Outcome } from './schemas.ts';
import type { OutcomeServices } from './services.ts';

export const gradeDataset: Dataset<OutcomeServices> = {
  name: 'grades',
  title: 'Grades of outcomes',
  description:
    'What the sources amount to for each supplement and outcome: certainty, direction, size of the effect, and every reason.',
  licence: ownLicence('Everything in it is worked out here and CC BY 4.0. No grade says that anything is safe.'),
  row: Outcome,
  key: 'vertical',
  tables: [
    'outcome_grade',
    'outcome_source',
    'finding',
    'evidence_source',
    'evidence_vertical',
    'supplement',
    'topic',
    'condition',
    'substance',
    'reference_intake',
    'redirect',
    'content_file',
  ],
  rows: async function* ({ services, use }) {
    await services.level();
    const terms = await use(vocabularyPlugin).terms();
    const grades = (await services.all()).filter((grade) => isNamed(grade, terms));
    yield grades.map((grade) => toOutcome(grade, terms));
  },
};
