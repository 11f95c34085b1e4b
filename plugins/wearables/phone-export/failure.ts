/** Thrown for an export that cannot be read; `outcome` is the reason. */
import type { ExportOutcome } from './reading.ts';

export class ExportFailure extends Error {
  readonly outcome: ExportOutcome;

  constructor(outcome: ExportOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}
