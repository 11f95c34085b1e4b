/** The one way to a Qdrant server: time-outs, retries of what may pass, and errors in the project's own words. */
import { setTimeout as pause } from 'node:timers/promises';
import { QdrantClient } from '@qdrant/js-client-rest';
import { type AppError, coreErrors, OperatorError } from '../../errors.ts';

export interface QdrantAddress {
  /** http or https; port 6333 unless the address names another. */
  readonly url: string;
  /** Empty for a server without keys. */
  readonly apiKey: string;
}

/** Conditional upserts, which the writer's lease rests on, came with this version. */
const OLDEST_SERVER = [1, 16] as const;
const TIMEOUTS = { searchMs: 2_500, writeMs: 120_000 };
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 150;
const DEFAULT_PORT = 6333;

type Work<T> = (client: QdrantClient) => Promise<T>;

/** Every call may be sent twice: upserts, deletes and alias switches have the same effect the second time. */
export class QdrantConnection {
  readonly url: string;
  private readonly reader: QdrantClient;
  private readonly writer: QdrantClient;

  constructor(address: QdrantAddress, timeouts = TIMEOUTS) {
    this.url = address.url;
    this.reader = clientFor(address, timeouts.searchMs);
    this.writer = clientFor(address, timeouts.writeMs);
  }

  /** A search: short time-out, one retry. @throws AppError `reduced_capacity` when the server is away. */
  ask<T>(work: Work<T>): Promise<T> {
    return this.run(work, this.reader, 2);
  }

  /** Anything that changes or reads much: long time-out, retries with growing pauses. @throws as `ask`. */
  tell<T>(work: Work<T>): Promise<T> {
    return this.run(work, this.writer, ATTEMPTS);
  }

  /** @throws OperatorError when the server is out of reach, refuses the key, or is too old. */
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
      // The version is answered without a key; a list of collections is not.
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

/** HTTP status of a refused request; null when there was no answer. */
export function statusOf(error: unknown): number | null {
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' ? status : null;
}

/** What the server said of a refused request. */
export function reasonOf(error: unknown): string {
  const { data, message, cause } = error as { data?: { status?: { error?: string } }; message?: string; cause?: Error };
  return data?.status?.error ?? cause?.message ?? message ?? String(error);
}

/** Whether the server said that a collection is not there (any more). */
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
    // As a header of our own: the client prints a warning to the console for a key without TLS.
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

/** No answer, too late an answer, too many requests or a fault of the server: another try may go through. */
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
