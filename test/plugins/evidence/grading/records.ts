import { emptyRecord, type SourceRecord, type StatedByEditor } from '../../../../plugins/evidence/source-record.ts';

/** Builds a PubMed record with a fictional title and abstract. */
export const article = (title: string, abstract = '', more: Partial<SourceRecord> = {}): SourceRecord => ({
  ...emptyRecord('pubmed'),
  title,
  abstract,
  ...more,
});

/** Builds a fictional trial of magnesium; `people` describes the randomised participants. */
export const magnesiumTrial = (people: string, more: Partial<SourceRecord> = {}): SourceRecord =>
  article(
    'Magnesium for leg cramps: a randomised, double-blind, placebo-controlled trial',
    `A total of ${people} with leg cramps were randomised to magnesium or placebo for eight weeks. ` +
      'Allocation was concealed. In conclusion, magnesium reduced the number of cramps. Registered as NCT01234567.',
    { nctId: 'NCT01234567', ...more },
  );

export const stated: StatedByEditor = {
  design: 'cohort',
  sampleSize: 321,
  studies: null,
  population: 'night workers',
  species: 'human',
  direction: 'null',
  funding: 'industry',
  summary: '',
  supplements: ['zinc'],
  topics: ['sleep'],
  read: 'abstract',
};
