/** Sends HTTP requests without decoding, retries or corrections. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export const rawRequest = async (
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string | Buffer } = {},
): Promise<RawReply> => {
  const sent = request(url, options);
  sent.end(body);
  const [reply] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  return { status: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) };
};

/** Sends these bytes to the server and returns everything that it sends until it closes the connection. */
export const rawExchange = async (url: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes, 'latin1');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
};
