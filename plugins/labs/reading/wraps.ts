/** Rows that a table broke over lines: a name on two lines, or a name above its value. */
import { readName } from './names.ts';
import type { ReadLine } from './rows.ts';
import { segmentsOf } from './segments.ts';
import { partsOf } from './columns.ts';
import type { Split } from './splitting.ts';
import { textOf, type Word } from './words.ts';
import { around as box } from './words.ts';

export interface JoinedLine extends ReadLine {
  readonly isNameDoubtful?: boolean;
}

/** The blank between two lines, in heights of a letter. */
const gap = (above: ReadLine, below: ReadLine): number =>
  (below.line.y - (above.line.y + above.line.height)) / Math.min(above.line.height, below.line.height || 1);

const isNear = (above: ReadLine | undefined, below: ReadLine | undefined): boolean =>
  !!above && !!below && gap(above, below) < 1.2 && gap(above, below) > -1;

const renamed = (read: ReadLine, words: readonly Word[], rest: readonly Word[]): Split => {
  const { book, style, header, order, hints } = read.around;
  const segments = segmentsOf(rest, style);
  const parts = partsOf(segments, header, order);
  const name = readName(textOf(words), book, { ...hints, ucum: parts.unit?.ucum ?? hints.ucum });
  return { name, nameWords: words, segments, parts, score: read.split?.score ?? 0 };
};

const restOf = (read: ReadLine): readonly Word[] => {
  const names = new Set(read.kind === 'row' ? read.split?.nameWords : []);
  return read.line.words.filter((word) => !names.has(word));
};

interface Choice {
  readonly split: Split;
  readonly before: boolean;
  readonly after: boolean;
}

const join = (read: ReadLine, choice: Choice, near: { before: ReadLine | undefined; after: ReadLine | undefined }): JoinedLine => {
  const words = [
    ...(choice.before && near.before ? near.before.line.words : []),
    ...read.line.words,
    ...(choice.after && near.after ? near.after.line.words : []),
  ];
  return { ...read, kind: 'row', split: choice.split, line: { words, ...box(words) } };
};

const choicesOf = (read: ReadLine, before: ReadLine | undefined, after: ReadLine | undefined): Choice[] => {
  const own = read.kind === 'row' ? (read.split?.nameWords ?? []) : [];
  const rest = restOf(read);
  const make = (useBefore: boolean, useAfter: boolean): Choice => {
    const words = [...(useBefore ? before!.line.words : []), ...own, ...(useAfter ? after!.line.words : [])];
    return { split: renamed(read, words, rest), before: useBefore, after: useAfter };
  };
  const choices: Choice[] = [];
  if (before) choices.push(make(true, false));
  if (after) choices.push(make(false, true));
  if (before && after) choices.push(make(true, true));
  return choices;
};

const best = (choices: readonly Choice[]): Choice | undefined =>
  choices.toSorted((a, b) => b.split.name.certainty - a.split.name.certainty)[0];

/** The joined name is another marker's, surely: "Cholesterol," with "HDL" on the next line. */
const isOther = (read: ReadLine, choice: Choice): boolean =>
  choice.split.name.certainty >= 0.95 &&
  choice.split.name.named[0]?.marker !== read.split?.name.named[0]?.marker &&
  choice.split.name.named[0]?.marker.specimen === read.split?.name.named[0]?.marker.specimen;

/** Put together lines carry on as one; those that lent their words are gone. */
export const joinWraps = (lines: readonly ReadLine[]): JoinedLine[] => {
  const result: (JoinedLine | null)[] = [...lines];
  const nameAt = (at: number): ReadLine | undefined => (result[at]?.kind === 'name' ? result[at]! : undefined);
  for (const [at, read] of lines.entries()) {
    if (read.kind !== 'row' && read.kind !== 'value') continue;
    const before = isNear(nameAt(at - 1), read) ? nameAt(at - 1) : undefined;
    const after = isNear(read, nameAt(at + 1)) ? nameAt(at + 1) : undefined;
    const choice = best(choicesOf(read, before, after));
    if (!choice) continue;
    const { certainty } = read.kind === 'row' ? read.split!.name : { certainty: 0 };
    const isBetter = choice.split.name.certainty >= certainty + 0.2;
    const isNamed = read.kind === 'value' && choice.before && choice.split.parts.value !== null && choice.split.parts.unit !== null;
    const changes = certainty >= 0.95 && isOther(read, choice);
    if (!isBetter && !isNamed && !changes) continue;
    result[at] = { ...join(read, choice, { before, after }), isNameDoubtful: changes };
    if (choice.before) result[at - 1] = null;
    if (choice.after) result[at + 1] = null;
  }
  return result.filter((line) => line !== null);
};
