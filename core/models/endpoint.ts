/** Sends requests to an OpenAI-compatible endpoint and translates its errors into ModelError. */
import { EndpointRefusal, ModelError } from './model-error.ts';

export interface Endpoint {
  /** Name of the model in messages: "language model". */
  readonly name: string;
  /** Base URL without a trailing slash; paths such as `/embeddings` are appended. */
  readonly baseUrl: string;
  /** "" sends no key. */
  readonly apiKey: string;
  /** "" lets the endpoint choose the model. */
  readonly model: string;
}

const LARGEST_REPLY = 64 * 1024 * 1024;
const LARGEST_ERROR = 64 * 1024;

/** Parses a Retry-After header, a number or a date, into seconds. */
const retryAfter = (header: string | null): number | null => {
  if (header === null) return null;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : null;
};

const readText = async (reply: Response, name: string, most: number): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body ?? []) {
    bytes += part.byteLength;
    if (bytes > most) throw new ModelError('bad_reply', `The reply of the ${name} is larger than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

const MEANINGS: Readonly<Record<number, string>> = {
  401: 'its key is missing or wrong',
  402: 'its account has no credit',
  403: 'its key may not do this',
  404: 'no such address or model',
  413: 'the request is too large',
};

const failureOf = async (reply: Response, name: string): Promise<ModelError> => {
  const { status } = reply;
  const told = await readText(reply, name, LARGEST_ERROR).catch(() => '');
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const retryAfterSeconds = retryAfter(reply.headers.get('retry-after'));
    return new ModelError('unavailable', `The ${name} answered ${status}`, { status, retryAfterSeconds });
  }
  const meaning = MEANINGS[status] ?? 'it does not take the request';
  return new EndpointRefusal(`The ${name} answered ${status}: ${meaning}`, status, told);
};

/**
 * Posts JSON and returns the successful response. Redirects are not followed, so that the key is not sent to another server.
 * @throws ModelError, or the error of `fetch` when there was no response.
 */
export const post = async (
  endpoint: Endpoint,
  { path, body, signal }: { path: string; body: object; signal: AbortSignal },
): Promise<Response> => {
  const reply = await fetch(`${endpoint.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(endpoint.apiKey && { Authorization: `Bearer ${endpoint.apiKey}` }),
    },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
  if (!reply.ok) throw await failureOf(reply, endpoint.name);
  return reply;
};

/**
 * Parses the whole response as JSON.
 * @throws ModelError `bad_reply` when it is not JSON.
 */
export const readJson = async (reply: Response, name: string): Promise<unknown> => {
  const text = await readText(reply, name, LARGEST_REPLY);
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelError('bad_reply', `The reply of the ${name} is not JSON`);
  }
};
