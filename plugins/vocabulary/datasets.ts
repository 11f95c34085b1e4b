/** Datasets of supplements and conditions. */
import { ownLicence } from '#core/datasets.ts';
import type { Dataset } from '#core/plugin.ts';
import { conditionRecord, supplementRecord } from './records.ts';
import { ConditionRecord, SupplementRecord } from './route-schemas.ts';
import type { VocabularyServices } from './services.ts';

const bySlug = <T extends { readonly slug: string }>(rows: Iterable<T>): T[] =>
  [...rows].sort((a, b) => (a.slug < b.slug ? -1 : 1));

const supplements: Dataset<VocabularyServices> = {
  name: 'supplements',
  title: 'Supplements',
  description:
    'Every supplement with its names, standard ids, forms, doses as they were studied, safety, reference intakes, and what is not known.',
  licence: ownLicence(
    'Texts are CC BY 4.0. Recommended intakes and upper limits are facts of the authority that `intake` names. Standard ids belong to their registers.',
  ),
  row: SupplementRecord,
  key: 'slug',
  tables: ['supplement', 'topic', 'condition', 'substance', 'reference_intake', 'redirect', 'content_file'],
  rows: async function* ({ services, config }) {
    const terms = await services.terms();
    yield bySlug(terms.supplements.values()).map((row) => supplementRecord(row, terms, config.text('BASE_URL')));
  },
};

const conditions: Dataset<VocabularyServices> = {
  name: 'conditions',
  title: 'Conditions',
  description: 'Every condition with its names, standard ids, topics, questions to ask, and signs that need a doctor.',
  licence: ownLicence('Texts are CC BY 4.0. Standard ids belong to their registers.'),
  row: ConditionRecord,
  key: 'slug',
  tables: supplements.tables,
  rows: async function* ({ services, config }) {
    const terms = await services.terms();
    yield bySlug(terms.conditions.values()).map((row) => conditionRecord(row, terms, config.text('BASE_URL')));
  },
};

export const vocabularyDatasets = [supplements, conditions];
