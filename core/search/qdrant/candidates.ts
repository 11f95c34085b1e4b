/** The documents that the retrievers of one search found, as input for the ranking: numbered, with a score per retriever. */
import type { LegTable } from '../ranking.ts';
import { SCORED, type Scored } from '../scratch.ts';

export interface FoundDocument {
  readonly id: string;
  readonly score: number;
}

/** Numbers are assigned in order of first occurrence. */
export class Candidates {
  readonly ids: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly found: Readonly<Record<Scored, Map<number, number>>> = byLeg(() => new Map());
  /** Retrievers with a truncated list: a document that is missing there may still have a score. */
  readonly cut = new Set<Scored>();

  add(leg: Scored, found: readonly FoundDocument[], { isCut }: { readonly isCut: boolean }): void {
    for (const { id, score } of found) this.found[leg].set(this.numberOf(id), score);
    if (isCut) this.cut.add(leg);
  }

  has(leg: Scored, ref: number): boolean {
    return this.found[leg].has(ref);
  }

  readonly comesFirst = (a: number, b: number): boolean => this.ids[a]! < this.ids[b]!;

  /** Returns the scores received so far. Negative scores become 0. */
  scores(): { rows: number; scores: LegTable } {
    const scores = byLeg((leg) => {
      const row = new Float32Array(this.ids.length);
      for (const [ref, score] of this.found[leg]) row[ref] = Math.max(0, score);
      return row;
    });
    return { rows: this.ids.length, scores };
  }

  private numberOf(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    this.numbers.set(id, this.ids.length);
    return this.ids.push(id) - 1;
  }
}

function byLeg<T>(make: (leg: Scored) => T): Record<Scored, T> {
  return Object.fromEntries(SCORED.map((leg) => [leg, make(leg)])) as Record<Scored, T>;
}
