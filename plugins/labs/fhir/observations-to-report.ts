/** FHIR resources as reports: one per day, its values unconfirmed; with a tally of what was read, and why something was not. Pure. */
import type { Book } from '#plugins/biomarkers/index.ts';
import { EMPTY_REPORT, type KeptReport } from '../kept.ts';
import type { TestType } from '../report.ts';
import { MOST_MARKERS } from '../review.ts';
import { isObject, type Json, type ReadObservation, readObservation, type Skip, text } from './observation.ts';

export interface ImportedReport {
  readonly testType: TestType;
  readonly kept: KeptReport;
}

export interface Tally {
  /** Observations that were looked at. */
  readonly read: number;
  /** Of them known by code or name. */
  readonly mapped: number;
  /** Of them kept under the name that they came with. */
  readonly unmapped: number;
  readonly skipped: Readonly<Partial<Record<Skip, number>>>;
}

export interface Imported {
  /** The latest day first. */
  readonly reports: readonly ImportedReport[];
  readonly tally: Tally;
}

/** More resources than any person's record holds. */
export const MOST_RESOURCES = 50_000;
/** Of one file; what is beyond is told. */
const MOST_REPORTS_AT_ONCE = 200;

/** Resources of a bundle, of a list, or the one that it is. */
export const resourcesIn = (json: unknown): readonly Json[] => {
  const all: Json[] = [];
  const take = (value: unknown, depth: number): void => {
    if (!isObject(value) || all.length >= MOST_RESOURCES) return;
    all.push(value);
    if (depth > 2) return;
    // An entry of a bundle may be a bundle; a report carries its observations with it.
    if (Array.isArray(value.entry))
      for (const entry of value.entry) if (isObject(entry)) take(entry.resource, depth + 1);
    if (Array.isArray(value.contained)) for (const one of value.contained) take(one, depth + 1);
  };
  for (const value of Array.isArray(json) ? json : [json]) take(value, 0);
  return all;
};

const isOf =
  (type: string) =>
  (resource: Json): boolean =>
    resource.resourceType === type;

/** A panel (blood pressure, a blood count) carries its values in parts, which have the days of the whole. */
const partsOf = (observation: Json): readonly Json[] => {
  const parts = Array.isArray(observation.component) ? observation.component.filter(isObject) : [];
  const { component, code, valueQuantity, ...whole } = observation;
  const own = parts.map((part): Json => ({ ...whole, ...part }));
  return valueQuantity !== undefined || !own.length ? [{ ...observation, component: undefined }, ...own] : own;
};

/** Of one Patient alone; a file of two people says nothing of either. */
const personIn = (resources: readonly Json[]): Pick<KeptReport, 'sex' | 'birthYear'> => {
  const [patient, ...others] = resources.filter(isOf('Patient'));
  if (!patient || others.length) return { sex: null, birthYear: null };
  const gender = text(patient.gender);
  const year = Number(/^(\d{4})/.exec(text(patient.birthDate))?.[1] ?? Number.NaN);
  return {
    sex: gender === 'female' || gender === 'male' ? gender : null,
    birthYear: year >= 1900 && year <= new Date().getUTCFullYear() ? year : null,
  };
};

const testTypeOf = (values: readonly ReadObservation[]): TestType => {
  const specimens = new Set(values.flatMap(({ marker }) => marker?.specimen ?? []));
  if (specimens.has('blood')) return 'blood';
  return specimens.has('urine') ? 'urine' : 'other';
};

/** One name where all have the same. */
const labNameOf = (values: readonly ReadObservation[]): string => {
  const names = new Set(values.map(({ labName }) => labName).filter(Boolean));
  return names.size === 1 ? ([...names][0] ?? '') : '';
};

const dayKey = ({ drawnOn, issuedOn }: ReadObservation): string =>
  `${drawnOn ?? ''}/${drawnOn ? '' : (issuedOn ?? '')}`;

const reportOf = (
  values: readonly ReadObservation[],
  person: Pick<KeptReport, 'sex' | 'birthYear'>,
): ImportedReport => ({
  testType: testTypeOf(values),
  kept: {
    ...EMPTY_REPORT,
    ...person,
    labName: labNameOf(values),
    collectedAt: values[0]?.drawnOn ?? null,
    // The day of a result is none of a draw: the person can say when it was.
    reportedAt: values[0]?.issuedOn ?? null,
    readBy: 'fhir',
    keys: [...new Set(values.map(({ key }) => key).filter(Boolean))],
    markers: values.map(({ value }, at) => ({ ...value, markerId: `m${at + 1}` })),
  },
});

const sameAs = ({ value, drawnOn, issuedOn }: ReadObservation): string =>
  JSON.stringify([drawnOn ?? issuedOn, value.slug ?? value.rawName, value.loinc, value.valueText, value.unit]);

/** @param resources of one person, in any order; what is no observation is passed over. */
export const observationsToReport = (resources: readonly Json[], book: Book): Imported => {
  const skipped: Partial<Record<Skip, number>> = {};
  const skip = (why: Skip): void => {
    skipped[why] = (skipped[why] ?? 0) + 1;
  };
  const seen = new Set<string>();
  const days = new Map<string, ReadObservation[]>();
  const observations = resources.filter(isOf('Observation')).flatMap(partsOf);
  for (const observation of observations) {
    const read = readObservation(book, observation);
    if (typeof read === 'string') {
      skip(read);
      continue;
    }
    const same = sameAs(read);
    const key = dayKey(read);
    const day = days.get(key) ?? [];
    if (seen.has(same)) skip('twice');
    else if (day.length >= MOST_MARKERS || (!days.has(key) && days.size >= MOST_REPORTS_AT_ONCE)) skip('too_many');
    else days.set(key, [...day, read]);
    seen.add(same);
  }
  const kept = [...days.values()];
  const person = personIn(resources);
  const mapped = kept.flat().filter(({ marker }) => marker !== null).length;
  return {
    reports: kept.map((values) => reportOf(values, person)).sort((a, b) => dayOf(b).localeCompare(dayOf(a))),
    tally: { read: observations.length, mapped, unmapped: kept.flat().length - mapped, skipped },
  };
};

const dayOf = ({ kept }: ImportedReport): string => kept.collectedAt ?? kept.reportedAt ?? '';

const SKIP_WORDS: Readonly<Record<Skip, string>> = {
  withdrawn: 'withdrawn or not yet final in the file',
  vital_sign: 'no laboratory value but a measurement such as height or pulse',
  no_value: 'without a value',
  no_name: 'without a name or code',
  twice: 'the same as another one',
  too_many: 'more than we take from one file',
};

/** What became of a file, as one sentence each: shown with the report. */
export const tallyInWords = ({ read, mapped, unmapped, skipped }: Tally): readonly string[] => [
  `${read} ${read === 1 ? 'observation was' : 'observations were'} read: ${mapped} recognised, ${unmapped} kept under the name in the file.`,
  ...Object.entries(skipped).map(([why, count]) => `${count} left out: ${SKIP_WORDS[why as Skip]}.`),
];
