/** Gathers the names of a file: a name may stand in thousands of its rows. */
import type { DrugName } from '../drugs/drug-names.ts';

export const PROBLEMS_KEPT = 50;

export class NameSink {
  readonly names = new Map<string, DrugName>();
  /** Good rows. */
  rows = 0;
  skipped = 0;
  readonly problems: { at: string; message: string }[] = [];
  /** What a reader should know that is no mistake of the file. */
  readonly notes: string[] = [];

  row(): void {
    this.rows += 1;
  }

  problem(at: string, message: string): void {
    this.skipped += 1;
    if (this.problems.length < PROBLEMS_KEPT) this.problems.push({ at, message });
  }

  name(name: DrugName): void {
    const known = this.names.get(name.nameKey);
    if (!known) this.names.set(name.nameKey, name);
    else if (name.onMarket && !known.onMarket) this.names.set(name.nameKey, { ...known, onMarket: true });
  }
}

/** A kind of file with names of medicines. */
export interface NameFile {
  readonly id: string;
  readonly summary: string;
  /** Streams the file; what cannot be read at all is thrown as UnreadableInput. */
  read(path: string, sink: NameSink, signal: AbortSignal): Promise<void>;
}
