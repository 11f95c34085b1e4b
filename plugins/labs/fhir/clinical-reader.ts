/** Clinical records as reports, without a database: the process that reads a phone's export loads this by its address. */
import { createBook, type Marker } from '../reading/book.ts';
import { type Json, KEY } from './observation.ts';
import { type ImportedReport, observationsToReport, tallyInWords } from './observations-to-report.ts';

export interface ClinicalRecord {
  /** Type, provider and identifier: the same in each export, where the file's name is not. */
  readonly key: string;
  readonly resource: Json;
}

export interface ClinicalReading {
  /** The latest day first. */
  readonly reports: readonly ImportedReport[];
  /** Records that an earlier export brought. */
  readonly known: number;
  /** What became of the rest, as sentences. */
  readonly words: readonly string[];
}

/** What a process needs to read clinical records. Plain data: it travels by structured clone. */
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
