/** The connection to a Qdrant server, with time-outs, retries of transient errors, and the project's error types. */
import { setTimeout as pause } from 'node:timers/promises';
import { QdrantClient } from '@qdrant/js-client-rest';
import { type AppError, coreErrors, OperatorError } from '../../errors.ts';

export interface QdrantAddress {
  /** An http or https URL; port 6333 unless it names another. */
  readonly url: string;
  /** Empty for a server without keys. */
  readonly apiKey: string;
}

/** The first version with conditional upserts, which the writer's lease requires. */
const OLDEST_SERVER = [1, 16] as const;
const TIMEOUTS = { searchMs: 2_500, writeMs: 120_000 };
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 150;
const DEFAULT_PORT = 6333;

type Work<T> = (client: QdrantClient) => Promise<T>;

/** Sends requests to a server. A call may be sent twice: upserts, deletes and alias switches are idempotent. */
export class QdrantConnection {
  readonly url: string;
  private readonly reader: QdrantClient;
  private readonly writer: QdrantClient;

  constructor(address: QdrantAddress, timeouts = TIMEOUTS) {
    this.url = address.url;
    this.reader = clientFor(address, timeouts.searchMs);
    this.writer = clientFor(address, timeouts.writeMs);
  }

  /** Runs a search, with a short time-out and one retry. @throws AppError `reduced_capacity` when the server is unavailable. */
  ask<T>(work: Work<T>): Promise<T> {
    return this.run(work, this.reader, 2);
  }

  /** Runs a write or a large read, with a long time-out and retries with backoff. @throws as `ask`. */
  tell<T>(work: Work<T>): Promise<T> {
    return this.run(work, this.writer, ATTEMPTS);
  }

  /** @throws OperatorError when the server is unreachable, rejects the key, or is too old. */
  async check(): Promise<void> {
    const version = await this.version();
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [needed, least] = OLDEST_SERVER;
    if (major === needed && minor >= least) return;
    throw new OperatorError(
      `QDRANT_URL: the server at ${this.url} is Qdrant ${version}; ${needed}.${least} or a later ${needed}.x is needed.`,
    );
  }

  private async version(): Promise<string> {
    try {
      const { version } = await attempt(() => this.reader.versionInfo(), ATTEMPTS);
      // The server returns its version without a key, but a list of collections only with one.
      await attempt(() => this.reader.getCollections(), ATTEMPTS);
      return version;
    } catch (error) {
      const status = statusOf(error);
      throw new OperatorError(
        status === 401 || status === 403
          ? `QDRANT_API_KEY: the Qdrant server at ${this.url} does not let us in (${status}).`
          : `QDRANT_URL: no Qdrant server answers at ${this.url} (${status ?? reasonOf(error)}).`,
        { cause: error },
      );
    }
  }

  private async run<T>(work: Work<T>, client: QdrantClient, attempts: number): Promise<T> {
    try {
      return await attempt(() => work(client), attempts);
    } catch (error) {
      throw passes(error) ? outage(error) : error;
    }
  }
}

/** Returns the HTTP status of a rejected request; null when there was no response. */
export function statusOf(error: unknown): number | null {
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' ? status : null;
}

/** Returns the server's error message for a rejected request, or the message of the error itself. */
export function reasonOf(error: unknown): string {
  const { data, message, cause } = error as { data?: { status?: { error?: string } }; message?: string; cause?: Error };
  return data?.status?.error ?? cause?.message ?? message ?? String(error);
}

/** Returns whether the server reported that a collection does not exist (any more). */
export function isCollectionGone(error: unknown): boolean {
  return statusOf(error) === 404 && /collection/i.test(reasonOf(error));
}

function clientFor({ url, apiKey }: QdrantAddress, timeout: number): QdrantClient {
  const address = new URL(url);
  return new QdrantClient({
    host: address.hostname,
    port: Number(address.port) || DEFAULT_PORT,
    https: address.protocol === 'https:',
    prefix: address.pathname.replace(/\/+$/, ''),
    timeout,
    // The key is sent as a header, because the client logs a warning to the console for a key without TLS.
    ...(apiKey && { headers: { 'api-key': apiKey } }),
    checkCompatibility: false,
  });
}

async function attempt<T>(work: () => Promise<T>, attempts: number): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried >= attempts || !passes(error)) throw error;
      await pause(FIRST_PAUSE_MS * 3 ** (tried - 1) * (0.5 + Math.random()));
    }
  }
}

/** Returns whether a retry may succeed: no response, a time-out, too many requests, or an error of the server. */
function passes(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== null) return status >= 500 || status === 429 || status === 408;
  const { name } = error as Error;
  return (
    /Timeout|ResourceExhausted|AbortError/.test(name) || (error instanceof TypeError && /fetch/.test(error.message))
  );
}

function outage(cause: unknown): AppError {
  return coreErrors.reduced_capacity({}, { cause, headers: { 'Retry-After': '5' }, body: { retry_after: 5 } });
}
