/** Joins rows that a table split over lines: a name on two lines, or a name above its value. */

import { isForAll } from '../bands/band-words.ts';
import { bandsOf } from '../bands/bands.ts';
import { columnOf, partsOf } from './columns.ts';
import { readName } from './names.ts';
import { around as box, textOf, type Word } from './page-words.ts';
import type { ReadLine } from './rows.ts';
import { type Segment, segmentsOf } from './segments.ts';
import type { Split } from './splitting.ts';

export interface JoinedLine extends ReadLine {
  readonly isNameDoubtful?: boolean;
}

/** Returns the vertical space between two lines, in letter heights. */
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
  const names = new Set(read.kind === 'value' ? [] : read.split?.nameWords);
  return read.line.words.filter((word) => !names.has(word));
};

interface Choice {
  readonly split: Split;
  readonly above: readonly ReadLine[];
  readonly below: readonly ReadLine[];
}

const wordsOf = (lines: readonly ReadLine[]): Word[] => lines.flatMap(({ line }) => line.words);

const join = (read: ReadLine, { split, above, below }: Choice): JoinedLine => {
  const words = [...wordsOf(above), ...read.line.words, ...wordsOf(below)];
  return { ...read, kind: 'row', split, line: { words, ...box(words) } };
};

/** Returns all combinations of up to two lines above and two lines below that contain only a name. */
const choicesOf = (read: ReadLine, above: readonly ReadLine[], below: readonly ReadLine[]): Choice[] => {
  const own = read.kind === 'value' ? [] : (read.split?.nameWords ?? []);
  const rest = restOf(read);
  const choices: Choice[] = [];
  for (let up = 0; up <= above.length; up += 1)
    for (let down = 0; down <= below.length; down += 1) {
      if (up + down === 0) continue;
      const [upper, lower] = [above.slice(above.length - up), below.slice(0, down)];
      const split = renamed(read, [...wordsOf(upper), ...own, ...wordsOf(lower)], rest);
      choices.push({ split, above: upper, below: lower });
    }
  return choices;
};

const best = (choices: readonly Choice[]): Choice | undefined =>
  choices.toSorted(
    (a, b) =>
      b.split.name.certainty - a.split.name.certainty ||
      a.above.length + a.below.length - b.above.length - b.below.length,
  )[0];

/** Returns whether the joined name certainly belongs to another marker: "Cholesterol," with "HDL" on the next line. */
const isOther = (read: ReadLine, choice: Choice): boolean =>
  choice.split.name.certainty >= 0.95 &&
  choice.split.name.named[0]?.marker !== read.split?.name.named[0]?.marker &&
  choice.split.name.named[0]?.marker.specimen === read.split?.name.named[0]?.marker.specimen;

/**
 * Returns up to two adjacent lines that contain only a name, each near the previous one, in page order. `step` -1 searches
 * upwards.
 */
const neighbours = (lines: readonly (JoinedLine | null)[], at: number, step: 1 | -1): ReadLine[] => {
  const found: ReadLine[] = [];
  let last = lines[at]!;
  for (let other = at + step; found.length < 2; other += step) {
    const line = lines[other];
    if (line?.kind !== 'name') break;
    if (!(step === 1 ? isNear(last, line) : isNear(line, last))) break;
    found.push(line);
    last = line;
  }
  return step === 1 ? found : found.reverse();
};

/** Joins a name and its range with a value that is alone on the next line, as portals show them. */
const withValuesBelow = (lines: readonly ReadLine[]): ReadLine[] => {
  const result: ReadLine[] = [];
  for (const line of lines) {
    const above = result.at(-1);
    const isOpen = above?.kind === 'row' && !above.split?.parts.value && !above.split?.parts.state;
    if (!above || !isOpen || line.kind !== 'value' || !isNear(above, line)) {
      result.push(line);
      continue;
    }
    const names = above.split!.nameWords;
    const split = renamed(above, names, [...line.line.words, ...restOf(above)]);
    const words = [...above.line.words, ...line.line.words];
    if (split.parts.value) result[result.length - 1] = { ...above, split, line: { words, ...box(words) } };
    else result.push(line);
  }
  return result;
};

/** Joins split rows and removes the lines that were merged into them. */
export const joinWraps = (given: readonly ReadLine[]): JoinedLine[] => {
  const lines = withValuesBelow(given);
  const result: (JoinedLine | null)[] = [...lines];
  for (const [at, read] of lines.entries()) {
    if (read.kind !== 'row' && read.kind !== 'value' && read.kind !== 'weak') continue;
    const choice = best(choicesOf(read, neighbours(result, at, -1), neighbours(result, at, 1)));
    if (!choice) continue;
    const certainty = read.kind === 'value' ? 0 : read.split!.name.certainty;
    const isBetter = choice.split.name.certainty >= certainty + 0.2;
    const isNamed =
      read.kind === 'value' &&
      choice.above.length > 0 &&
      choice.split.parts.value !== null &&
      choice.split.parts.unit !== null;
    const changes = certainty >= 0.95 && isOther(read, choice);
    if (!isBetter && !isNamed && !changes) continue;
    result[at] = { ...join(read, choice), isNameDoubtful: changes };
    for (let other = at - choice.above.length; other <= at + choice.below.length; other += 1)
      if (other !== at) result[other] = null;
  }
  return withRanges(withValuesBelow(result.filter((line) => line !== null)));
};

/** Separates the bands of two lines. */
const STOP: Segment = {
  kind: 'text',
  words: [],
  text: ';',
  comparator: '=',
  number: null,
  low: null,
  high: null,
  ucum: null,
  direction: null,
  isMended: false,
};

/**
 * Returns the segments that a line adds to the reference of the row above it: a range alone, or further bands ("Insufficient:
 * 20-29").
 */
const rangeIn = (line: JoinedLine, above: JoinedLine): readonly Segment[] => {
  if (line.kind === 'row' || line.kind === 'header') return [];
  const { style, header } = line.around;
  const segments = segmentsOf(line.line.words, style);
  const sides = segments.filter(({ kind }) => kind === 'range' || kind === 'bound');
  const before = above.split!.parts.range;
  const isAlone = line.kind === 'value' && !segments.some(({ kind }) => kind === 'number' || kind === 'result');
  if (sides.length && isAlone && !before.length) return sides;
  const bands = bandsOf(textOf(line.line.words), style);
  const isInColumn =
    header !== null &&
    segments.every((segment) => columnOf(header, box(segment.words)) === 'range') &&
    before.length > 0;
  const isOfBands =
    bands.length > 0 &&
    bands.every(
      ({ isOnly, meaning, condition }) =>
        isOnly && (isInColumn || meaning === 'state' || meaning === 'normal' || !isForAll(condition)),
    );
  return isOfBands ? (before.length ? [STOP, ...segments] : segments) : [];
};

/** Adds lines below a row to its reference if they belong to it: "Standard range: 70 - 99 mg/dL", "Prediabetes: 5.7 - 6.4". */
const withRanges = (lines: readonly JoinedLine[]): JoinedLine[] => {
  const result: JoinedLine[] = [];
  let last: JoinedLine | null = null;
  for (const line of lines) {
    const above = result.at(-1);
    const added = above?.kind === 'row' && last && isNear(last, line) ? rangeIn(line, above) : [];
    last = line;
    if (!above || !added.length) {
      result.push(line);
      continue;
    }
    const words = [...above.line.words, ...line.line.words];
    const parts = { ...above.split!.parts, range: [...above.split!.parts.range, ...added] };
    result[result.length - 1] = { ...above, split: { ...above.split!, parts }, line: { words, ...box(words) } };
  }
  return result;
};
