/** The errors of calls to models. Their messages are our own and never contain a prompt, a reply or a key. */

/**
 * `timeout`: no reply in time. `unavailable`: unreachable, overloaded or failing, after the retries. `budget`: the tokens of the
 * day are used up. `refused`: the endpoint or the model refuses the request, and a retry would not help. `bad_reply`: malformed,
 * truncated or of the wrong shape. `circuit_open`: not sent, because the last calls failed. `no_consent`: not sent, because the
 * person whose data it contains has not consented (permission.ts).
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
  /** HTTP status; null when there was no response or no endpoint. */
  readonly status?: number | null;
  /** Seconds after which a retry makes sense; null when unknown. */
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

/** A request that an endpoint rejected (4xx). The response is used only to adapt the request: it may quote the prompt. */
export class EndpointRefusal extends ModelError {
  readonly #told: string;

  constructor(message: string, status: number, told: string) {
    super('refused', message, { status });
    this.#told = told;
  }

  /** Returns whether the response mentions this term, in any case. */
  names(thing: RegExp): boolean {
    return thing.test(this.#told);
  }
}
