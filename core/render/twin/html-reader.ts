/** Converts the main part of a page of this site to Markdown in one pass. */
import { Parser } from 'htmlparser2';
import { MarkdownWriter } from './markdown-writer.ts';
import { TableRows } from './table-rows.ts';

type Attributes = Readonly<Record<string, string>>;

/** Elements without readable text. Charts are skipped because a table beside each chart contains its data. */
const SKIPPED = new Set(
  'svg script style template noscript form button input select textarea label datalist dialog fieldset'.split(' '),
);
const INLINE = new Set('a abbr b cite code del dfn em i kbd mark q s small span strong sub sup time u var'.split(' '));
const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  em: '*',
  i: '*',
  cite: '*',
  code: '`',
  del: '~~',
};
const HEADING = /^h([1-6])$/;
/** Classes of lists that are displayed as one line of facts. */
const LINE_LIST = /(?:^|\s)(?:facts|inline)(?:\s|$)/;
const LABEL = /(?:^|\s)label(?:\s|$)/;

/** Returns whether an element is left out of every text: navigation aids, controls, hidden and print-only content. */
const isApart = (
  name: string,
  { class: names = '', hidden, 'aria-hidden': ariaHidden, role = '' }: Attributes,
): boolean =>
  SKIPPED.has(name) ||
  hidden !== undefined ||
  ariaHidden === 'true' ||
  role === 'radiogroup' ||
  (name === 'nav' && /(?:^|\s)(?:crumbs|contents)(?:\s|$)/.test(names)) ||
  names.includes('print-only');

/** Returns whether an element is also left out of the brief text: figures, navigation and screen-only content. */
const isBeside = (name: string, { class: names = '' }: Attributes): boolean =>
  name === 'figure' || name === 'nav' || /(?:^|\s)screen(?:\s|$)/.test(names);

interface Open {
  readonly name: string;
  /** Called when the element is closed. */
  readonly close: () => void;
}

interface List {
  readonly isNumbered: boolean;
  readonly isLine: boolean;
  next: number;
}

const nothing = (): void => undefined;

class Reader {
  readonly writer = new MarkdownWriter();
  readonly #base: string;
  readonly #open: Open[] = [];
  readonly #lists: List[] = [];
  #table: TableRows | null = null;
  /** Depth of the outermost skipped element; 0 when nothing is skipped. */
  #skippedAt = 0;
  #depth = 0;
  #words = '';
  /** Content of a code block, whose lines and spaces are preserved; null outside a code block. */
  #code: string | null = null;
  #before: 'open' | 'close' | 'text' = 'open';
  readonly #isBrief: boolean;

  constructor(base: string, isBrief: boolean) {
    this.#base = base;
    this.#isBrief = isBrief;
  }

  opentag(name: string, attributes: Attributes): void {
    this.#endText();
    this.#depth += 1;
    if (this.#skippedAt) return;
    if (isApart(name, attributes) || (this.#isBrief && (isBeside(name, attributes) || this.#isFolded(name)))) {
      this.#skippedAt = this.#depth;
      return;
    }
    if (INLINE.has(name)) this.#apartFromNeighbour(name);
    this.#open.push({ name, close: this.#enter(name, attributes) });
    this.#before = 'open';
  }

  closetag(): void {
    this.#endText();
    const wasSkipped = this.#skippedAt > 0;
    if (this.#skippedAt === this.#depth) this.#skippedAt = 0;
    this.#depth -= 1;
    if (wasSkipped) return;
    this.#open.pop()?.close();
    this.#before = 'close';
  }

  /** Collects text, which the parser delivers in pieces: every entity is a piece of its own. */
  text(text: string): void {
    if (!this.#skippedAt) this.#words += text;
  }

  #endText(): void {
    if (this.#words === '') return;
    if (this.#code === null) this.writer.text(this.#words);
    else this.#code += this.#words;
    this.#words = '';
    this.#before = 'text';
  }

  finish(): string {
    this.#endText();
    return this.writer.finish();
  }

  /** Returns whether the element is the content of a `<details>`, of which the brief text contains only the summary. */
  #isFolded(name: string): boolean {
    return this.#open.at(-1)?.name === 'details' && name !== 'summary';
  }

  /** Separates adjacent inline elements such as `</span><span>`, between which the style sheet sets a gap. */
  #apartFromNeighbour(name: string): void {
    if (this.#before === 'open' || (this.#before === 'text' && name !== 'span')) return;
    this.writer.separate(INLINE.has(this.#open.at(-1)?.name ?? '') ? ' ' : ' · ');
  }

  #enter(name: string, attributes: Attributes): () => void {
    const { writer } = this;
    if (this.#code !== null) return nothing;
    if (name === 'pre') return this.#enterCode(attributes);
    if (INLINE.has(name)) return this.#enterInline(name, attributes);
    const level = HEADING.exec(name)?.[1];
    if (level) return this.#enterHeading(Number(level));
    if (name === 'ul' || name === 'ol') return this.#enterList(name, attributes);
    if (name === 'li') return this.#enterEntry(attributes);
    if (name === 'dt' || name === 'dd') return this.#enterTerm(name);
    if (name === 'table' || name === 'tr' || name === 'td' || name === 'th') return this.#enterTable(name, attributes);
    if (name === 'br') return () => writer.raw(' ');
    if (name === 'hr') return () => writer.lines(['---']);
    if (name === 'img') return () => attributes.alt && writer.text(attributes.alt);
    writer.endBlock();
    if (name === 'blockquote') {
      writer.enter('> ', '> ');
      return () => writer.leave();
    }
    if (name === 'summary' || name === 'caption') return this.#enterLabel(name === 'summary' ? '**' : '*');
    return () => writer.endBlock();
  }

  #enterCode({ 'data-language': language = '' }: Attributes): () => void {
    this.writer.endBlock();
    this.#code = '';
    return () => {
      const lines = (this.#code ?? '').replace(/\n$/, '').split('\n');
      this.#code = null;
      this.writer.lines([`\`\`\`${language}`, ...lines, '```']);
    };
  }

  #enterInline(name: string, { href, class: names = '' }: Attributes): () => void {
    const { writer } = this;
    if (name === 'sup') writer.raw('^');
    if (name === 'q') writer.open('“', '”');
    else if (name === 'span' && LABEL.test(names) && !writer.isOpen('**')) writer.open('**', ':**');
    // A link within the page is written without its target: its text is a number or a name that the page also contains.
    else if (name === 'a' && href && !href.startsWith('#')) writer.open('[', `](${this.#absolute(href)})`);
    else {
      const mark = MARKS[name];
      if (!mark || writer.isOpen(mark)) return nothing;
      writer.open(mark, mark);
    }
    return () => writer.close();
  }

  #absolute(href: string): string {
    const address = href.startsWith('/') ? `${this.#base}${href}` : href;
    return address.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
  }

  /** Writes a heading, or a bold paragraph within a list, which a heading would interrupt. */
  #enterHeading(level: number): () => void {
    const { writer } = this;
    writer.endBlock();
    if (writer.isNested) return this.#enterLabel('**');
    return () => writer.endBlock(`${'#'.repeat(level)} `);
  }

  #enterLabel(mark: string): () => void {
    const { writer } = this;
    writer.open(mark, mark);
    return () => {
      writer.close();
      writer.endBlock();
    };
  }

  #enterList(name: 'ul' | 'ol', { class: names = '', start }: Attributes): () => void {
    this.writer.endBlock();
    this.#lists.push({ isNumbered: name === 'ol', isLine: LINE_LIST.test(names), next: Number(start) || 1 });
    return () => {
      this.writer.endBlock();
      this.#lists.pop();
    };
  }

  #enterEntry({ value }: Attributes): () => void {
    const { writer } = this;
    const list = this.#lists.at(-1);
    if (this.#table || !list) return () => writer.endBlock();
    if (list.isLine) {
      writer.separate(' · ');
      return nothing;
    }
    const number = Number(value) || list.next;
    list.next = number + 1;
    writer.enter(list.isNumbered ? `${number}. ` : '- ');
    return () => writer.leave();
  }

  /** Writes a `<dt>` and its `<dd>` as one list item. */
  #enterTerm(name: 'dt' | 'dd'): () => void {
    const { writer } = this;
    if (this.#table) return () => writer.endBlock();
    if (name === 'dd') return () => writer.leave();
    writer.enter('- ');
    writer.open('**', ':** ');
    return () => writer.close();
  }

  #enterTable(name: 'table' | 'tr' | 'td' | 'th', { scope, colspan }: Attributes): () => void {
    const { writer } = this;
    if (name === 'table') {
      writer.endBlock();
      const table = new TableRows();
      this.#table = table;
      return () => {
        this.#table = null;
        const lines = table.lines();
        if (lines.length) writer.lines(lines);
      };
    }
    const table = this.#table;
    if (!table) return nothing;
    if (name === 'tr') {
      table.beginRow();
      return () => table.endRow();
    }
    writer.beginCell();
    const isHead = name === 'th' && scope !== 'row';
    return () => table.cell(writer.endCell(), { isHead, span: Number(colspan) || 1 });
  }
}

/**
 * Converts the main part of a page to Markdown.
 * @param base base URL of the site for links, without a trailing slash
 */
export const mainAsMarkdown = (main: string, base: string, { isBrief = false } = {}): string => {
  const reader = new Reader(base, isBrief);
  const parser = new Parser({
    onopentag: (name, attributes) => reader.opentag(name, attributes),
    onclosetag: () => reader.closetag(),
    ontext: (text) => reader.text(text),
  });
  // Drawings are half of the bytes of a page, and a regular expression removes them faster than the parser skips them.
  parser.end(main.replace(/<svg[\s>][\s\S]*?<\/svg>/g, ''));
  return reader.finish();
};
