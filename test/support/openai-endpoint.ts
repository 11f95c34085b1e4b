/** A small OpenAI-compatible server that follows the script of a test step by step and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly body: any;
  /** The value of performance.now() on arrival. */
  readonly at: number;
}

export type Step = (reply: ServerResponse, asked: Asked) => void;

export interface OpenaiEndpoint {
  /** The base URL, including `/v1`. */
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Returns the number of connections that the caller closed before the response. */
  readonly abandoned: () => number;
  /** Sets the steps: each request uses the next one, and the last one repeats. Clears the recorded requests. */
  script(...steps: readonly Step[]): void;
  close(): Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8') || 'null');
};

export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Step => {
  return (reply) => {
    reply.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    reply.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};

export const refusal = (status: number, message: string): Step => json({ error: { message } }, status);

/** Sends a chat completion with the given number of tokens. */
export const says = (content: string, more: object = {}, tokens = 10): Step =>
  json({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
    usage: { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens },
  });

export const hangs: Step = () => undefined;

export const hangsUp: Step = (reply) => void reply.destroy();

const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\r\n\r\n`;

/** Streams the pieces of a reply and ends it properly, by closing early, by going silent, or with the given event. */
export const streams = (pieces: readonly string[], ending: 'done' | 'cut' | 'silence' | object = 'done'): Step => {
  return (reply) => {
    reply.writeHead(200, { 'Content-Type': 'text/event-stream' });
    reply.write(': a comment\n\n');
    for (const content of pieces) reply.write(event({ choices: [{ delta: { content }, finish_reason: null }] }));
    if (ending === 'silence') return;
    if (ending === 'cut') return void reply.end();
    if (ending === 'done') {
      reply.write(event({ choices: [{ delta: {}, finish_reason: 'stop' }] }));
      reply.write(event({ choices: [], usage: { total_tokens: 12 } }));
    } else reply.write(event(ending));
    reply.end(event('[DONE]'));
  };
};

export const startEndpoint = async (): Promise<OpenaiEndpoint> => {
  let steps: readonly Step[] = [];
  const asked: Asked[] = [];
  let abandoned = 0;
  const server = createServer(async (request, reply) => {
    const body = await readBody(request);
    const { url = '', headers } = request;
    const one = { path: url, authorization: headers.authorization, body, at: performance.now() };
    asked.push(one);
    reply.on('close', () => {
      if (!reply.writableFinished) abandoned += 1;
    });
    const step = steps[Math.min(asked.length, steps.length) - 1];
    if (step) step(reply, one);
    else reply.writeHead(501).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    abandoned: () => abandoned,
    script: (...next) => {
      steps = next;
      asked.length = 0;
      abandoned = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
