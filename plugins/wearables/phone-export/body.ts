/** Dispatches the elements of an export.xml to records, clinical records and the tally. */
import { type ClinicalEntry, clinicalEntry, MOST_CLINICAL } from './clinical.ts';
import type { Attributes, OnElement } from './elements.ts';
import { momentText } from './moments.ts';
import type { PhoneReading } from './reading.ts';
import type { Records } from './records.ts';
import { leave, type Reason, type Tally } from './tally.ts';

export interface Body {
  readonly onElement: OnElement;
  readonly clinical: readonly ClinicalEntry[];
  about(): Pick<PhoneReading, 'exportedAt' | 'sex' | 'birthYear' | 'workouts'>;
}

/** Elements that are parts of an element counted on its own. */
const PARTS: ReadonlySet<string> = new Set([
  'HeartRateVariabilityMetadataList',
  'WorkoutEvent',
  'WorkoutRoute',
  'WorkoutStatistics',
  'WorkoutActivity',
  'FileReference',
  'Location',
  'SensitivityPoint',
]);

const SEXES: Readonly<Record<string, 'female' | 'male'>> = {
  HKBiologicalSexFemale: 'female',
  HKBiologicalSexMale: 'male',
};
const EARLIEST_BIRTH = 1900;

const sexIn = (me: Attributes): 'female' | 'male' | null =>
  SEXES[me.HKCharacteristicTypeIdentifierBiologicalSex ?? ''] ?? null;

const birthYearIn = (me: Attributes): number | null => {
  const year = Number(
    /^(\d{4})-\d\d-\d\d$/.exec(me.HKCharacteristicTypeIdentifierDateOfBirth ?? '')?.[1] ?? Number.NaN,
  );
  return year >= EARLIEST_BIRTH && year <= new Date().getUTCFullYear() ? year : null;
};

export const createBody = (records: Records, tally: Tally): Body => {
  const clinical: ClinicalEntry[] = [];
  let about: ReturnType<Body['about']> = { exportedAt: null, sex: null, birthYear: null, workouts: 0 };
  let workouts = 0;

  const leaveOne = (type: string, reason: Reason): void => {
    const count = tally.of(type);
    count.read += 1;
    leave(count, reason);
  };

  const takeClinical = (attributes: Attributes): void => {
    if (clinical.length < MOST_CLINICAL) clinical.push(clinicalEntry(attributes));
    else leaveOne(attributes.type || 'ClinicalRecord', 'tooMuch');
  };

  const takeOther = (name: string, attributes: Attributes): void => {
    if (name === 'Workout') {
      workouts += 1;
      leaveOne(name, 'counted');
    } else if (name === 'Correlation') leaveOne(attributes.type || name, 'correlated');
    else if (name === 'ActivitySummary') leaveOne(name, 'summary');
    else if (name === 'ClinicalRecord') takeClinical(attributes);
    else if (name === 'ExportDate') about = { ...about, exportedAt: momentText(attributes.value) };
    else if (name === 'Me') about = { ...about, sex: sexIn(attributes), birthYear: birthYearIn(attributes) };
    else if (!PARTS.has(name)) leaveOne(name, 'noMetric');
  };

  return {
    onElement: (name, attributes) => {
      if (name === 'Record') records.take(attributes);
      else if (name !== 'MetadataEntry' && name !== 'InstantaneousBeatsPerMinute') takeOther(name, attributes);
    },
    clinical,
    about: () => ({ ...about, workouts }),
  };
};
