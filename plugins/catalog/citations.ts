/** Numbers citations in the order in which a reader encounters the references. */
import { SOURCE_CITATIONS, type SupplementEntry } from '#plugins/vocabulary/index.ts';

/** Returns every id of an entry in reading order: findings, prose, doses, forms, safety. Repeats are preserved. */
export const refsInReadingOrder = (entry: SupplementEntry, body: string): readonly string[] => [
  ...entry.evidence.flatMap(({ sources }) => sources),
  ...SOURCE_CITATIONS.refsInText(body).map(({ ref }) => ref),
  ...entry.dosing.flatMap(({ sources }) => sources),
  ...entry.forms.flatMap(({ sources = [] }) => sources),
  ...entry.safety.flatMap(({ sources = [] }) => sources),
];

export interface Numbering {
  /** Returns the number of an id; 0 if it was not numbered. */
  of(ref: string): number;
  /** Returns the numbers of some ids, ascending, without repeats. */
  all(refs: readonly string[]): number[];
  /** One id per number, the first that was encountered. */
  readonly refs: readonly string[];
}

/** Numbers ids from 1; ids of one source according to `sourceOf` share a number. */
export const numberCitations = (refs: readonly string[], sourceOf: (ref: string) => string): Numbering => {
  const numbers = new Map<string, number>();
  const first: string[] = [];
  for (const ref of refs) {
    if (numbers.has(sourceOf(ref))) continue;
    first.push(ref);
    numbers.set(sourceOf(ref), first.length);
  }
  const of = (ref: string): number => numbers.get(sourceOf(ref)) ?? 0;
  return {
    of,
    all: (wanted) => [...new Set(wanted.map(of))].filter((n) => n > 0).sort((a, b) => a - b),
    refs: first,
  };
};
