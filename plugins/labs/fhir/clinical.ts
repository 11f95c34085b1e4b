/** Stores the clinical records of a phone's health export as reports, unconfirmed like all others, and each record once. */
import type { SealedReport } from '../sealed-report.ts';
import { addReport, countReports, MOST_REPORTS, newReportId, readAll, type Shelf } from '../store.ts';
import type { ClinicalReading } from './clinical-reader.ts';

export interface KeptClinical {
  /** Latest day first. */
  readonly reportIds: readonly string[];
  readonly values: number;
  /** Sentences on the remaining records. */
  readonly words: readonly string[];
}

interface Clinical extends Pick<ClinicalReading, 'reports' | 'words'> {
  readonly fileName: string;
  readonly person: Pick<SealedReport, 'sex' | 'birthYear'>;
}

/** Returns the keys of all records that a device's reports were made of. */
export const knownClinicalKeys = async (shelf: Shelf): Promise<readonly string[]> =>
  (await readAll(shelf)).flatMap(({ keys = [] }) => keys);

export const keepClinical = async (
  shelf: Shelf,
  { fileName, person, reports, words }: Clinical,
): Promise<KeptClinical> => {
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
      // The outcome of the file is stored with its import.
      warnings: [],
    };
    await addReport(shelf, { reportId, testType, sourceType: 'phone_health', files: 0, kept: report });
    reportIds.push(reportId);
  }
  const left = reports.length - taken.length;
  return {
    reportIds,
    values: taken.reduce((sum, { kept }) => sum + kept.markers.length, 0),
    words: left
      ? [
          ...words,
          `${left} more days were left out: a device keeps ${MOST_REPORTS} reports. Delete some, and upload the export again.`,
        ]
      : words,
  };
};
