/** Converts an error that ended a command into text for the operator. */
import { AppError, ContentError, OperatorError } from './errors.ts';
import { RegistryError } from './registry.ts';

/** Returns the message of an expected error, and the stack of any other. */
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
