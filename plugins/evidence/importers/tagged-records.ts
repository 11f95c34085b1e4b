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

  /** Appends a continuation line to the last value. */
  extend(value: string): void {
    const text = value.trim();
    if (this.last === undefined || text === '') return;
    const before = this.last.pop() ?? '';
    // Both parts are already trimmed: trimming the whole value again for each line would take quadratic time.
    this.last.push(before === '' ? text : `${before} ${text}`);
  }

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  all(...tags: readonly string[]): string[] {
    return tags.flatMap((tag) => this.values.get(tag) ?? []);
  }

  /** Returns the first non-empty value of the given tags, in the order of the tags. */
  first(...tags: readonly string[]): string {
    return this.all(...tags).find((value) => value !== '') ?? '';
  }
}

export interface TagSyntax {
  /** Pattern of a line with a tag; its groups are the tag and the value. */
  readonly line: RegExp;
  readonly begins: string;
  /** Tag that ends a record; "" when the format has none. */
  readonly ends: string;
  /** Whether a blank line ends a record. */
  readonly blankEnds: boolean;
  readonly isContinuation: (line: string) => boolean;
}

/** A piece of a tagged file. A record without an end before the next one or the end of the file is yielded as read. */
export type TaggedPiece =
  | { readonly type: 'record'; readonly record: TaggedRecord }
  | { readonly type: 'stray'; readonly line: number };

/** Splits lines into records; a run of lines outside records is reported once. */
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
