/** What an operator reads of an error that ended a command. */
import { AppError, ContentError, OperatorError } from './errors.ts';
import { RegistryError } from './registry.ts';

/** The sentence of an error that was foreseen; of any other all that is known. */
export const explain = (error: unknown): string => {
  if (
    error instanceof OperatorError ||
    error instanceof ContentError ||
    error instanceof RegistryError ||
    error instanceof AppError
  )
    return error.message;
  if ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) return (error as Error).message;
  return (error as Error).stack ?? String(error);
};
