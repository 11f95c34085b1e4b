/** Thrown for a file that cannot be read; `outcome` is the reason, as stored in the report. */
import type { FileOutcome } from '../report.ts';

export class ReadingFailure extends Error {
  readonly outcome: FileOutcome;

  constructor(outcome: FileOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}
