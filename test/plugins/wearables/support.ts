/** Made-up health exports for tests, in the format that phones write. */
import { PassThrough } from 'node:stream';
import { ZipArchive } from 'archiver';

export const record = (type: string, value: string, rest: Readonly<Record<string, string>> = {}): string => {
  const attributes = {
    type: `HKQuantityTypeIdentifier${type}`,
    sourceName: 'iPhone',
    unit: 'count',
    startDate: '2026-03-01 08:00:00 +0100',
    endDate: '2026-03-01 08:10:00 +0100',
    value,
    ...rest,
  };
  return `<Record ${Object.entries(attributes)
    .map(([name, text]) => `${name}="${text}"`)
    .join(' ')}/>`;
};

export const exportXml = (...parts: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST Record type CDATA #REQUIRED>
]>
<HealthData locale="en_GB">
 <ExportDate value="2026-03-10 09:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-04-17" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
 ${parts.join('\n ')}
</HealthData>
`;

export const zipOf = async (files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const out = archive.pipe(new PassThrough());
  for (const [name, content] of Object.entries(files)) archive.append(content, { name });
  void archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of out) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Returns the element that names the file of a provider's observation. */
export const clinical = (identifier: string, file: string): string =>
  `<ClinicalRecord type="Observation" identifier="${identifier}" sourceName="Hill Clinic" sourceURL="https://clinic.test/" fhirVersion="4.0.1" receivedDate="2026-03-05 10:00:00 +0100" resourceFilePath="/clinical-records/${file}"/>`;

export const observation = (id: string, code: string, value: number, unit: string): string =>
  JSON.stringify({
    resourceType: 'Observation',
    id,
    status: 'final',
    category: [{ coding: [{ code: 'laboratory' }] }],
    code: { text: 'Ferritin', coding: [{ system: 'http://loinc.org', code }] },
    effectiveDateTime: '2026-03-04',
    valueQuantity: { value, unit, code: unit, system: 'http://unitsofmeasure.org' },
  });

/** The measurements of one day by a watch, a cuff and a scale; missing members are not recorded. */
export interface MadeDay {
  readonly day: string;
  readonly source?: string;
  readonly restingPulse?: number;
  readonly sdnn?: number;
  readonly pressure?: readonly [systolic: number, diastolic: number];
  readonly weight?: number;
  /** A fraction, as phones write it. */
  readonly oxygen?: number;
  readonly steps?: number;
  readonly breaths?: number;
  /** Hours from midnight. */
  readonly asleep?: number;
}

const QUANTITIES: readonly (readonly [keyof MadeDay, string, string])[] = [
  ['restingPulse', 'RestingHeartRate', 'count/min'],
  ['sdnn', 'HeartRateVariabilitySDNN', 'ms'],
  ['weight', 'BodyMass', 'kg'],
  ['oxygen', 'OxygenSaturation', '%'],
  ['steps', 'StepCount', 'count'],
  ['breaths', 'RespiratoryRate', 'count/min'],
];

/** Returns the records of many days, in summer time from the last Sunday of March. */
export const recordsOf = (days: readonly MadeDay[]): string[] =>
  days.flatMap((made) => {
    const { day, source = 'Anna’s Watch', pressure, asleep } = made;
    const zone = day < '2026-03-29' ? '+0100' : '+0200';
    const at = { sourceName: source, startDate: `${day} 08:00:00 ${zone}`, endDate: `${day} 08:10:00 ${zone}` };
    const night =
      asleep === undefined
        ? []
        : [
            `<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="${source}" startDate="${day} 00:00:00 ${zone}" endDate="${day} 0${Math.floor(asleep)}:${String(Math.round((asleep % 1) * 60)).padStart(2, '0')}:00 ${zone}" value="HKCategoryValueSleepAnalysisAsleepUnspecified"/>`,
          ];
    return [
      ...QUANTITIES.flatMap(([name, type, unit]) =>
        made[name] === undefined ? [] : [record(type, String(made[name]), { ...at, unit })],
      ),
      ...(pressure
        ? [
            record('BloodPressureSystolic', String(pressure[0]), { ...at, unit: 'mmHg' }),
            record('BloodPressureDiastolic', String(pressure[1]), { ...at, unit: 'mmHg' }),
          ]
        : []),
      ...night,
    ];
  });

/** Returns each day of the range, including both ends. */
export const daysFrom = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
};
