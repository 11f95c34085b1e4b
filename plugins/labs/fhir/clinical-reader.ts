/**
 * Converts clinical records to reports without a database; the process that reads a phone's export loads this module by its URL.
 */
import { createBook, type Marker } from '../reading/book.ts';
import { type Json, KEY } from './observation.ts';
import { type ImportedReport, observationsToReport, tallyInWords } from './observations-to-report.ts';

export interface ClinicalRecord {
  /** Type, provider and identifier, which are the same in each export; the name of the file is not. */
  readonly key: string;
  readonly resource: Json;
}

export interface ClinicalReading {
  /** Latest day first. */
  readonly reports: readonly ImportedReport[];
  /** Number of records known from an earlier export. */
  readonly known: number;
  /** Sentences on the remaining records. */
  readonly words: readonly string[];
}

/** Data that a process needs to read clinical records. Plain data, sent by structured clone. */
export interface ClinicalContext {
  readonly markers: readonly Marker[];
  readonly knownKeys: readonly string[];
}

export type ReadClinicalRecords = typeof readClinicalRecords;

export const readClinicalRecords = (
  records: readonly ClinicalRecord[],
  { markers, knownKeys }: ClinicalContext,
): ClinicalReading => {
  const known = new Set(knownKeys);
  const fresh = records.filter(({ key }) => !known.has(key));
  const { reports, tally } = observationsToReport(
    fresh.map(({ key, resource }): Json => ({ ...resource, [KEY]: key })),
    createBook(markers),
  );
  return { reports, known: records.length - fresh.length, words: fresh.length ? tallyInWords(tally) : [] };
};
