/** Reads a phone's health export from its file to its days. Runs in a separate process: see process.ts. */
import { type Archive, openArchive } from './archive.ts';
import { createBody } from './body.ts';
import { readClinical } from './clinical.ts';
import { readElements } from './elements.ts';
import { ExportFailure } from './failure.ts';
import { type ExportLimits, LIMITS } from './limits.ts';
import { type ExportFile, type ExportProgress, type PhoneReading, unreadExport } from './reading.ts';
import { createRecords } from './records.ts';
import { openSource, type Source } from './source.ts';
import { createTally } from './tally.ts';
import { formatOf } from './text.ts';

export interface ReadExportOptions {
  readonly limits?: ExportLimits;
  readonly onProgress?: (progress: ExportProgress) => void;
}

interface Opened {
  /** Null for a single export.xml. */
  readonly archive: Archive | null;
  readonly pieces: AsyncIterable<Buffer>;
  /** Size of export.xml, as far as it is known before reading. */
  readonly bytes: number;
}

const FIRST_BYTES = 1_024;
const PROGRESS_MS = 250;
/** Maximum compression ratio that is trusted; it limits the declared size, which determines the size of tables. */
const MOST_PACKED = 100;

const opened = async (source: Source, limits: ExportLimits): Promise<Opened> => {
  const format = formatOf(await source.read(0, FIRST_BYTES));
  if (format === 'wrong_encoding') throw new ExportFailure('wrong_encoding');
  if (format === 'other') throw new ExportFailure('not_an_export');
  if (source.bytes > (format === 'zip' ? limits.zipBytes : limits.xmlBytes)) throw new ExportFailure('too_large');
  if (format === 'xml') return { archive: null, pieces: source.range(0, source.bytes), bytes: source.bytes };
  const archive = await openArchive(source, limits);
  const bytes = Math.min(archive.promised, limits.xmlBytes, source.bytes * MOST_PACKED);
  return { archive, pieces: archive.xml(), bytes };
};

const readFrom = async (source: Source, options: Required<ReadExportOptions>): Promise<PhoneReading> => {
  const { limits, onProgress } = options;
  onProgress({ stage: 'opening', share: 0, records: 0 });
  const { archive, pieces, bytes: expected } = await opened(source, limits);
  const tally = createTally();
  const records = createRecords(tally, limits, expected);
  const body = createBody(records, tally);
  let toldAt = Date.now();
  const onPiece = (bytes: number): void => {
    if (Date.now() - toldAt < PROGRESS_MS) return;
    toldAt = Date.now();
    onProgress({ stage: 'records', share: Math.min(1, bytes / Math.max(1, expected)), records: records.count() });
  };
  const bytes = await readElements(pieces, { onElement: body.onElement, onPiece }, limits);
  onProgress({ stage: 'clinical', share: 1, records: records.count() });
  const clinical = await readClinical(body.clinical, { archive, tally, limits });
  onProgress({ stage: 'days', share: 1, records: records.count() });
  const rows = records.rows();
  return {
    outcome: 'read',
    ...body.about(),
    rows,
    clinical,
    tally: tally.lines(),
    records: records.count(),
    days: new Set(rows.map(({ day }) => day)).size,
    bytes,
  };
};

/** Reads an export. Rejects only when the file does not exist; a defective file is returned as an outcome without data. */
export const readExport = async (file: ExportFile, options: ReadExportOptions = {}): Promise<PhoneReading> => {
  const source = await openSource(file);
  try {
    return await readFrom(source, { limits: LIMITS, onProgress: () => undefined, ...options });
  } catch (error) {
    if (error instanceof ExportFailure) return unreadExport(error.outcome);
    throw error;
  } finally {
    await source.close();
  }
};
