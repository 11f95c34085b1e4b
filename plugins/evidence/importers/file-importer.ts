import { basename } from 'node:path';
import { bytesOf, filesUnder, type InputFile } from '#core/import/input-files.ts';
import { decodeText, expectFormat, type TextFormat } from '#core/import/text-stream.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import type { ImportEvent, Importer } from '../source-record.ts';
import { problem } from './events.ts';

/** The parts in which a file importer differs from the others. */
export interface FileKind {
  readonly kind: string;
  readonly summary: string;
  /** Pattern for the names of files to read in a folder. */
  readonly wanted: RegExp;
  readonly read: (file: InputFile, signal: AbortSignal) => AsyncIterable<ImportEvent>;
}

/** Yields the events of one text, then a problem when its bytes did not match its encoding. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  at: string,
  as: { format: TextFormat; wanted: string; parse: (chunks: AsyncIterable<string>) => AsyncIterable<ImportEvent> },
): AsyncGenerator<ImportEvent> {
  const text = decodeText(bytes);
  yield* as.parse(expectFormat(text.chunks, as.format, as.wanted));
  if (text.damaged) {
    yield problem(at, `has bytes that are not ${text.encoding.toUpperCase()}: some characters are lost (shown as �)`);
  }
}

/** Reads a text file, plain or gzip, with `parse`. */
export const readTextFile =
  (
    format: TextFormat,
    wanted: string,
    parse: (chunks: AsyncIterable<string>, at: string) => AsyncIterable<ImportEvent>,
  ) =>
  (file: InputFile, signal: AbortSignal): AsyncIterable<ImportEvent> =>
    readText(bytesOf(file, signal), file.name, { format, wanted, parse: (chunks) => parse(chunks, file.name) });

/** Yields the events of one file. An error becomes its last event, so that the import continues with the other files. */
async function* contained(
  events: AsyncIterable<ImportEvent>,
  at: string,
  signal: AbortSignal,
): AsyncGenerator<ImportEvent> {
  try {
    for await (const event of events) {
      signal.throwIfAborted();
      yield event;
    }
  } catch (error) {
    signal.throwIfAborted();
    yield problem(at, reasonOf(error));
  }
}

/** Creates an importer that reads a file, or each matching file of a folder. */
export const fileImporter = ({ kind, summary, wanted, read }: FileKind): Importer => ({
  kind,
  summary,
  async *read(path, signal) {
    signal.throwIfAborted();
    async function* events(): AsyncGenerator<ImportEvent> {
      for await (const file of filesUnder(path, wanted)) yield* contained(read(file, signal), file.name, signal);
    }
    yield* contained(events(), basename(path) || path, signal);
  },
});
