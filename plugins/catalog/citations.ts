/** Which number a citation has: references are counted in the order in which a reader meets them. */
import { SOURCE_CITATIONS, type SupplementEntry } from '#plugins/vocabulary/index.ts';

/** Every id of an entry in reading order: findings, prose, doses, forms, safety. Repeats are kept. */
export const refsInReadingOrder = (entry: SupplementEntry, body: string): readonly string[] => [
  ...entry.evidence.flatMap(({ sources }) => sources),
  ...SOURCE_CITATIONS.refsInText(body).map(({ ref }) => ref),
  ...entry.dosing.flatMap(({ sources }) => sources),
  ...entry.forms.flatMap(({ sources = [] }) => sources),
  ...entry.safety.flatMap(({ sources = [] }) => sources),
];

export interface Numbering {
  /** 0 for an id that was not numbered. */
  of(ref: string): number;
  /** Numbers of some ids, ascending, without repeats. */
  all(refs: readonly string[]): number[];
  /** One id per number, the first that was met. */
  readonly refs: readonly string[];
}

/** Numbers ids from 1; ids that `sourceOf` says are one source share a number. */
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
