/** Exports confirmed values, reports and the log as FHIR R4 resources (https://hl7.org/fhir/R4/) with stable ids. */
import { createHash } from 'node:crypto';
import { type Book, unitText } from '#plugins/biomarkers/index.ts';
import type { FhirResource } from '#plugins/devices/index.ts';
import type { Report, StoredMarker } from '../sealed-report.ts';
import { readAll, type Shelf } from '../store.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';
import { readLog } from '../supplements/log-store.ts';
import { doseInWords } from '../supplements/page.ts';
import { loincOf } from './codes.ts';

/** Hashes a name to a UUID (RFC 9562, version 8), which is the same for the same thing in every export. */
const uuidOf = (...parts: readonly string[]): string => {
  const bytes = createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

const referenceTo = (id: string) => ({ reference: `urn:uuid:${id}` });

const LABORATORY = [
  {
    coding: [
      {
        system: 'http://terminology.hl7.org/CodeSystem/observation-category',
        code: 'laboratory',
        display: 'Laboratory',
      },
    ],
  },
];
const UCUM = 'http://unitsofmeasure.org';

const quantity = (value: number, { unit, ucum }: Pick<StoredMarker, 'unit' | 'ucum'>) => ({
  value,
  ...(unit || ucum ? { unit: unit || unitText(ucum) } : {}),
  ...(ucum ? { system: UCUM, code: ucum } : {}),
});

const measured = (kept: StoredMarker) =>
  kept.value === null
    ? { valueString: kept.valueText }
    : {
        valueQuantity: {
          ...quantity(kept.value, kept),
          ...(kept.comparator === '=' ? {} : { comparator: kept.comparator }),
        },
      };

const rangeOf = ({ range, unit, ucum }: StoredMarker) => {
  const { low, high, text } = range;
  if (low === null && high === null && !text) return {};
  return {
    referenceRange: [
      {
        ...(low === null ? {} : { low: quantity(low, { unit, ucum }) }),
        ...(high === null ? {} : { high: quantity(high, { unit, ucum }) }),
        ...(text ? { text } : {}),
      },
    ],
  };
};

interface Whose {
  readonly book: Book;
  readonly patient: string;
  readonly device: string;
}

const ORIGINS: Readonly<Record<StoredMarker['origin'], string>> = {
  read: 'Read off the report by a program and confirmed by the person.',
  corrected: 'Read off the report by a program, corrected and confirmed by the person.',
  by_hand: 'Entered by the person.',
};

const observation = ({ book, patient, device }: Whose, report: Report, kept: StoredMarker): FhirResource => {
  const marker = kept.slug === null ? null : book.bySlug(kept.slug);
  const coding = marker && loincOf(book, marker, kept);
  const day = report.collectedAt;
  return {
    resourceType: 'Observation',
    id: uuidOf('observation', device, report.reportId, kept.markerId),
    status: 'final',
    category: LABORATORY,
    code: {
      ...(coding ? { coding: [{ system: 'http://loinc.org', ...coding }] } : {}),
      text: marker?.name ?? kept.rawName,
    },
    subject: referenceTo(patient),
    ...(day ? { effectiveDateTime: day } : {}),
    ...(report.labName ? { performer: [{ display: report.labName }] } : {}),
    ...measured(kept),
    ...rangeOf(kept),
    note: [{ text: ORIGINS[kept.origin] }],
  };
};

const diagnosticReport = (
  { patient, device }: Whose,
  report: Report,
  results: readonly FhirResource[],
): FhirResource => ({
  resourceType: 'DiagnosticReport',
  id: uuidOf('report', device, report.reportId),
  status: results.length === report.markers.length ? 'final' : 'partial',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'LAB', display: 'Laboratory' }] },
  ],
  code: { text: `Laboratory report (${report.testType})` },
  subject: referenceTo(patient),
  ...(report.collectedAt ? { effectiveDateTime: report.collectedAt } : {}),
  ...(report.labName ? { performer: [{ display: report.labName }] } : {}),
  result: results.map(({ id }) => referenceTo(id)),
});

const statement = ({ patient, device }: Whose, entry: LogEntry): FhirResource => {
  const dose = doseInWords(entry);
  return {
    resourceType: 'MedicationStatement',
    id: uuidOf('statement', device, String(entry.logId)),
    status: entry.stoppedAt === null ? 'active' : 'stopped',
    medicationCodeableConcept: { text: entry.name },
    subject: referenceTo(patient),
    effectivePeriod: { start: entry.startedAt, ...(entry.stoppedAt === null ? {} : { end: entry.stoppedAt }) },
    dateAsserted: entry.createdAt,
    ...(entry.reason ? { reasonCode: [{ text: entry.reason }] } : {}),
    ...(dose ? { dosage: [{ text: dose }] } : {}),
    note: [{ text: `Noted by the person as a ${entry.kind}.` }],
  };
};

/** Builds the Patient resource with the most recently stated sex and year of birth, without a name. */
const patientOf = (id: string, reports: readonly Report[]): FhirResource => {
  const sex = reports.find((report) => report.sex !== null)?.sex;
  const year = reports.find((report) => report.birthYear !== null)?.birthYear;
  return {
    resourceType: 'Patient',
    id,
    ...(sex ? { gender: sex } : {}),
    ...(year ? { birthDate: String(year) } : {}),
  };
};

/**
 * Builds the resources of a device.
 * @param reports latest first.
 * @returns [] when there is neither a confirmed value nor a log entry.
 */
export const fhirResources = (
  book: Book,
  {
    device,
    reports,
    log,
  }: { readonly device: string; readonly reports: readonly Report[]; readonly log: readonly LogEntry[] },
): readonly FhirResource[] => {
  const patient = uuidOf('patient', device);
  const whose = { book, patient, device };
  const values = reports.flatMap((report) => {
    const results = report.markers.filter(({ confirmed }) => confirmed).map((kept) => observation(whose, report, kept));
    return results.length ? [...results, diagnosticReport(whose, report, results)] : [];
  });
  const statements = log.map((entry) => statement(whose, entry));
  return values.length + statements.length ? [patientOf(patient, reports), ...values, ...statements] : [];
};

/** Reads all reports and log entries of a device and returns their resources, for its bundle. */
export const readResources = async (shelf: Shelf, book: Book): Promise<readonly FhirResource[]> =>
  fhirResources(book, { device: shelf.device, reports: await readAll(shelf), log: await readLog(shelf) });
