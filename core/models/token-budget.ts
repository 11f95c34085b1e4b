/** The daily (UTC) token budget of one process at the operator's language endpoint; it is in memory and is reset by a restart. */
import { ModelError } from './model-error.ts';

export interface TokenBudget {
  /**
   * Reserves tokens for one call; the returned function must be called once with the number of tokens used.
   * @throws ModelError `budget`.
   */
  reserve(tokens: number): (used: number) => void;
  isUsedUp(): boolean;
}

/**
 * Estimates the tokens of a text. English prose has about four characters per token; numbers and chemical names have fewer, so
 * three are assumed.
 */
export const tokensOf = (characters: number): number => Math.ceil(characters / 3);

const DAY_MS = 86_400_000;

/** Creates a budget; `perDay` null means no limit. */
export const createBudget = (perDay: number | null, now: () => number = Date.now): TokenBudget => {
  let day = -1;
  let taken = 0;
  const today = (): void => {
    const current = Math.floor(now() / DAY_MS);
    if (current !== day) taken = 0;
    day = current;
  };
  return {
    reserve: (tokens) => {
      today();
      const reservedOn = day;
      if (perDay !== null && taken + tokens > perDay) {
        const retryAfterSeconds = Math.ceil(((day + 1) * DAY_MS - now()) / 1000);
        throw new ModelError('budget', `The ${perDay} tokens of this day are used up, or too few are left`, {
          retryAfterSeconds,
        });
      }
      taken += tokens;
      let settled = false;
      return (used) => {
        if (!settled && reservedOn === day) taken += used - tokens;
        settled = true;
      };
    },
    isUsedUp: () => {
      today();
      return perDay !== null && taken >= perDay;
    },
  };
};
