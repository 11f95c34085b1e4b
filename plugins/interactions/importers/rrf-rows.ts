/** Lines of NLM's Rich Release Format: fields between bars, with a bar behind the last one. */
import { linesOf } from '#core/import/text-stream.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { type Member, placeOf, textOf } from './members.ts';
import type { NameSink } from './name-sink.ts';

export interface RrfFile {
  readonly path: string;
  readonly member: Member;
  /** As NLM calls it. */
  readonly name: string;
  /** A line with fewer is broken; later releases may add some behind. */
  readonly fields: number;
}

/** Fields of each whole line; a broken one is a problem, a first line of quite another shape the wrong file. */
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
