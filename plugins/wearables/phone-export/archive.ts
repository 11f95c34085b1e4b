/** Opens the ZIP of an export and unpacks only the members that are needed, each under a size limit. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { ExportFailure } from './failure.ts';
import type { ExportLimits } from './limits.ts';
import type { Source } from './source.ts';

export interface Archive {
  /** Size of export.xml according to the directory, in bytes: used for a progress bar, never trusted. */
  readonly promised: number;
  /** Unpacks export.xml. */
  xml(): AsyncGenerator<Buffer>;
  /**
   * Unpacks a clinical record by its path in export.xml, such as `/clinical-records/Observation-….json`; null if it is missing.
   */
  clinical(path: string): Promise<Buffer | null>;
}

const XML = /(^|\/)export\.xml$/i;
const CLINICAL = /(^|\/)(clinical-records\/[^/]+\.json)$/;
/** Maximum number of members. Each route and each ECG is a file, but nobody has more than this. */
const MOST_MEMBERS = 500_000;
const MOST_CLINICAL = 50_000;
const WINDOW = 64 * 1024;
const OUT = 64 * 1024;
const STORED = 0;
const DEFLATED = 8;

type ReadDone = (error: Error | null, bytesRead?: number) => void;

/** Reads the file through a window: the directory is read in pieces of 46 bytes, and one window contains hundreds of them. */
class SourceReader extends RandomAccessReader {
  readonly #source: Source;
  #window: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(source: Source) {
    super();
    this.#source = source;
  }

  async #at(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window;
    if (position < start || position + length > start + bytes.length)
      this.#window = { start: position, bytes: await this.#source.read(position, Math.max(length, WINDOW)) };
    const from = position - this.#window.start;
    return this.#window.bytes.subarray(from, from + length);
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: ReadDone): void {
    this.#at(position, length).then(
      (bytes) => done(null, bytes.copy(buffer, offset)),
      (error: Error) => done(error),
    );
  }
}

/** Converts an error of yauzl, which is distinguished by its message only, to an outcome. */
const outcomeOf = (error: unknown): ExportFailure => {
  const said = error instanceof Error ? error.message : '';
  if (error instanceof ExportFailure) return error;
  if (/strong encryption/.test(said)) return new ExportFailure('encrypted');
  if (/file is truncated/.test(said)) return new ExportFailure('cut_short');
  // A phone never writes such names.
  if (/absolute path|invalid relative path/.test(said)) return new ExportFailure('not_an_export');
  return new ExportFailure('damaged');
};

const depth = (name: string): number => name.split('/').length;

interface Members {
  readonly xml: Entry;
  readonly clinical: ReadonlyMap<string, Entry>;
}

/** Returns the topmost export.xml and the clinical records beside it. */
const membersOf = async (zip: ZipFile): Promise<Members> => {
  let xml: Entry | null = null;
  const clinical = new Map<string, Entry>();
  let members = 0;
  for await (const entry of zip.eachEntry()) {
    members += 1;
    if (members > MOST_MEMBERS) throw new ExportFailure('bomb');
    if (XML.test(entry.fileName) && (!xml || depth(entry.fileName) < depth(xml.fileName))) xml = entry;
    if (CLINICAL.test(entry.fileName) && clinical.size < MOST_CLINICAL) clinical.set(entry.fileName, entry);
  }
  if (!xml) throw new ExportFailure('no_export_inside');
  return { xml, clinical };
};

/**
 * Unpacks a member in pieces. Throws when it is larger than `most`, its compression ratio exceeds the limit, or its checksum does
 * not match.
 */
const unpacked = async function* (
  { zip, source, limits }: { readonly zip: ZipFile; readonly source: Source; readonly limits: ExportLimits },
  entry: Entry,
  most: number,
): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) throw new ExportFailure('encrypted');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) throw new ExportFailure('damaged');
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = source.range(start, start + entry.compressedSize);
  const inflate = entry.compressionMethod === DEFLATED ? createInflateRaw({ chunkSize: OUT }) : null;
  // An error in the pipeline destroys `inflate`, and the loop below throws it.
  if (inflate) pipeline(Readable.from(packed, { objectMode: false }), inflate).catch(() => undefined);
  let [bytes, sum] = [0, 0];
  for await (const piece of (inflate ?? packed) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > most) throw new ExportFailure('too_large');
    if (inflate && bytes > limits.ratioFromBytes && bytes > limits.ratio * inflate.bytesWritten)
      throw new ExportFailure('bomb');
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== entry.crc32) throw new ExportFailure('damaged');
};

/**
 * Opens the archive.
 * @throws ExportFailure `encrypted`, `no_export_inside`, `cut_short`, `damaged` …
 */
export const openArchive = async (source: Source, limits: ExportLimits): Promise<Archive> => {
  const failing = async function* (pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* pieces;
    } catch (error) {
      throw outcomeOf(error);
    }
  };
  try {
    const zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.bytes, { autoClose: false });
    const { xml, clinical } = await membersOf(zip);
    const folder = xml.fileName.slice(0, -'export.xml'.length);
    const parts = { zip, source, limits };
    return {
      promised: xml.uncompressedSize,
      xml: () => failing(unpacked(parts, xml, limits.xmlBytes)),
      clinical: async (path) => {
        const inside = path.includes('..') ? undefined : CLINICAL.exec(path)?.[2];
        const entry = inside === undefined ? undefined : clinical.get(`${folder}${inside}`);
        if (!entry) return null;
        const pieces: Buffer[] = [];
        for await (const piece of failing(unpacked(parts, entry, limits.clinicalRecordBytes))) pieces.push(piece);
        return Buffer.concat(pieces);
      },
    };
  } catch (error) {
    throw outcomeOf(error);
  }
};
