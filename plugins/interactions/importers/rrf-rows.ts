/** Reads lines of NLM's Rich Release Format: fields separated by bars, with a bar after the last one. */
import { linesOf } from '#core/import/text-stream.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { type Member, placeOf, textOf } from './members.ts';
import type { NameSink } from './name-sink.ts';

export interface RrfFile {
  readonly path: string;
  readonly member: Member;
  /** File name that NLM uses. */
  readonly name: string;
  /** Minimum number of fields of a valid line; later releases may append some. */
  readonly fields: number;
}

/**
 * Yields the fields of each complete line. An incomplete line is reported; a first line of a very different shape means the wrong
 * file.
 */
export async function* rrfRows(file: RrfFile, sink: NameSink, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  let line = 0;
  for await (const text of linesOf(textOf(file.member, { format: 'lines', wanted: file.name }, signal))) {
    line += 1;
    if (text.trim() === '') continue;
    if (line % 10_000 === 0) signal.throwIfAborted();
    const cells = text.split('|');
    const count = cells.at(-1) === '' ? cells.length - 1 : cells.length;
    if (line === 1 && count < file.fields / 2)
      throw new UnreadableInput(
        `is no ${file.name}: its first line has ${count} fields between bars, not ${file.fields}`,
      );
    if (count < file.fields)
      sink.problem(`${placeOf(file.path, file.member)} › line ${line}`, `has ${count} fields, not ${file.fields}`);
    else yield cells;
  }
}
