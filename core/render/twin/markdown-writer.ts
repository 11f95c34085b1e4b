/** Writes the parts of a page as Markdown in reading order: blocks, nested lists and inline marks. */

interface Level {
  /** Written before the first line of the next block, such as "- " or "12. "; "" once it was used. */
  mark: string;
  /** Written before every other line. */
  readonly indent: string;
}

interface Wrap {
  readonly before: string;
  readonly after: string;
  at: number;
}

/** `item` when the block began a list item; consecutive items have no empty line between them. */
type Kind = 'item' | 'block' | 'none';

const escaped = (text: string): string =>
  !/[\\`*<_\]]/.test(text)
    ? text
    : text.replace(/[\\`*]|<(?=[A-Za-z/!?])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&').replaceAll('](', ']\\(');

/** Characters after which no separator is written. */
const OPENERS = new Set(' ([{“‘"\'/–—-');

/** Escapes the start of a paragraph that would turn it into a heading, a quotation or a list. */
const plainStart = (line: string): string =>
  line.replace(/^(#{1,6}|[>+-])(?=\s|$)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');

export class MarkdownWriter {
  #done = '';
  #line = '';
  #last: Kind = 'none';
  readonly #levels: Level[] = [];
  readonly #wraps: Wrap[] = [];
  /** Whether a table cell is being written; its blocks are joined on one line. */
  #isCell = false;

  /** Writes text, with white space collapsed. */
  text(raw: string): void {
    const text = /[^\S ]| {2}/.test(raw) ? raw.replace(/\s+/g, ' ') : raw;
    const next = this.#line === '' || this.#line.endsWith(' ') ? text.trimStart() : text;
    this.#line += this.#isCell ? escaped(next).replaceAll('|', '\\|') : escaped(next);
  }

  /** Writes Markdown without escaping it. */
  raw(markdown: string): void {
    this.#line += markdown;
  }

  /** Writes a separator between two parts that only the style sheet separates. */
  separate(by: string): void {
    if (this.#line !== '' && !OPENERS.has(this.#line.charAt(this.#line.length - 1))) this.#line += by;
  }

  /** Opens an inline element; `close` writes its marks around the content unless the content is empty. */
  open(before: string, after: string): void {
    this.#wraps.push({ before, after, at: this.#line.length });
  }

  isOpen(before: string): boolean {
    return this.#wraps.some((wrap) => wrap.before === before);
  }

  close(): void {
    const wrap = this.#wraps.pop();
    if (!wrap) return;
    const inner = this.#line.slice(wrap.at);
    const words = inner.trim();
    if (words === '') return;
    const [lead, tail] = [inner.startsWith(' ') ? ' ' : '', inner.endsWith(' ') ? ' ' : ''];
    this.#line = `${this.#line.slice(0, wrap.at)}${lead}${wrap.before}${words}${wrap.after}${tail}`;
  }

  /** Ends the current paragraph, heading or list item. @param head prefix such as "## " */
  endBlock(head = ''): void {
    if (this.#isCell) {
      if (this.#line.trim() !== '' && !/[;:.]\s*$/.test(this.#line)) this.#line = `${this.#line.trimEnd()}; `;
      return;
    }
    const line = this.#line.trim();
    this.#line = '';
    for (const wrap of this.#wraps) wrap.at = 0;
    if (line !== '') this.#put(head === '' ? plainStart(line) : `${head}${line}`);
  }

  /** Writes complete lines, such as a table or a code block. */
  lines(lines: readonly string[]): void {
    this.endBlock();
    this.#put(lines.join('\n'));
  }

  /** Starts a list item or a quotation. */
  enter(mark: string, indent = ' '.repeat(mark.length)): void {
    this.endBlock();
    this.#levels.push({ mark, indent });
  }

  leave(): void {
    this.endBlock();
    this.#levels.pop();
  }

  get isNested(): boolean {
    return this.#levels.length > 0;
  }

  beginCell(): void {
    this.#isCell = true;
    this.#line = '';
  }

  /** Ends the cell and returns its content on one line. */
  endCell(): string {
    const line = this.#line.trim().replace(/;$/, '');
    this.#isCell = false;
    this.#line = '';
    return line;
  }

  finish(): string {
    this.endBlock();
    return `${this.#done}\n`;
  }

  #put(block: string): void {
    const isEntry = this.#levels.some(({ mark }) => mark !== '');
    const gap = this.#last === 'none' ? '' : isEntry && this.#last === 'item' ? '\n' : '\n\n';
    let first = '';
    for (const level of this.#levels) {
      first += level.mark || level.indent;
      level.mark = '';
    }
    const rest = this.#levels.map(({ indent }) => indent).join('');
    this.#done += `${gap}${first}${rest === '' ? block : block.replaceAll('\n', `\n${rest}`)}`;
    this.#last = isEntry ? 'item' : 'block';
  }
}
