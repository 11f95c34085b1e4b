/** One filter field of a segment in columnar form: every distinct value once, and per document the codes of its values. */
import type { Condition, FilterValue, SearchDocument } from './port.ts';

type Scalar = string | number | boolean;

export interface FilterColumn {
  readonly field: string;
  readonly values: readonly Scalar[];
  /** Document d has the codes from `starts[d]` up to `starts[d + 1]`; none when it lacks the field. */
  readonly starts: Uint32Array;
  readonly codes: Uint32Array;
}

/** Builds the columns of all fields that any of the documents has, in order of the field names. */
export function buildColumns(documents: readonly SearchDocument[]): FilterColumn[] {
  const fields = new Set(documents.flatMap((document) => Object.keys(document.filters)));
  return [...fields].sort().map((field) =>
    buildColumn(
      field,
      documents.map((document) => valuesOf(document.filters[field])),
    ),
  );
}

/** Merges the columns of several segments, for the remaining documents in their new order. */
export function mergeColumns(
  parts: readonly { readonly columns: readonly FilterColumn[] }[],
  order: readonly { readonly part: number; readonly doc: number }[],
): FilterColumn[] {
  const fields = new Set(parts.flatMap((part) => part.columns.map((column) => column.field)));
  return [...fields].sort().map((field) => {
    const sources = parts.map((part) => part.columns.find((column) => column.field === field));
    return buildColumn(
      field,
      order.map(({ part, doc }) => {
        const source = sources[part];
        return source ? valuesAt(source, doc) : [];
      }),
    );
  });
}

function buildColumn(field: string, rows: readonly (readonly Scalar[])[]): FilterColumn {
  const dictionary = new Map<Scalar, number>();
  const starts = new Uint32Array(rows.length + 1);
  const codes: number[] = [];
  rows.forEach((row, doc) => {
    for (const value of row) {
      let code = dictionary.get(value);
      if (code === undefined) {
        code = dictionary.size;
        dictionary.set(value, code);
      }
      codes.push(code);
    }
    starts[doc + 1] = codes.length;
  });
  return { field, values: [...dictionary.keys()], starts, codes: Uint32Array.from(codes) };
}

function valuesOf(value: FilterValue | undefined | null): readonly Scalar[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? [...new Set(value as readonly string[])] : [value as Scalar];
}

function valuesAt(column: FilterColumn, doc: number): Scalar[] {
  return Array.from(column.codes.subarray(column.starts[doc], column.starts[doc + 1]), (code) => column.values[code]!);
}

/** Sets `allowed[doc]` to 0 for every document that fails the condition. An empty list counts as a missing field. */
export function applyCondition(condition: Condition, column: FilterColumn | undefined, allowed: Uint8Array): void {
  if (!column) {
    allowed.fill(0);
    return;
  }
  const excludes = 'notIn' in condition;
  const flags = Uint8Array.from(column.values, (value) => (holds(condition, value) ? 1 : 0));
  const { starts, codes } = column;
  for (let doc = 0; doc < allowed.length; doc++) {
    if (allowed[doc] === 0) continue;
    const end = starts[doc + 1]!;
    let any = 0;
    let all = 1;
    for (let i = starts[doc]!; i < end; i++) {
      any |= flags[codes[i]!]!;
      all &= flags[codes[i]!]!;
    }
    if (starts[doc] === end || (excludes ? all === 0 : any === 0)) allowed[doc] = 0;
  }
}

function holds(condition: Condition, value: Scalar): boolean {
  if ('in' in condition) return condition.in.includes(value);
  if ('notIn' in condition) return !condition.notIn.includes(value);
  if (typeof value !== 'number') return false;
  return value >= (condition.from ?? Number.NEGATIVE_INFINITY) && value <= (condition.to ?? Number.POSITIVE_INFINITY);
}

/** Adds the number of documents with each value to `counts`; the keys are the values as strings. */
export function countValues(column: FilterColumn, documents: Uint32Array, counts: Map<string, number>): void {
  const perCode = new Uint32Array(column.values.length);
  for (const doc of documents) {
    const end = column.starts[doc + 1]!;
    for (let i = column.starts[doc]!; i < end; i++) perCode[column.codes[i]!]!++;
  }
  perCode.forEach((count, code) => {
    const key = String(column.values[code]);
    if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
  });
}
