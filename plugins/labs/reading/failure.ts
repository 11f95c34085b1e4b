/** A file that cannot be read; `outcome` says why, in the words of a report. */
import type { FileOutcome } from '../report.ts';

export class ReadingFailure extends Error {
  readonly outcome: FileOutcome;

  constructor(outcome: FileOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}
