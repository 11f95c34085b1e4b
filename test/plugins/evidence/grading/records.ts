import { emptyRecord, type SourceRecord, type StatedByEditor } from '../../../../plugins/evidence/source-record.ts';

/** A PubMed record with a title and an abstract of our own. */
export const article = (title: string, abstract = '', more: Partial<SourceRecord> = {}): SourceRecord => ({
  ...emptyRecord('pubmed'),
  title,
  abstract,
  ...more,
});

/** A trial of magnesium written for the tests; `people` is who was randomised. */
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
