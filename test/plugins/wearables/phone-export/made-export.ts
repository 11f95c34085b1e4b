/** Made-up health exports in the real format, short enough for a test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileKey } from '#plugins/wearables/imports/files.ts';
import { type ReadExportOptions, readExport } from '#plugins/wearables/phone-export/read-export.ts';
import type { ExportFile, PhoneReading } from '#plugins/wearables/phone-export/reading.ts';
import type { Vitals } from '#plugins/wearables/vitals.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const attributes = (of: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(of)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(value ?? '')}"`)
    .join('');

export const element = (name: string, of: Readonly<Record<string, string | undefined>>, inside = ''): string =>
  inside ? ` <${name}${attributes(of)}>\n${inside} </${name}>\n` : ` <${name}${attributes(of)}/>\n`;

export interface MadeRecord {
  /** The type without HealthKit's prefix. */
  readonly type: string;
  readonly value?: string;
  readonly unit?: string;
  readonly source?: string;
  /** `2024-05-01 08:00:00 +0200` */
  readonly start: string;
  readonly end?: string;
}

export const record = ({ type, value, unit, source = 'Anna’s Watch', start, end = start }: MadeRecord): string =>
  element('Record', {
    type: `HKQuantityTypeIdentifier${type}`,
    sourceName: source,
    sourceVersion: '10.1',
    device: '<<HKDevice: 0x283>, name:Apple Watch, manufacturer:Apple Inc.>',
    unit,
    creationDate: end,
    startDate: start,
    endDate: end,
    value,
  });

export const sleep = (stage: string, start: string, end: string, source = 'Anna’s Watch'): string =>
  element('Record', {
    type: 'HKCategoryTypeIdentifierSleepAnalysis',
    sourceName: source,
    startDate: start,
    endDate: end,
    value: `HKCategoryValueSleepAnalysis${stage}`,
  });

const DTD = `<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 11 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>
`;

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const xmlOf = (...elements: readonly string[]): string =>
  `${DECLARATION}${DTD}<HealthData locale="en_US">
 <ExportDate value="2024-06-01 12:00:00 +0200"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-29" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
${elements.join('')}</HealthData>
`;

/** Writes the bytes to a file, calls `use` with it, and deletes it. */
export const withFile = async <T>(
  bytes: string | Uint8Array,
  use: (file: ExportFile) => Promise<T>,
  key: FileKey | null = null,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'ekb-export-'));
  try {
    const path = join(folder, 'upload');
    const content = Buffer.from(bytes as string);
    await writeFile(path, content);
    return await use({ path, key, name: 'export.zip', bytes: content.length });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const readBytes = (bytes: string | Uint8Array, options?: ReadExportOptions): Promise<PhoneReading> =>
  withFile(bytes, (file) => readExport(file, options));

/** Returns `{ 'day source': vitals }`, the form that most tests compare. */
export const daysOf = ({ rows }: Pick<PhoneReading, 'rows'>): Readonly<Record<string, Vitals>> =>
  Object.fromEntries(rows.map(({ day, source, vitals }) => [`${day} ${source}`, vitals]));

/** Returns the tally of one type as `read, used, left: why`. */
export const lineOf = ({ tally }: PhoneReading, type: string): string => {
  const line = tally.find((one) => one.type === type);
  return line ? `${line.read}, ${line.used}, ${line.left}: ${line.why}` : '';
};
