/** Cuts a JSON text of any size into the objects of its list: `[{…}]`, `{"results": [{…}]}`, or one object a line. */
import { UnreadableInput } from './unreadable-input.ts';

export interface JsonObjectText {
  readonly json: string;
  /** On which its opening brace stands, counted from 1. */
  readonly line: number;
}

const LONGEST = 32 * 1024 * 1024;
/** All that matters to where an object ends. */
const MARKS = /["\\{}[\]\n]/g;

/** Of the text that is kept, this share is waited for before it is looked at again. */
const STEP = 4;

class ObjectCutter {
  #text = '';
  #ahead: string[] = [];
  #aheadLength = 0;
  #at = 0;
  #line = 1;
  #depth = 0;
  /** Depth at which the objects lie: 0 a line each, 1 in a list, 2 in the list named `list`. */
  #base = 0;
  #start = -1;
  #startLine = 1;
  #stringFrom = -1;
  #lastString = '';
  readonly #list: string;

  constructor(list: string) {
    this.#list = list;
  }

  /** A long object is put together and looked at in steps that grow with it, so that its length counts once and not squared. */
  *add(chunk: string): Generator<JsonObjectText> {
    this.#ahead.push(chunk);
    this.#aheadLength += chunk.length;
    if (this.#aheadLength * STEP >= this.#text.length) yield* this.flush();
  }

  /** Looks at all that has come. */
  *flush(): Generator<JsonObjectText> {
    this.#text += this.#ahead.join('');
    [this.#ahead, this.#aheadLength] = [[], 0];
    for (;;) {
      MARKS.lastIndex = this.#at;
      const mark = MARKS.exec(this.#text);
      if (!mark) break;
      // What the backslash protects may lie in the next chunk.
      if (mark[0] === '\\' && mark.index + 1 >= this.#text.length) break;
      this.#at = mark.index + (mark[0] === '\\' ? 2 : 1);
      yield* this.#take(mark[0], mark.index);
    }
    this.#forget();
  }

  /** @throws UnreadableInput when an object or the list is not closed. */
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

/** Objects in order; those of a list named otherwise than `list` are one object with what holds it. */
export async function* jsonObjects(chunks: AsyncIterable<string>, list: string): AsyncGenerator<JsonObjectText> {
  const cutter = new ObjectCutter(list);
  for await (const chunk of chunks) yield* cutter.add(chunk);
  yield* cutter.flush();
  cutter.end();
}
