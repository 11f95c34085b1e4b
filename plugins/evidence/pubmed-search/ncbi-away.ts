import { OperatorError } from '#core/errors.ts';
import { RemoteFailure } from '../importers/patient-fetch.ts';

/** Ends a run that the same command can continue. */
export class NcbiAway extends OperatorError {
  override readonly name = 'NcbiAway';

  constructor({ message }: Error) {
    super(
      `NCBI ${message}. What came in so far is stored. Run the same command again when NCBI answers: it continues where this run stopped.`,
    );
  }
}

/** Returns why NCBI refused a search, which stops no other search. Throws NcbiAway when NCBI did not answer. */
export const refusalIn = (error: unknown, signal: AbortSignal): string => {
  signal.throwIfAborted();
  if (!(error instanceof RemoteFailure)) throw error;
  if (error.isTransient) throw new NcbiAway(error);
  return `NCBI refused the search: it ${error.message}`;
};
