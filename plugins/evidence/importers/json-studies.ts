/**
 * Splits a JSON stream of any size into study objects, regardless of the wrapper: an array, API pages, JSON lines, or one study.
 */

export type JsonPiece =
  | { readonly type: 'study'; readonly json: string }
  /** A study that could not be extracted, and the reason; extraction continues at the next study that can be recognised. */
  | { readonly type: 'broken'; readonly reason: string };

const longestStudy = 64 * 1024 * 1024;

/** New text is scanned when its length reaches 1/step of the buffered text. */
const step = 4;

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * A pushdown parser over characters that buffers only the current study. `base` is the depth of the studies: 0 for a single study
 * or JSON lines, 1 in an array, 2 in an API page. A study that begins inside another (`"protocolSection"` at an impossible
 * position) or a line end inside a string shows that the previous study was damaged.
 */
class StudyCutter {
  private text = '';
  private ahead: string[] = [];
  private aheadLength = 0;
  private position = 0;
  private depth = 0;
  private base = 0;
  private start = -1;
  private lastBrace = 0;
  private stringStart = -1;
  private lastKey = '';
  private tooLong = false;
  private seeking = false;

  /**
   * Buffers a chunk. A long study is joined and scanned in steps that grow with it, so that the running time is linear in its
   * length and not quadratic.
   */
  *add(chunk: string): Generator<JsonPiece> {
    this.ahead.push(chunk);
    this.aheadLength += chunk.length;
    if (this.aheadLength * step >= this.text.length) yield* this.flush();
  }

  private *flush(): Generator<JsonPiece> {
    this.text += this.ahead.join('');
    [this.ahead, this.aheadLength] = [[], 0];
    while (this.position < this.text.length) {
      const went = this.stringStart >= 0 ? yield* this.finishString() : yield* this.step();
      if (!went) break;
    }
    this.drop();
  }

  *end(): Generator<JsonPiece> {
    yield* this.flush();
    if (this.start >= 0 || this.stringStart >= 0)
      yield { type: 'broken', reason: 'is cut short: the file ends inside it' };
    else if (this.depth > 0) yield { type: 'broken', reason: 'is missing: the file ends before its list does' };
  }

  /** Discards the text that has been read. A study above the size limit is discarded too, and reported when it ends. */
  private drop(): void {
    if (this.start >= 0 && this.position - this.start > longestStudy) this.tooLong = true;
    if (this.stringStart >= 0 && this.position - this.stringStart > longestStudy) this.stringStart = this.position;
    const from = Math.min(this.firstNeeded(), this.text.length);
    this.text = this.text.slice(from);
    this.position -= from;
    this.stringStart -= this.stringStart < 0 ? 0 : from;
    this.start -= this.start < 0 ? 0 : Math.min(from, this.start);
    this.lastBrace -= from;
  }

  private firstNeeded(): number {
    if (this.start >= 0 && !this.tooLong) return this.start;
    const string = this.stringStart < 0 ? this.position : this.stringStart;
    // This brace may be the start of the next study.
    return this.seeking && this.lastBrace >= 0 && string - this.lastBrace < 100 ? this.lastBrace : string;
  }

  private *step(): Generator<JsonPiece, boolean> {
    const code = this.text.charCodeAt(this.position);
    this.position += 1;
    if (code === quote) this.stringStart = this.position - 1;
    else if (code === openBrace || code === openBracket) this.opened(code);
    else if (code === closeBrace || code === closeBracket) yield* this.closed();
    return true;
  }

  private opened(code: number): void {
    this.lastBrace = this.position - 1;
    if (code === openBracket && this.start < 0 && this.depth === 0) this.base = 1;
    else if (code === openBracket && this.depth === 1 && this.base === 0 && this.lastKey === 'studies') {
      this.base = 2;
      this.start = -1;
    } else if (code === openBrace && this.start < 0 && this.depth === this.base && !this.seeking) {
      this.start = this.position - 1;
    }
    this.depth += 1;
    this.lastKey = '';
  }

  private *closed(): Generator<JsonPiece> {
    this.depth = Math.max(0, this.depth - 1);
    if (this.start >= 0 && this.depth === this.base) {
      if (this.tooLong) yield { type: 'broken', reason: 'is longer than 64 million characters' };
      else yield { type: 'study', json: this.text.slice(this.start, this.position) };
      this.start = -1;
      this.tooLong = false;
    }
    if (this.depth === 0) this.base = 0;
  }

  /** Reads up to the closing quote; returns false when the quote is after the text read so far. */
  private *finishString(): Generator<JsonPiece, boolean> {
    for (; this.position < this.text.length; this.position += 1) {
      const code = this.text.charCodeAt(this.position);
      if (code === quote) {
        yield* this.stringEnded(this.text.slice(this.stringStart + 1, this.position));
        return true;
      }
      if (code === lineFeed) {
        yield* this.restart(-1, 'has a line end inside a string');
        return true;
      }
      if (code !== backslash) continue;
      if (this.position + 1 >= this.text.length) return false;
      this.position += 1;
    }
    return false;
  }

  private *stringEnded(value: string): Generator<JsonPiece> {
    this.stringStart = -1;
    this.position += 1;
    this.lastKey = value.length < 20 ? value : '';
    if (value !== 'protocolSection' || this.lastBrace < 0 || (this.start >= 0 && this.lastBrace === this.start)) return;
    if (this.start >= 0 || this.seeking)
      yield* this.restart(this.lastBrace, 'is not closed before the next one begins');
  }

  /** Abandons the current study. `at` is the start of the next study, or -1 when the start must be searched for. */
  private *restart(at: number, reason: string): Generator<JsonPiece> {
    if (this.start >= 0) yield { type: 'broken', reason };
    this.stringStart = -1;
    this.start = at;
    this.seeking = at < 0;
    this.tooLong = false;
    this.depth = at < 0 ? this.base : this.base + 1;
  }
}

/** Splits text into the JSON of single studies. */
export async function* studyPieces(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  const cutter = new StudyCutter();
  for await (const chunk of chunks) yield* cutter.add(chunk);
  yield* cutter.end();
}
