/** How a call to a model may fail. Messages are sentences of ours: no prompt, no reply, no key ever stands in one. */

/**
 * `timeout`: no answer in time. `unavailable`: away, overloaded or failing, after the retries. `budget`: the day's tokens
 * are used up. `refused`: the endpoint or the model will not do this, and would not a second time. `bad_reply`: broken,
 * cut short or of the wrong shape. `circuit_open`: not asked at all, because the last calls all failed. `no_consent`: not
 * asked at all, because the person whose data it is has not agreed (permission.ts).
 */
export type ModelErrorCode =
  | 'timeout'
  | 'unavailable'
  | 'budget'
  | 'refused'
  | 'bad_reply'
  | 'circuit_open'
  | 'no_consent';

interface ModelErrorFacts {
  /** HTTP status; null when there was no answer, or no endpoint. */
  readonly status?: number | null;
  /** When asking again makes sense; null when unknown. */
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ModelErrorCode, message: string, { status, retryAfterSeconds, cause }: ModelErrorFacts = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/** A request that an endpoint turned down (4xx). What it told is for adapting the request only: it may quote the prompt. */
export class EndpointRefusal extends ModelError {
  readonly #told: string;

  constructor(message: string, status: number, told: string) {
    super('refused', message, { status });
    this.#told = told;
  }

  /** Whether the endpoint's words name this thing, in any case. */
  names(thing: RegExp): boolean {
    return thing.test(this.#told);
  }
}
