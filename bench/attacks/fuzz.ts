/** Runs mutated files through the production parsers in their processes, and records the outcome and the cost of each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { type Book, createBook } from '#plugins/biomarkers/index.ts';
import { createFhirReader } from '#plugins/labs/fhir/process.ts';
import { createReader } from '#plugins/labs/reading/process.ts';
import { createExportReader } from '#plugins/wearables/phone-export/process.ts';
import { FONT, smallReport, zipOf } from './made-files.ts';
import { type Chance, chanceOf, jpeg, json, type Mutation, pdf, png, xml, zip } from './mutations.ts';

export type Format = 'pdf' | 'png' | 'jpeg' | 'fhir' | 'xml' | 'zip' | 'clinical';

export interface Finding {
  readonly format: Format;
  readonly seed: number;
  readonly outcome: string;
  readonly seconds: number;
}

export interface FuzzResult {
  readonly files: number;
  readonly outcomes: ReadonlyMap<string, number>;
  /** Files that crashed a process, or took more processor time than a file may. */
  readonly findings: readonly Finding[];
  readonly slowest: readonly Finding[];
}

interface FuzzOptions {
  readonly files: number;
  readonly seed: number;
  readonly book?: Book;
  readonly onFile?: (done: number) => void;
}

/** Maximum processor time of one file, in seconds, in addition to the time of an unmodified file of its format. */
const MOST_SECONDS = 2;
/** Maximum processor time with OCR, in seconds; a page of noise takes the longest. */
const LETTERS_SECONDS = 30;

/** Formats of each group of sixteen files; images are rare because they cost a hundred times as much as the others. */
const SHARES: readonly Format[] = [
  ...Array<Format>(6).fill('pdf'),
  ...Array<Format>(4).fill('fhir'),
  ...Array<Format>(2).fill('xml'),
  'zip',
  'clinical',
  'png',
  'jpeg',
];

const picture = async (format: 'png' | 'jpeg'): Promise<Buffer> => {
  GlobalFonts.registerFromPath(FONT, 'fuzz');
  const canvas = createCanvas(420, 90);
  const drawing = canvas.getContext('2d');
  drawing.fillStyle = 'white';
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.fillStyle = 'black';
  drawing.font = '18px fuzz';
  drawing.fillText('Ferritin  34  ng/mL  30 - 400', 10, 30);
  drawing.fillText('Sodium  140  mmol/L  136 - 145', 10, 70);
  return format === 'png' ? canvas.encode('png') : canvas.encode('jpeg', 80);
};

const observation = {
  resourceType: 'Observation',
  id: 'o1',
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { text: 'Ferritin', coding: [{ system: 'http://loinc.org', code: '2276-4', display: 'Ferritin' }] },
  effectiveDateTime: '2026-03-04',
  issued: '2026-03-05T08:00:00Z',
  performer: [{ display: 'North Laboratory' }],
  valueQuantity: { value: 34, unit: 'ng/mL', code: 'ng/mL', system: 'http://unitsofmeasure.org', comparator: '<' },
  referenceRange: [{ low: { value: 30, unit: 'ng/mL' }, high: { value: 400, unit: 'ng/mL' }, text: '30 - 400' }],
  interpretation: [{ coding: [{ code: 'L' }] }],
  component: [
    { code: { text: 'Sodium' }, valueQuantity: { value: 140, unit: 'mmol/L' } },
    { code: { text: 'Colour' }, valueString: 'yellow' },
  ],
};

const bundle = Buffer.from(
  JSON.stringify({
    resourceType: 'Bundle',
    entry: [
      { resource: { resourceType: 'Patient', gender: 'female', birthDate: '1980-02-03' } },
      { resource: observation },
      { resource: { ...observation, id: 'o2', component: undefined, contained: [observation] } },
    ],
  }),
);

const RECORDS = ['StepCount', 'HeartRate', 'BodyMass', 'OxygenSaturation']
  .map(
    (type) =>
      `<Record type="HKQuantityTypeIdentifier${type}" sourceName="iPhone" unit="count" startDate="2026-03-01 08:00:00 +0100" endDate="2026-03-01 08:10:00 +0100" value="70"/>`,
  )
  .join('\n');
const SLEEP = `<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="2026-03-01 00:00:00 +0100" endDate="2026-03-01 07:00:00 +0100" value="HKCategoryValueSleepAnalysisAsleepCore"/>`;
const CLINICAL = `<ClinicalRecord type="Observation" identifier="1" sourceName="Clinic" receivedDate="2026-03-05 10:00:00 +0100" resourceFilePath="/clinical-records/a.json"/>`;
const exportXml = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_GB">\n<ExportDate value="2026-03-10 09:00:00 +0100"/>\n<Me HKCharacteristicTypeIdentifierDateOfBirth="1980-04-17"/>\n${RECORDS}\n${SLEEP}\n<Workout workoutActivityType="x" duration="1"/>\n${CLINICAL}\n</HealthData>\n`,
);

const packed = (record: Buffer): Promise<Buffer> =>
  zipOf({ 'export.xml': exportXml, 'clinical-records/a.json': record });

/** Leaves a file unmodified. */
const UNCHANGED: Chance | null = null;

const severalTimes = (mutation: Mutation, bytes: Buffer, chance: Chance | null): Buffer => {
  if (!chance) return bytes;
  let changed = bytes;
  for (let turn = 0; turn < 1 + chance.below(3); turn += 1) if (changed.length) changed = mutation(changed, chance);
  return changed;
};

/** Returns a generator of mutated files per format; equal seeds give equal files. */
const makers = async (): Promise<Readonly<Record<Format, (chance: Chance | null) => Promise<Buffer> | Buffer>>> => {
  const [report, aPng, aJpeg] = [await smallReport('34'), await picture('png'), await picture('jpeg')];
  const archive = await packed(Buffer.from(JSON.stringify(observation)));
  return {
    pdf: (chance) => severalTimes(pdf, report, chance),
    png: (chance) => severalTimes(png, aPng, chance),
    jpeg: (chance) => severalTimes(jpeg, aJpeg, chance),
    fhir: (chance) => severalTimes(json, bundle, chance),
    xml: (chance) => severalTimes(xml, exportXml, chance),
    zip: (chance) => severalTimes(zip, archive, chance),
    clinical: (chance) => packed(severalTimes(json, Buffer.from(JSON.stringify(observation)), chance)),
  };
};

interface Read {
  /** Message shown to the user, or the reason why the process ended. */
  readonly outcome: string;
  readonly seconds: number;
  readonly hasLetters: boolean;
}

const readersOf = (book: Book) => {
  const reports = createReader(book);
  const fhir = createFhirReader(book);
  // Reusing one process for many exports would be faster, but production starts one per export.
  const exports = createExportReader();
  const read = async (format: Format, bytes: Buffer, path: string): Promise<Read> => {
    let [seconds, hasLetters] = [0, false];
    let failure = '';
    const reported = {
      onSpent: (spent: number): void => {
        seconds = spent;
      },
      onFailure: (why: string): void => {
        failure = why;
      },
    };
    const outcome = async (): Promise<string> => {
      if (format === 'fhir') {
        await writeFile(path, bytes);
        const result = await fhir.read(path, reported);
        return 'type' in result ? `refused: ${result.type}` : 'read';
      }
      if (format === 'xml' || format === 'zip' || format === 'clinical') {
        await writeFile(path, bytes);
        const file = { path, key: null, name: 'export.zip', bytes: bytes.length };
        const clinical = { markers: book.markers, knownKeys: [] };
        return (await exports.read(file, { ...reported, clinical })).outcome;
      }
      const { reading } = await reports.read([{ name: 'a', bytes }], {
        testType: 'blood',
        ...reported,
        onProgress: ({ stage }) => {
          hasLetters ||= stage === 'letters';
        },
      });
      return reading.files[0]?.outcome ?? 'none';
    };
    const told = await outcome();
    return { outcome: failure || told, seconds, hasLetters };
  };
  return {
    read,
    stop: async () => {
      await Promise.all([reports.stop(), fhir.stop(), exports.stop()]);
    },
  };
};

/** Builds an empty book, because the matching of names is not under test. */
const plainBook = (): Book => createBook([]);

export const fuzzFiles = async ({ files, seed, book = plainBook(), onFile }: FuzzOptions): Promise<FuzzResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'ekb-fuzz-'));
  const make = await makers();
  const readers = readersOf(book);
  const path = join(folder, 'file');
  const usual = new Map<Format, number>();
  const outcomes = new Map<string, number>();
  const findings: Finding[] = [];
  let slowest: Finding[] = [];
  try {
    // Includes the start of the process, which is also needed after each process that had to be killed.
    for (const format of new Set(SHARES)) {
      const { seconds } = await readers.read(format, await make[format](UNCHANGED), path);
      usual.set(format, seconds);
    }
    for (let at = 0; at < files; at += 1) {
      const format = SHARES[at % SHARES.length] as Format;
      const own = seed * 1_000_003 + at;
      const bytes = await make[format](chanceOf(own));
      const read = await readers.read(format, bytes, path);
      const finding = { format, seed: own, outcome: read.outcome, seconds: read.seconds };
      const key = `${format}: ${read.outcome}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
      const most = MOST_SECONDS + (usual.get(format) ?? 0) + (read.hasLetters ? LETTERS_SECONDS : 0);
      if (read.seconds > most || read.outcome === 'crashed') findings.push(finding);
      slowest = [...slowest, finding].sort((a, b) => b.seconds - a.seconds).slice(0, 10);
      onFile?.(at + 1);
    }
    return { files, outcomes, findings, slowest };
  } finally {
    await readers.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Regenerates the file of a seed, for analyzing a finding. */
export const fuzzedFile = async (format: Format, seed: number): Promise<Buffer> =>
  (await makers())[format](chanceOf(seed));
