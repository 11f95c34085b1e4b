/** Collects the names of a file; one name may occur in thousands of its rows. */
import type { DrugName } from '../drugs/drug-names.ts';

export const PROBLEMS_KEPT = 50;

export class NameSink {
  readonly names = new Map<string, DrugName>();
  /** Number of valid rows. */
  rows = 0;
  skipped = 0;
  readonly problems: { at: string; message: string }[] = [];
  /** Notes for the operator that are not errors of the file. */
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

/** A file format with names of medicines. */
export interface NameFile {
  readonly id: string;
  readonly summary: string;
  /** Streams the file. Throws UnreadableInput if the file cannot be read at all. */
  read(path: string, sink: NameSink, signal: AbortSignal): Promise<void>;
}
