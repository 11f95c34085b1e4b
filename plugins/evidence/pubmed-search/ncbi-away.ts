import { OperatorError } from '#core/errors.ts';
import { RemoteFailure } from '../importers/patient-fetch.ts';

/** Error that ends a run; running the same command again continues it. */
export class NcbiAway extends OperatorError {
  override readonly name = 'NcbiAway';

  constructor({ message }: Error) {
    super(
      `NCBI ${message}. What came in so far is stored. Run the same command again when NCBI answers: it continues where this run stopped.`,
    );
  }
}

/**
 * Returns the reason why NCBI refused a search, which does not stop other searches. Throws NcbiAway when NCBI did not respond.
 */
export const refusalIn = (error: unknown, signal: AbortSignal): string => {
  signal.throwIfAborted();
  if (!(error instanceof RemoteFailure)) throw error;
  if (error.isTransient) throw new NcbiAway(error);
  return `NCBI refused the search: it ${error.message}`;
};
