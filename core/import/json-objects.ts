/** Splits a JSON text of any size into the objects of its list: `[{…}]`, `{"results": [{…}]}`, or one object per line. */
import { UnreadableInput } from './unreadable-input.ts';

export interface JsonObjectText {
  readonly json: string;
  /** Line of the opening brace, counted from 1. */
  readonly line: number;
}

const LONGEST = 32 * 1024 * 1024;
/** The characters that determine where an object ends. */
const MARKS = /["\\{}[\]\n]/g;

/** The buffered text is scanned again only after it has grown by a quarter (1 / STEP). */
const STEP = 4;

class ObjectCutter {
  #text = '';
  #ahead: string[] = [];
  #aheadLength = 0;
  #at = 0;
  #line = 1;
  #depth = 0;
  /** Depth of the objects: 0 with one per line, 1 in a list, 2 in the list named `list`. */
  #base = 0;
  #start = -1;
  #startLine = 1;
  #stringFrom = -1;
  #lastString = '';
  readonly #list: string;

  constructor(list: string) {
    this.#list = list;
  }

  /**
   * Adds a chunk. A long object is joined and scanned in steps that grow with it, so that the cost is linear in its length, not
   * quadratic.
   */
  *add(chunk: string): Generator<JsonObjectText> {
    this.#ahead.push(chunk);
    this.#aheadLength += chunk.length;
    if (this.#aheadLength * STEP >= this.#text.length) yield* this.flush();
  }

  /** Scans all buffered text. */
  *flush(): Generator<JsonObjectText> {
    this.#text += this.#ahead.join('');
    [this.#ahead, this.#aheadLength] = [[], 0];
    for (;;) {
      MARKS.lastIndex = this.#at;
      const mark = MARKS.exec(this.#text);
      if (!mark) break;
      // The escaped character may be in the next chunk.
      if (mark[0] === '\\' && mark.index + 1 >= this.#text.length) break;
      this.#at = mark.index + (mark[0] === '\\' ? 2 : 1);
      yield* this.#take(mark[0], mark.index);
    }
    this.#forget();
  }

  /**
   * Ends the input.
   * @throws UnreadableInput when an object or the list is not closed.
   */
  end(): void {
    if (this.#start >= 0)
      throw new UnreadableInput(`is cut short: it ends inside the record of line ${this.#startLine}`);
    if (this.#depth > 0) throw new UnreadableInput('is cut short: it ends before its list does');
  }

  *#take(mark: string, index: number): Generator<JsonObjectText> {
    if (mark === '\n') this.#line += 1;
    else if (mark === '"') this.#quote(index);
    else if (this.#stringFrom >= 0 || mark === '\\') return;
    else if (mark === '{' || mark === '[') this.#open(mark, index);
    else yield* this.#close(index);
  }

  #quote(index: number): void {
    if (this.#stringFrom < 0) this.#stringFrom = index;
    else {
      this.#lastString = this.#text.slice(this.#stringFrom + 1, index).slice(0, 40);
      this.#stringFrom = -1;
    }
  }

  #open(mark: string, index: number): void {
    if (mark === '[' && this.#depth === 0) this.#base = 1;
    else if (mark === '[' && this.#depth === 1 && this.#base === 0 && this.#lastString === this.#list) {
      this.#base = 2;
      this.#start = -1;
    } else if (mark === '{' && this.#start < 0 && this.#depth === this.#base) {
      this.#start = index;
      this.#startLine = this.#line;
    }
    this.#depth += 1;
  }

  *#close(index: number): Generator<JsonObjectText> {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#start >= 0 && this.#depth === this.#base) {
      yield { json: this.#text.slice(this.#start, index + 1), line: this.#startLine };
      this.#start = -1;
    }
    if (this.#depth === 0) this.#base = 0;
  }

  #forget(): void {
    const open = [this.#start, this.#stringFrom].filter((place) => place >= 0);
    const from = Math.min(this.#at, this.#text.length, ...open);
    if (this.#text.length - from > LONGEST)
      throw new UnreadableInput(`has a record of more than 32 million characters, on line ${this.#startLine}`);
    this.#text = this.#text.slice(from);
    this.#at -= from;
    if (this.#start >= 0) this.#start -= from;
    if (this.#stringFrom >= 0) this.#stringFrom -= from;
  }
}

/** Yields the objects in order. A list with another name than `list` is not split: it is part of the object that contains it. */
export async function* jsonObjects(chunks: AsyncIterable<string>, list: string): AsyncGenerator<JsonObjectText> {
  const cutter = new ObjectCutter(list);
  for await (const chunk of chunks) yield* cutter.add(chunk);
  yield* cutter.flush();
  cutter.end();
}
