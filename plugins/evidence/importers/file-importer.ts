import { basename } from 'node:path';
import { bytesOf, filesUnder, type InputFile } from '#core/import/input-files.ts';
import { decodeText, expectFormat, type TextFormat } from '#core/import/text-stream.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import type { ImportEvent, Importer } from '../source-record.ts';
import { problem } from './events.ts';

/** What one importer adds to the common way of reading files. */
export interface FileKind {
  readonly kind: string;
  readonly summary: string;
  /** Names to take from a folder. */
  readonly wanted: RegExp;
  readonly read: (file: InputFile, signal: AbortSignal) => AsyncIterable<ImportEvent>;
}

/** Events of one text, then a problem when its bytes did not fit its encoding. */
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

/** Events of one file; whatever goes wrong becomes its last event, so that the other files go on. */
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

/** An importer that reads a file, or each wanted file of a folder. */
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
