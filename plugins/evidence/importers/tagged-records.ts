import { linesOf } from '#core/import/text-stream.ts';

/** One record of a tagged format (NBIB, RIS): every value of every tag, in order. */
export class TaggedRecord {
  private readonly values = new Map<string, string[]>();
  private last: string[] | undefined;

  add(tag: string, value: string): void {
    const list = this.values.get(tag) ?? [];
    list.push(value.trim());
    this.values.set(tag, list);
    this.last = list;
  }

  /** Appends a continuation line to the value before it. */
  extend(value: string): void {
    const text = value.trim();
    if (this.last === undefined || text === '') return;
    const before = this.last.pop() ?? '';
    // Both are trimmed: looking at the whole again for each line would take the square of a long value's time.
    this.last.push(before === '' ? text : `${before} ${text}`);
  }

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  all(...tags: readonly string[]): string[] {
    return tags.flatMap((tag) => this.values.get(tag) ?? []);
  }

  /** The first value of the first tag that has one. */
  first(...tags: readonly string[]): string {
    return this.all(...tags).find((value) => value !== '') ?? '';
  }
}

export interface TagSyntax {
  /** Groups: tag, value. */
  readonly line: RegExp;
  readonly begins: string;
  /** A tag that ends a record, where the format has one. */
  readonly ends: string;
  /** Whether a blank line ends a record. */
  readonly blankEnds: boolean;
  readonly isContinuation: (line: string) => boolean;
}

/** What a tagged file holds; a record that runs into the next or into the end of the file is yielded as far as it goes. */
export type TaggedPiece =
  | { readonly type: 'record'; readonly record: TaggedRecord }
  | { readonly type: 'stray'; readonly line: number };

/** Cuts lines into records; lines that belong to none are reported once for each run of them. */
export async function* taggedRecords(chunks: AsyncIterable<string>, syntax: TagSyntax): AsyncGenerator<TaggedPiece> {
  let record: TaggedRecord | null = null;
  let number = 0;
  let inStrayRun = false;
  for await (const line of linesOf(chunks)) {
    number += 1;
    const [, tag, value = ''] = syntax.line.exec(line) ?? [];
    const blank = line.trim() === '';
    if (
      record !== null &&
      (tag === syntax.begins || (tag !== undefined && tag === syntax.ends) || (blank && syntax.blankEnds))
    ) {
      yield { type: 'record', record };
      record = null;
    }
    if (tag === syntax.begins) record = new TaggedRecord();
    if (record !== null && tag !== undefined) record.add(tag, value);
    else if (record !== null && syntax.isContinuation(line)) record.extend(line);
    const stray = record === null && !blank && tag !== syntax.ends;
    if (stray && !inStrayRun) yield { type: 'stray', line: number };
    inStrayRun = stray || (inStrayRun && blank);
  }
  if (record !== null) yield { type: 'record', record };
}
