/** Clinical records of a phone's health export as reports: unconfirmed like all others, and none of them twice. */
import type { Book } from '#plugins/biomarkers/index.ts';
import type { KeptReport } from '../kept.ts';
import { addReport, countReports, MOST_REPORTS, newReportId, readAll, type Shelf } from '../store.ts';
import { type Json, KEY } from './observation.ts';
import { observationsToReport, tallyInWords } from './observations-to-report.ts';

export interface ClinicalRecord {
  /** Type, provider and identifier: the same in each export, where the file's name is not. */
  readonly key: string;
  readonly resource: Json;
}

export interface KeptClinical {
  /** The latest day first. */
  readonly reportIds: readonly string[];
  readonly values: number;
  /** Records that an earlier export brought. */
  readonly known: number;
  /** What became of the rest, as sentences. */
  readonly words: readonly string[];
}

interface Clinical {
  readonly book: Book;
  readonly fileName: string;
  readonly person: Pick<KeptReport, 'sex' | 'birthYear'>;
  readonly records: readonly ClinicalRecord[];
}

const knownKeys = async (shelf: Shelf): Promise<ReadonlySet<string>> =>
  new Set((await readAll(shelf)).flatMap(({ keys = [] }) => keys));

export const keepClinical = async (
  shelf: Shelf,
  { book, fileName, person, records }: Clinical,
): Promise<KeptClinical> => {
  const known = await knownKeys(shelf);
  const fresh = records.filter(({ key }) => !known.has(key));
  const { reports, tally } = observationsToReport(
    fresh.map(({ key, resource }): Json => ({ ...resource, [KEY]: key })),
    book,
  );
  const words = fresh.length ? tallyInWords(tally) : [];
  const room = Math.max(0, MOST_REPORTS - (await countReports(shelf)));
  const taken = reports.slice(0, room);
  const reportIds: string[] = [];
  for (const { testType, kept } of taken) {
    const reportId = newReportId();
    const files = [{ name: fileName, pages: 0, outcome: 'read' as const }];
    const report = {
      ...kept,
      sex: person.sex ?? kept.sex,
      birthYear: person.birthYear ?? kept.birthYear,
      files,
      // What became of the file stands with its import.
      warnings: [],
    };
    await addReport(shelf, { reportId, testType, sourceType: 'phone_health', files: 0, kept: report });
    reportIds.push(reportId);
  }
  const left = reports.length - taken.length;
  return {
    reportIds,
    values: taken.reduce((sum, { kept }) => sum + kept.markers.length, 0),
    known: records.length - fresh.length,
    words: left
      ? [
          ...words,
          `${left} more days were left out: a device keeps ${MOST_REPORTS} reports. Delete some, and upload the export again.`,
        ]
      : words,
  };
};
