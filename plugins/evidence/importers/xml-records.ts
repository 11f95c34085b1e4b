/** Splits an XML stream of any size into its records, so that a malformed record does not affect the others. */

import { UnreadableInput } from '#core/import/unreadable-input.ts';

export type XmlPiece =
  | { readonly type: 'record'; readonly xml: string }
  /** A record that could not be extracted, and the reason; extraction continues with the next record. */
  | { readonly type: 'broken'; readonly reason: string };

const longestRecord = 64 * 1024 * 1024;
const longestTag = 64;
/** Longest DOCTYPE up to its first bracket; this part contains only names and addresses. */
const longestDoctype = 10_000;

interface Open {
  readonly name: string;
  readonly end: RegExp;
  parts: string[];
  length: number;
}

/**
 * Splits the stream. Its state is the unread `text`, the open record, and the construct that is being skipped outside records.
 */
class Cutter {
  root = '';
  private text = '';
  private tail = '';
  private open: Open | null = null;
  private skipTo: RegExp | null = null;
  private readonly start: RegExp;
  private readonly names: string;

  constructor(names: readonly string[]) {
    this.names = `(?:[\\w.-]+:)?(?:${names.join('|')})`;
    this.start = new RegExp(`<(${this.names})(?=[\\s/>])|<!--|<!DOCTYPE[^<>[]*(?:\\[|>)`);
  }

  *add(chunk: string): Generator<XmlPiece> {
    this.text += chunk;
    for (let goOn = true; goOn; ) {
      if (this.open !== null) goOn = yield* this.inside(this.open);
      else if (this.skipTo !== null) goOn = this.skip(this.skipTo);
      else goOn = yield* this.outside();
    }
  }

  *end(): Generator<XmlPiece> {
    if (this.open !== null) {
      yield { type: 'broken', reason: `ends before </${this.open.name}>: the file is cut short` };
      return;
    }
    this.note(this.text);
    if (this.root !== '' && !this.tail.includes(`</${this.root}`) && !this.tail.includes('/>')) {
      throw new UnreadableInput(`ends before </${this.root}>: the file is cut short`);
    }
  }

  /** Stores the name of the first element and the last text outside records. */
  private note(text: string): void {
    this.tail = (this.tail + text).slice(-1000);
    if (this.root === '') this.root = /<([A-Za-z_][\w:.-]*)/.exec(text)?.[1] ?? '';
  }

  private *outside(): Generator<XmlPiece, boolean> {
    const found = this.start.exec(this.text);
    if (found === null) {
      const from = this.text.lastIndexOf('<');
      const rest = this.text.length - from;
      const keep =
        from >= 0 && (rest < longestTag || (rest < longestDoctype && this.text.startsWith('<!DOCTYPE', from)));
      this.note(keep ? this.text.slice(0, from) : this.text);
      this.text = keep ? this.text.slice(from) : '';
      return false;
    }
    this.note(this.text.slice(0, found.index));
    const after = found.index + found[0].length;
    const name = found[1];
    if (name === undefined) {
      this.skipTo = found[0] === '<!--' ? /-->/ : found[0].endsWith('[') ? /\]\s*>/ : null;
      this.text = this.text.slice(after);
      return true;
    }
    if (this.root === '') this.root = name;
    if (name === this.root) this.tail = `</${name}`;
    if (this.text.startsWith('/>', after)) yield { type: 'record', xml: `<${name}/>` };
    else this.begin(name);
    this.text = this.text.slice(after);
    return true;
  }

  private begin(name: string): void {
    const end = new RegExp(`</${name}\\s*>|<(${this.names})(?=[\\s/>])`);
    this.open = { name, end, parts: [`<${name}`], length: 0 };
  }

  private *inside(open: Open): Generator<XmlPiece, boolean> {
    const found = open.end.exec(this.text);
    const upTo = found === null ? Math.max(0, this.text.length - longestTag) : found.index;
    open.length += upTo;
    if (open.length > longestRecord) open.parts = [];
    else open.parts.push(this.text.slice(0, upTo));
    this.text = this.text.slice(upTo);
    if (found === null) return false;
    this.open = null;
    if (found[1] !== undefined) {
      yield { type: 'broken', reason: `has no </${open.name}> before the next record begins` };
      return true;
    }
    this.text = this.text.slice(found[0].length);
    if (open.length > longestRecord) yield { type: 'broken', reason: 'is longer than 64 million characters' };
    else yield { type: 'record', xml: open.parts.join('') + found[0] };
    return true;
  }

  private skip(to: RegExp): boolean {
    const found = to.exec(this.text);
    this.text = found === null ? this.text.slice(-longestTag) : this.text.slice(found.index + found[0].length);
    if (found !== null) this.skipTo = null;
    return found !== null;
  }
}

/** The name of the root element ("" until it is known) and the pieces. */
export interface XmlRecords {
  readonly root: () => string;
  readonly pieces: AsyncIterable<XmlPiece>;
}

/** Returns a readable name of the root element: "<html>", or "no XML element". */
export const rootNamed = (records: XmlRecords): string => {
  const name = records.root();
  return name === '' ? 'no XML element' : `<${name.slice(0, 60)}>`;
};

/** Splits text into elements of the given names. Throws after the last piece when the root element is never closed. */
export const xmlRecords = (chunks: AsyncIterable<string>, names: readonly string[]): XmlRecords => {
  const cutter = new Cutter(names);
  async function* pieces(): AsyncGenerator<XmlPiece> {
    for await (const chunk of chunks) yield* cutter.add(chunk);
    yield* cutter.end();
  }
  return { root: () => cutter.root, pieces: pieces() };
};
