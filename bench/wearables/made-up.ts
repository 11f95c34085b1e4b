/**
 * Generates a synthetic health export in the real format: its declaration, DTD, order (all records of a type together),
 * attributes, devices and metadata, as a phone with a watch writes them. The numbers are pseudo-random and belong to no person.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

const WATCH =
  '&lt;&lt;HKDevice: 0x283d1c5f0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.1&gt;';
const PHONE =
  '&lt;&lt;HKDevice: 0x283d1c640&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, software:17.1&gt;';
const SOURCES = {
  watch: `sourceName="Nobody’s Apple&#160;Watch" sourceVersion="10.1" device="${WATCH}"`,
  phone: `sourceName="Nobody’s iPhone" sourceVersion="17.1" device="${PHONE}"`,
};
type SourceName = keyof typeof SOURCES;

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 13 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>
<HealthData locale="en_GB">
 <ExportDate value="2026-11-01 09:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>
`;

interface MadeType {
  readonly type: string;
  readonly source: SourceName;
  readonly unit?: string;
  readonly perDay: number;
  readonly seconds: number;
  readonly value: (random: number, at: number) => string;
  readonly inside?: (random: number) => string;
}

const between =
  (low: number, high: number, digits = 0) =>
  (random: number): string =>
    (low + random * (high - low)).toFixed(digits);

const motion = (random: number): string =>
  `  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="${Math.floor(random * 3)}"/>\n`;

const beats = (random: number): string => {
  const lines = Array.from(
    { length: 40 },
    (_, at) =>
      `   <InstantaneousBeatsPerMinute bpm="${Math.floor(50 + random * 40 + (at % 7))}" time="3:${10 + at},${10 + at} AM"/>\n`,
  );
  return `  <HeartRateVariabilityMetadataList>\n${lines.join('')}  </HeartRateVariabilityMetadataList>\n`;
};

const STAGES = ['Core', 'Deep', 'Core', 'REM'];
const Q = 'HKQuantityTypeIdentifier';
const TYPES: readonly MadeType[] = [
  {
    type: `${Q}HeartRate`,
    source: 'watch',
    unit: 'count/min',
    perDay: 260,
    seconds: 0,
    value: between(48, 150),
    inside: motion,
  },
  { type: `${Q}OxygenSaturation`, source: 'watch', unit: '%', perDay: 12, seconds: 0, value: between(0.93, 1, 2) },
  {
    type: `${Q}RespiratoryRate`,
    source: 'watch',
    unit: 'count/min',
    perDay: 20,
    seconds: 0,
    value: between(12, 18, 1),
  },
  { type: `${Q}StepCount`, source: 'phone', unit: 'count', perDay: 45, seconds: 540, value: between(5, 400) },
  { type: `${Q}StepCount`, source: 'watch', unit: 'count', perDay: 70, seconds: 300, value: between(5, 300) },
  {
    type: `${Q}DistanceWalkingRunning`,
    source: 'phone',
    unit: 'km',
    perDay: 45,
    seconds: 540,
    value: between(0.01, 0.3, 5),
  },
  {
    type: `${Q}DistanceWalkingRunning`,
    source: 'watch',
    unit: 'km',
    perDay: 80,
    seconds: 300,
    value: between(0.01, 0.3, 5),
  },
  { type: `${Q}BasalEnergyBurned`, source: 'watch', unit: 'kcal', perDay: 90, seconds: 900, value: between(10, 20, 3) },
  {
    type: `${Q}ActiveEnergyBurned`,
    source: 'watch',
    unit: 'kcal',
    perDay: 240,
    seconds: 60,
    value: between(0.1, 3, 3),
  },
  {
    type: `${Q}RestingHeartRate`,
    source: 'watch',
    unit: 'count/min',
    perDay: 1,
    seconds: 70_000,
    value: between(48, 60),
  },
  {
    type: `${Q}HeartRateVariabilitySDNN`,
    source: 'watch',
    unit: 'ms',
    perDay: 5,
    seconds: 60,
    value: between(20, 90, 4),
    inside: beats,
  },
  {
    type: 'HKCategoryTypeIdentifierAppleStandHour',
    source: 'watch',
    perDay: 16,
    seconds: 3_600,
    value: () => 'HKCategoryValueAppleStandHourStood',
  },
  {
    type: 'HKCategoryTypeIdentifierSleepAnalysis',
    source: 'watch',
    perDay: 24,
    seconds: 1_100,
    value: (_, at) => `HKCategoryValueSleepAnalysisAsleep${STAGES[at % STAGES.length]}`,
  },
];

const DAY = 86_400;
/** 2010-01-01, in seconds. */
const FIRST = 1_262_304_000;

const stamp = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} +0100`;

const recordsOf = (made: MadeType, day: number, random: () => number): string => {
  const lines: string[] = [];
  const { type, source, unit, perDay, seconds, value, inside } = made;
  // Sleep records are consecutive within the night; all others are spread over the day.
  const apart = type.includes('Sleep') ? seconds : DAY / perDay;
  for (let at = 0; at < perDay; at += 1) {
    const start = FIRST + day * DAY + Math.floor(at * apart);
    const [from, to] = [stamp(start), stamp(start + seconds)];
    const chance = random();
    lines.push(
      ` <Record type="${type}" ${SOURCES[source]}${unit ? ` unit="${unit}"` : ''} creationDate="${to}" startDate="${from}" endDate="${to}" value="${value(chance, at)}"`,
      inside ? `>\n${inside(chance)} </Record>\n` : '/>\n',
    );
  }
  return lines.join('');
};

const workout = (day: number, random: () => number): string => {
  const dates = `startDate="${stamp(FIRST + day * DAY + 60_000)}" endDate="${stamp(FIRST + day * DAY + 62_400)}"`;
  return ` <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="40" durationUnit="min" ${SOURCES.watch} ${dates}>
  <MetadataEntry key="HKIndoorWorkout" value="0"/>
  <WorkoutStatistics type="${Q}ActiveEnergyBurned" ${dates} sum="${between(200, 500)(random())}" unit="kcal"/>
  <WorkoutRoute ${SOURCES.watch} ${dates}>
   <FileReference path="/workout-routes/route_${day}.gpx"/>
  </WorkoutRoute>
 </Workout>
`;
};

/** Returns a generator with a fixed seed. */
const seeded = (): (() => number) => {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
};

/** Writes about `bytes` bytes to `path` with constant memory; returns the number of days. */
export const writeMadeUpExport = async (path: string, bytes: number): Promise<number> => {
  const random = seeded();
  const ofOneDay = TYPES.reduce((sum, made) => sum + Buffer.byteLength(recordsOf(made, 0, random)), 0);
  const days = Math.max(1, Math.round(bytes / ofOneDay));
  const file = createWriteStream(path, { highWaterMark: 1024 * 1024 });
  const write = async (text: string): Promise<void> => {
    if (!file.write(text)) await once(file, 'drain');
  };
  await write(HEAD);
  for (const made of TYPES) for (let day = 0; day < days; day += 1) await write(recordsOf(made, day, random));
  for (let day = 0; day < days; day += 2) await write(workout(day, random));
  file.end('</HealthData>\n');
  await finished(file);
  return days;
};
