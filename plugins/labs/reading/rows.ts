/** Reads the rows of a page: classifies each line separately, then joins names and values that a table split over two lines. */
import { readBandWords } from '../bands/band-words.ts';
import type { Book, Specimen } from './book.ts';
import { cellAbove, columnOf, currentDated } from './columns.ts';
import type { DayOrder } from './dates.ts';
import { type HeaderCell, headerOf, isHeaderWords, isValueLabel } from './headers.ts';
import { isInstruction } from './instructions.ts';
import type { Line } from './lines.ts';
import type { NumberStyle } from './numbers.ts';
import { type PageWords, textOf, type Word } from './page-words.ts';
import { regionsOf } from './regions.ts';
import { isAdministrative, isSentence, specimenOf } from './sections.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { type Split, type Surroundings, splitOf } from './splitting.ts';
import { type JoinedLine, joinWraps } from './wraps.ts';

export interface ReadContext {
  readonly book: Book;
  readonly style: NumberStyle;
  readonly days: DayOrder;
  /** The specimen that the person selected. */
  readonly specimen: Specimen | null;
  /** If false, table headers are ignored. */
  readonly hasHeads?: boolean;
}

/** Kind of a line. `weak`: a value with an unknown name, which becomes a row only together with another line. */
export type LineKind = 'row' | 'weak' | 'name' | 'value' | 'header' | 'heading' | 'other';

export interface ReadLine {
  readonly kind: LineKind;
  readonly line: Line;
  readonly around: Surroundings;
  /** Name and segments of the line; null if it has none. */
  readonly split: Split | null;
}

export interface Row extends Split {
  readonly words: readonly Word[];
  readonly hasHeader: boolean;
  /** The name was joined from two lines and may be wrong. */
  readonly isNameDoubtful: boolean;
  /** There are several result columns, and it is uncertain that this is the current one. */
  readonly isColumnDoubtful: boolean;
  readonly specimen: Specimen | null;
}

export interface PageRows {
  readonly rows: readonly Row[];
  readonly unread: readonly string[];
  /** All lines, in the order of the page. */
  readonly lines: readonly ReadLine[];
  /** Header and specimen in force at the end of the page, for a table that continues on the next page. */
  readonly state: TableState;
}

export interface TableState {
  readonly header: readonly HeaderCell[] | null;
  readonly specimen: Specimen | null;
}

const letters = (text: string): number => text.replace(/[^\p{L}]/gu, '').length;

const leaders = /^(?:[.·_…-]{2,}|[.·…|:])$/u;

/**
 * Removes leader dots, table rules and the characters attached to them, and labels within a line such as "Your value:" and "(Ref.
 * range:".
 */
const tidy = (words: readonly Word[]): Word[] =>
  withoutLabels(words)
    .flatMap(splitAtLeaders)
    .map((word) => (/[.·_…]{3,}$/u.test(word.text) ? { ...word, text: word.text.replace(/[.·_…]+$/u, '') } : word))
    .filter(({ text }) => text && !leaders.test(text));

/** Splits a word at leader dots: "Glucose......92" is two words. */
const splitAtLeaders = (word: Word): Word[] => {
  const parts = [...word.text.matchAll(/(?:(?![.·_…]{3}|…).)+|[.·_…]{3,}|…/gu)];
  if (parts.length < 2) return [word];
  const letter = word.width / word.text.length;
  return parts.map((part) => ({
    ...word,
    text: part[0],
    x: word.x + part.index * letter,
    width: part[0].length * letter,
  }));
};

/** Removes labels that end in a colon. They repeat a column header, and the words after them are self-explanatory. */
const withoutLabels = (words: readonly Word[]): readonly Word[] => {
  const kept: Word[] = [];
  for (const [at, word] of words.entries()) {
    kept.push(word);
    if (!/:$/.test(word.text) || at === words.length - 1) continue;
    for (let count = Math.min(3, kept.length); count > 0; count -= 1)
      if (isValueLabel(textOf(kept.slice(-count)))) {
        kept.length -= count;
        break;
      }
  }
  return kept;
};

/** Moves the words of the name column to the front, wherever that column is. */
const nameFirst = (words: readonly Word[], header: readonly HeaderCell[] | null): readonly Word[] => {
  const cell = header?.find(({ kind }) => kind === 'name');
  if (!header || !cell || header.every((other) => other.x >= cell.x)) return words;
  const isName = (word: Word): boolean => cellAbove(header, word)?.kind === 'name';
  const names = words.filter(isName);
  return names.length ? [...names, ...words.filter((word) => !isName(word))] : words;
};

/** Returns whether the line is a band that explains the row above it: "Vitamin D deficiency < 20 ng/mL". */
const isBandLine = ({ name, parts }: Pick<Split, 'name' | 'parts'>): boolean =>
  parts.value?.kind === 'bound' &&
  !parts.range.length &&
  name.certainty < 0.9 &&
  /^(?:normal|goal|state)$/.test(readBandWords(name.text).meaning);

/** Returns whether a line is a complete row, with sufficient evidence that it is a result. */
const isRow = ({ name, parts }: Split, text: string): boolean => {
  if (!parts.value) return false;
  // "LDL <100 mg/dL optimal" is the target of a guideline, not a result.
  if (parts.value.kind === 'bound' && !parts.range.length && parts.texts.length) return false;
  if (isBandLine({ name, parts })) return false;
  if (name.certainty >= 0.55) return !isSentence(text);
  if (letters(name.text) < 2 || isAdministrative(name.text) || isSentence(text)) return false;
  const isRange = parts.range.some(({ kind }) => kind === 'range' || kind === 'bound');
  return parts.unit?.ucum ? parts.texts.length <= 2 : isRange && parts.texts.length <= 1;
};

const readLine = (line: Line, around: Surroundings): ReadLine => {
  const words = tidy(nameFirst(line.words, around.header));
  const text = textOf(words);
  const split = words.length ? splitOf(words, around) : null;
  const read = (kind: LineKind): ReadLine => ({
    kind,
    line: { ...line, words },
    around,
    split: kind === 'other' ? null : split,
  });
  if (!split || isHeaderWords(words)) return read('other');
  if (isRow(split, text) || isTableRow(split, around, text)) return read('row');
  const segments = segmentsOf(words, around.style);
  const isNamed = segments.some(({ kind, text: own }) => kind === 'text' && letters(own) > 1);
  if (!segments.some(({ kind }) => kind === 'number' || kind === 'bound' || kind === 'range')) {
    if (!isSentence(text) && words.length <= 8 && letters(text) > 1) return read('name');
    return read('other');
  }
  const first = segments[0];
  const isBare = first && first.kind !== 'text' && first.kind !== 'date' && first.kind !== 'unit' && !isNamed;
  if (isBare) return read('value');
  // The value of this row cannot be read, so the row is reported as unread.
  if (split.name.certainty >= 0.9 && !split.parts.value) return read('row');
  return read(split.parts.value && !isSentence(text) ? 'weak' : 'other');
};

/**
 * Returns whether a line of a table with a header is a row: it has a name, known or unknown, and an entry in the result column.
 */
const isTableRow = ({ name, parts }: Split, { header }: Surroundings, text: string): boolean => {
  if (!header?.some(({ kind }) => kind === 'result' || kind === 'dated') || !parts.value || letters(name.text) < 2)
    return false;
  if (isBandLine({ name, parts })) return false;
  const column = columnOf(header, parts.value.words[0]!);
  const isExplained = parts.unit !== null || parts.range.length > 0 || parts.value.kind === 'result';
  return (
    column === 'result' && isExplained && parts.texts.length <= 1 && !isAdministrative(name.text) && !isSentence(text)
  );
};

/** Returns whether values precede ranges, by majority vote of the lines that have exactly one number and one range. */
const isValueFirst = (lines: readonly Line[], style: NumberStyle): boolean => {
  let votes = 0;
  for (const line of lines) {
    const segments = segmentsOf(tidy(line.words), style);
    const numbers = segments.filter(({ kind }) => kind === 'number');
    const ranges = segments.filter(({ kind }) => kind === 'range');
    if (numbers.length !== 1 || ranges.length !== 1) continue;
    votes += segments.indexOf(numbers[0]!) < segments.indexOf(ranges[0]!) ? 1 : -1;
  }
  return votes >= 0;
};

const isHeading = (read: ReadLine): boolean => {
  const text = textOf(read.line.words);
  return read.kind === 'name' && specimenOf(text) !== null && read.line.words.length <= 6;
};

const rowOf = (read: ReadLine & { readonly isNameDoubtful?: boolean }): Row => {
  const { header, hints } = read.around;
  const dated = header ? currentDated(header) : null;
  return {
    ...read.split!,
    words: read.line.words,
    hasHeader: header !== null,
    isNameDoubtful: read.isNameDoubtful ?? false,
    isColumnDoubtful: dated !== null && !dated.isSure,
    specimen: hints.specimen,
  };
};

/** Returns whether a line resembles a result but was not read as one. */
const isUnread = ({ kind, line, around }: ReadLine): boolean => {
  if (kind !== 'other' && kind !== 'value' && kind !== 'weak') return false;
  const text = textOf(line.words);
  if (isAdministrative(text) || isSentence(text) || text.length > 160) return false;
  const segments = segmentsOf(line.words, around.style);
  const has = (...kinds: Segment['kind'][]): boolean => segments.some((segment) => kinds.includes(segment.kind));
  return (
    (has('number', 'bound') && (segments.some(({ ucum }) => ucum !== null) || has('range'))) ||
    (has('unit') && has('range'))
  );
};

const readLines = (
  lines: readonly Line[],
  context: ReadContext,
  state: TableState,
): { lines: ReadLine[]; state: TableState } => {
  const order = { isValueFirst: isValueFirst(lines, context.style) };
  let { header, specimen } = state;
  const read: ReadLine[] = [];
  for (const line of lines) {
    if (isInstruction(textOf(line.words))) continue;
    const found = headerOf(line, context.days);
    if (found && context.hasHeads !== false) header = found;
    const around: Surroundings = {
      book: context.book,
      style: context.style,
      header,
      order,
      hints: { specimen, ucum: null },
    };
    const own = found ? { kind: 'header' as const, line, around, split: null } : readLine(line, around);
    if (isHeading(own)) specimen = specimenOf(textOf(line.words)) ?? specimen;
    read.push(own);
  }
  return { lines: read, state: { header, specimen } };
};

const certain = (lines: readonly ReadLine[]): number =>
  lines.filter(({ kind, split }) => kind === 'row' && split?.parts.value && split.name.certainty >= 0.9).length;

/**
 * Reads the lines with the table headers, and without them if that yields many more certain rows, because then a header was
 * misread.
 */
const readTables = (
  lines: readonly Line[],
  context: ReadContext,
  state: TableState,
): { lines: JoinedLine[]; state: TableState } => {
  const headed = readLines(lines, context, state);
  const joined = joinWraps(headed.lines);
  if (headed.lines.every(({ around }) => around.header === null)) return { lines: joined, state: headed.state };
  const bare = readLines(lines, { ...context, hasHeads: false }, { ...state, header: null });
  const other = joinWraps(bare.lines);
  return certain(other) > 1.4 * certain(joined) + 1
    ? { lines: other, state: bare.state }
    : { lines: joined, state: headed.state };
};

/** Returns the rows of one page. `state` is the table state at the end of the previous page. */
export const rowsOf = (page: PageWords, context: ReadContext, state: TableState): PageRows => {
  const regions = regionsOf(page.words, context.book, page.width);
  let open = state;
  const joined = regions.flatMap((lines) => {
    // A header applies only to its own table.
    const read = readTables(lines, context, regions.length > 1 ? { ...open, header: null } : open);
    open = read.state;
    return read.lines;
  });
  const rows = joined.filter(({ kind }) => kind === 'row');
  return {
    rows: rows.filter(({ split }) => split?.parts.value).map(rowOf),
    unread: [...rows.filter(({ split }) => !split?.parts.value), ...joined.filter(isUnread)].map(({ line }) =>
      textOf(line.words),
    ),
    lines: joined,
    state: regions.length > 1 ? { ...open, header: null } : open,
  };
};
