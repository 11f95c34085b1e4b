/** Converts editors' entries to records. */
import type { ContentSourceEntry, CorrectionEntry, ReferenceEntry } from './schemas.ts';
import { emptyRecord, type SourceRecord } from './source-record.ts';

export const referenceOf = (entry: ReferenceEntry): SourceRecord => ({
  ...emptyRecord('content'),
  pmid: entry.pmid ?? '',
  doi: (entry.doi ?? '').toLowerCase(),
  nctId: entry.nct_id ?? '',
  title: entry.title,
  journal: entry.journal,
  year: entry.year,
  authors: entry.authors ?? [],
  publicationTypes: entry.publication_types,
});

export const recordOf = (entry: ContentSourceEntry): SourceRecord => ({
  ...referenceOf(entry),
  license: entry.license ?? '',
  stated: {
    design: entry.design as 'rct',
    sampleSize: entry.sample_size,
    studies: entry.studies ?? null,
    population: entry.population,
    species: entry.species as 'human',
    direction: entry.direction as 'positive',
    funding: entry.funding as 'none',
    summary: entry.summary.trim(),
    supplements: entry.supplements,
    topics: entry.topics,
    read: entry.read as 'abstract',
    ...(entry.effect_sizes && { effectSizes: entry.effect_sizes }),
    ...(entry.certainty_stated && { certaintyStated: entry.certainty_stated }),
    ...(entry.compares && { compares: entry.compares }),
    ...(entry.wider && { wider: true }),
  },
});

/** Converts a correction to a separate record, which is merged with those of the source. */
export const correctionOf = (entry: CorrectionEntry): SourceRecord => ({
  ...emptyRecord('correction'),
  pmid: entry.pmid ?? '',
  doi: (entry.doi ?? '').toLowerCase(),
  nctId: entry.nct_id ?? '',
  corrected: {
    ...(entry.design && { design: entry.design as 'rct' }),
    ...(entry.sample_size !== undefined && { sampleSize: entry.sample_size }),
    ...(entry.population !== undefined && { population: entry.population }),
    ...(entry.species && { species: entry.species as 'human' }),
    ...(entry.direction && { direction: entry.direction as 'positive' }),
    ...(entry.funding && { funding: entry.funding as 'none' }),
    ...(entry.supplements && { supplements: entry.supplements }),
    ...(entry.topics && { topics: entry.topics }),
  },
});
