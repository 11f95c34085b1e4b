/** Sends a request over real HTTP on a keep-alive connection, and returns its outcome. */
import { type Agent, request } from 'node:http';

export interface Call {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Serialized JSON body. */
  readonly body?: string;
}

export interface Answered {
  /** Status; 0 when there was no response. */
  readonly status: number;
  readonly bytes: number;
  /** Body; "" unless requested. */
  readonly text: string;
  /** Code of a connection error. */
  readonly error: string;
}

const LONGEST_MS = 60_000;

export const send = (base: string, call: Call, agent: Agent, isKept = false): Promise<Answered> =>
  new Promise((resolve) => {
    let bytes = 0;
    const parts: Buffer[] = [];
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve({ status: 0, bytes, text: '', error: error.code ?? error.message });
    const { method, path, headers, body } = call;
    const sent = request(base + path, { method, headers, agent, timeout: LONGEST_MS }, (reply) => {
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (isKept) parts.push(chunk);
      });
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, bytes, text: Buffer.concat(parts).toString(), error: '' }),
      );
      reply.on('error', failed);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer for ${LONGEST_MS / 1000} s`)));
    sent.on('error', failed);
    sent.end(body);
  });

export const get = (path: string, headers: Readonly<Record<string, string>> = {}): Call => ({
  method: 'GET',
  path,
  headers,
});

export const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Call => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/**
 * Sends a call and returns its JSON response.
 * @throws Error with the status and the beginning of the body when the status is not 200.
 */
export const ask = async <T>(base: string, { method, path, headers, body }: Call): Promise<T> => {
  const reply = await fetch(base + path, { method, headers, body });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${method} ${path} answers ${reply.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
};
