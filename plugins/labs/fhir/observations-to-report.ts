/**
 * Converts FHIR resources to reports, one per day with unconfirmed values, and counts what was read and what was skipped and why.
 * Pure.
 */

import type { Book } from '../reading/book.ts';
import type { TestType } from '../report.ts';
import { MOST_MARKERS } from '../review.ts';
import { EMPTY_REPORT, type SealedReport } from '../sealed-report.ts';
import {
  isObject,
  type Json,
  type ReadObservation,
  readObservation,
  readWhole,
  type Skip,
  text,
} from './observation.ts';

export interface ImportedReport {
  readonly testType: TestType;
  readonly kept: SealedReport;
}

export interface Tally {
  /** Number of observations examined. */
  readonly read: number;
  /** Number of stored values recognised by code or name. */
  readonly mapped: number;
  /** Number of stored values under the name in the file. */
  readonly unmapped: number;
  readonly skipped: Readonly<Partial<Record<Skip, number>>>;
}

export interface Imported {
  /** Latest day first. */
  readonly reports: readonly ImportedReport[];
  readonly tally: Tally;
}

/** Maximum number of resources; no person's record has more. */
export const MOST_RESOURCES = 50_000;
/** Maximum number of components of one observation; no laboratory panel has more. */
export const MOST_PARTS = 500;
/** Limits per file; the tally reports what exceeds them. */
const MOST_REPORTS_AT_ONCE = 200;
const MOST_VALUES = 10_000;
/** Maximum number of observations and components to examine. */
const MOST_LOOKED_AT = 50_000;

/** Returns the resources of a bundle or a list, or the single resource. */
export const resourcesIn = (json: unknown): readonly Json[] => {
  const all: Json[] = [];
  const take = (value: unknown, depth: number): void => {
    if (!isObject(value) || all.length >= MOST_RESOURCES) return;
    all.push(value);
    if (depth > 2) return;
    // An entry of a bundle may itself be a bundle; a report contains its observations.
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

/** Returns how many parts an observation has. */
export const partCount = ({ component }: Json): number => (Array.isArray(component) ? component.length : 0);

/** Returns the parts of an observation. A panel (blood pressure, a blood count) has its values in components. */
const partsOf = (observation: Json): readonly Json[] => {
  const { component } = observation;
  const parts = Array.isArray(component) ? component.slice(0, MOST_PARTS).filter(isObject) : [];
  return observation.valueQuantity !== undefined || !parts.length ? [observation, ...parts] : parts;
};

/** Returns sex and birth year of the only Patient. With several patients both are null, because values cannot be attributed. */
const personIn = (resources: readonly Json[]): Pick<SealedReport, 'sex' | 'birthYear'> => {
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

/** Returns the laboratory's name if it is the same for all values, otherwise "". */
const labNameOf = (values: readonly ReadObservation[]): string => {
  const names = new Set(values.map(({ labName }) => labName).filter(Boolean));
  return names.size === 1 ? ([...names][0] ?? '') : '';
};

const dayKey = ({ drawnOn, issuedOn }: ReadObservation): string =>
  `${drawnOn ?? ''}/${drawnOn ? '' : (issuedOn ?? '')}`;

const reportOf = (
  values: readonly ReadObservation[],
  person: Pick<SealedReport, 'sex' | 'birthYear'>,
): ImportedReport => ({
  testType: testTypeOf(values),
  kept: {
    ...EMPTY_REPORT,
    ...person,
    labName: labNameOf(values),
    collectedAt: values[0]?.drawnOn ?? null,
    // The day of a result is not the day of the draw, which the person can add.
    reportedAt: values[0]?.issuedOn ?? null,
    readBy: 'fhir',
    keys: [...new Set(values.map(({ key }) => key).filter(Boolean))],
    markers: values.map(({ value }, at) => ({ ...value, markerId: `m${at + 1}` })),
  },
});

const sameAs = ({ value, drawnOn, issuedOn }: ReadObservation): string =>
  JSON.stringify([drawnOn ?? issuedOn, value.slug ?? value.rawName, value.loinc, value.valueText, value.unit]);

/**
 * Converts the observations of one person to reports.
 * @param resources of one person, in any order; resources other than Observation and Patient are ignored.
 */
export const observationsToReport = (resources: readonly Json[], book: Book): Imported => {
  const skipped: Partial<Record<Skip, number>> = {};
  const skip = (why: Skip, times = 1): void => {
    skipped[why] = (skipped[why] ?? 0) + times;
  };
  const seen = new Set<string>();
  const days = new Map<string, ReadObservation[]>();
  let [looked, taken] = [0, 0];
  const take = (read: ReadObservation): void => {
    const same = sameAs(read);
    const key = dayKey(read);
    const day = days.get(key) ?? [];
    const hasRoom = day.length < MOST_MARKERS && (day.length > 0 || days.size < MOST_REPORTS_AT_ONCE);
    if (seen.has(same)) skip('twice');
    else if (!hasRoom || taken >= MOST_VALUES) skip('too_many');
    else {
      day.push(read);
      days.set(key, day);
      taken += 1;
    }
    seen.add(same);
  };
  for (const observation of resources.filter(isOf('Observation'))) {
    const whole = readWhole(observation);
    for (const part of partsOf(observation)) {
      looked += 1;
      const read = looked > MOST_LOOKED_AT ? 'too_many' : readObservation(book, part, whole);
      if (typeof read === 'string') skip(read);
      else take(read);
    }
    const beyond = Math.max(0, partCount(observation) - MOST_PARTS);
    if (beyond) skip('too_many', beyond);
    looked += beyond;
  }
  const kept = [...days.values()];
  const person = personIn(resources);
  const mapped = kept.flat().filter(({ marker }) => marker !== null).length;
  return {
    reports: kept.map((values) => reportOf(values, person)).sort((a, b) => dayOf(b).localeCompare(dayOf(a))),
    tally: { read: looked, mapped, unmapped: kept.flat().length - mapped, skipped },
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

/** Describes the tally, one sentence per fact; shown with the report. */
export const tallyInWords = ({ read, mapped, unmapped, skipped }: Tally): readonly string[] => [
  `${read} ${read === 1 ? 'observation was' : 'observations were'} read: ${mapped} recognised, ${unmapped} kept under the name in the file.`,
  ...Object.entries(skipped).map(([why, count]) => `${count} left out: ${SKIP_WORDS[why as Skip]}.`),
];
