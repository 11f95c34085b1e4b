/** Streams the objects of a JSON file: one object, an array, JSON lines, or the `results` or `hits` of an API response. */
import { UnreadableInput } from '#core/import/unreadable-input.ts';

/** The text of one object and the line on which it begins, counted from 1. */
export interface JsonText {
  readonly text: string;
  readonly line: number;
}

const LONGEST = 16 * 1024 * 1024;

/** Matches characters that do not affect the structure. */
const PLAIN = /[^"{}[\]\n]+/y;
const PLAIN_IN_STRING = /[^"\\\n]+/y;

/** Matches an API response, which has its records in an array of the root object. A label is a root object itself. */
const WRAPPED = /^\s*\{\s*"(?:meta|results|hits|took)"/;
/** Matches a search index response, which has its records one level deeper. */
const DEEPER = /"hits"\s*:\s*\{/;

/** Returns the open brackets around the records of a file, or null when they are at the root or in a root array. */
const parentsIn = (head: string): string | null => (WRAPPED.test(head) ? (DEEPER.test(head) ? '{{[' : '{[') : null);

/** Extracts objects by their brackets: those inside `parents`, or those at the root and in a root array. */
class ObjectCutter {
  readonly #parents: string | null;
  readonly #stack: string[] = [];
  #line = 1;
  #begin = 0;
  #depth = -1;
  #parts: string[] = [];
  #length = 0;
  #inString = false;
  #escaped = false;

  constructor(parents: string | null) {
    this.#parents = parents;
  }

  *add(text: string): Generator<JsonText> {
    let from = 0;
    for (let at = 0; at < text.length; ) {
      if (this.#escaped) {
        this.#escaped = false;
        at += 1;
        continue;
      }
      const plain = this.#inString ? PLAIN_IN_STRING : PLAIN;
      plain.lastIndex = at;
      if (plain.test(text)) at = plain.lastIndex;
      if (at >= text.length) break;
      const mark = text[at] ?? '';
      if (this.#startsHere(mark)) {
        from = at;
        this.#begin = this.#line;
        this.#depth = this.#stack.length;
      }
      this.#take(mark);
      at += 1;
      if (this.#depth >= 0 && mark === '}' && !this.#inString && this.#stack.length === this.#depth) {
        yield { text: [...this.#parts, text.slice(from, at)].join(''), line: this.#begin };
        this.#parts = [];
        this.#length = 0;
        this.#depth = -1;
      }
    }
    if (this.#depth < 0) return;
    this.#parts.push(text.slice(from));
    this.#length += text.length - from;
    if (this.#length > LONGEST)
      throw new UnreadableInput(`has an object that begins on line ${this.#begin} and does not end`);
  }

  /** Returns the line of an object that is still open, or null. */
  openAt(): number | null {
    return this.#depth < 0 ? null : this.#begin;
  }

  #startsHere(mark: string): boolean {
    if (mark !== '{' || this.#inString || this.#depth >= 0) return false;
    const open = this.#stack;
    if (this.#parents === null) return open.length === 0 || (open.length === 1 && open[0] === '[');
    return open.length === this.#parents.length && open.join('') === this.#parents;
  }

  #take(mark: string): void {
    if (mark === '\n') this.#line += 1;
    else if (mark === '\\') this.#escaped = true;
    else if (mark === '"') this.#inString = !this.#inString;
    else if (this.#inString) return;
    else if (mark === '{' || mark === '[') this.#stack.push(mark);
    else this.#stack.pop();
  }
}

async function* linesAsObjects(chunks: AsyncIterable<string>, first: string): AsyncGenerator<JsonText> {
  let line = 0;
  // A line that spans many chunks is joined once, not again with each chunk.
  let held: string[] = [];
  let length = 0;
  const cutLines = function* (text: string): Generator<JsonText> {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const [at, one] of lines.entries()) {
      const whole = (at ? one : held.join('') + one).trim();
      line += 1;
      if (whole) yield { text: whole, line };
    }
    if (lines.length) [held, length] = [[], 0];
    held.push(last);
    length += last.length;
    if (length > LONGEST) throw new UnreadableInput('has a line of more than 16 million characters');
  };
  yield* cutLines(first);
  for await (const chunk of chunks) yield* cutLines(chunk);
  const rest = held.join('').trim();
  if (rest) yield { text: rest, line: line + 1 };
}

/** Returns whether the first line is a complete object, as in JSON lines. */
const isJsonLine = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === 'object' && line.trimStart().startsWith('{');
  } catch {
    return false;
  }
};

/**
 * Splits a text into objects. `asLines` is set for a file name that indicates JSON lines, so that a malformed first line is
 * treated as one too.
 */
export async function* jsonValues(chunks: AsyncIterable<string>, asLines: boolean): AsyncGenerator<JsonText> {
  const stream = chunks[Symbol.asyncIterator]();
  const rest: AsyncIterable<string> = { [Symbol.asyncIterator]: () => stream };
  const begun: string[] = [];
  let [length, isBlank] = [0, true];
  while (length < LONGEST) {
    const next = await stream.next();
    if (next.done) break;
    begun.push(next.value);
    length += next.value.length;
    const text = isBlank ? next.value.trimStart() : next.value;
    isBlank = text === '';
    if (text.includes('\n')) break;
  }
  const head = begun.join('');
  if (asLines || (!WRAPPED.test(head) && isJsonLine(head.trimStart().split('\n', 1)[0] ?? ''))) {
    yield* linesAsObjects(rest, head);
    return;
  }
  const cutter = new ObjectCutter(parentsIn(head));
  yield* cutter.add(head);
  for await (const chunk of rest) yield* cutter.add(chunk);
  const open = cutter.openAt();
  if (open !== null) throw new UnreadableInput(`ends inside the object that begins on line ${open}`);
}
