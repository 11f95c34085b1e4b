/** The tokens that one process may use in a day (UTC) at the operator's language endpoint; kept in memory, anew after a restart. */
import { ModelError } from './model-error.ts';

export interface TokenBudget {
  /** Sets tokens aside for one call; the answer is called once, with what it really took. @throws ModelError `budget`. */
  reserve(tokens: number): (used: number) => void;
  isUsedUp(): boolean;
}

/** English prose has about four characters to a token; numbers and chemical names have fewer, so three are reckoned. */
export const tokensOf = (characters: number): number => Math.ceil(characters / 3);

const DAY_MS = 86_400_000;

/** `perDay` null: without limit. */
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
