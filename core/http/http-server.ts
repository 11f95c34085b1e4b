/**
 * Where a request goes first. The express lane answers what is published; what it leaves goes to node:http, where
 * `publishedAnswers` answers what is published, and hands the rest to the app.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createExpressLane } from './express-lane.ts';
import { isHost } from './host-header.ts';
import { publishedAnswers, type Surroundings } from './published-answers.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Longer than a proxy in front keeps its connections: it must not ask on one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;

/** How long somebody may go on sending who was answered already: to close at once would take the answer away. */
const LINGER_MS = 30_000;

const letFinish = (request: IncomingMessage, response: ServerResponse, lingerMs: number): void => {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (length === '0' && encoding === undefined) return;
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('close', () => clearTimeout(timer));
  });
};

/** A proxy and the service behind it may each take another one of several Host headers: RFC 9112 wants 400. */
const hasOneHost = ({ rawHeaders }: IncomingMessage): boolean => {
  const hosts = rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  return hosts.length <= 1 && hosts.every(isHost);
};

const BAD_HOST = 'The request has more than one Host header, or one that is no name. Send exactly one.\n';

const refuseBadHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (hasOneHost(request)) return listener(request, response);
    response.writeHead(400, { ...SECURITY_HEADERS, 'Content-Type': 'text/plain', Connection: 'close' });
    response.end(BAD_HOST);
  };

export interface HttpServer {
  /** Does not listen yet. */
  readonly server: Server;
  /** From now on each answer is the last of its connection; new connections are still taken. */
  startEnding(): void;
  /** Lets go of the connections that wait for nothing; those of node:http are the server's own to close. */
  endIdle(): void;
}

export const createHttpServer = (around: Surroundings, app: RequestListener, lingerMs = LINGER_MS): HttpServer => {
  const server = createServer(
    // A body has the time of its route: an upload hours on a slow line, any other the deadline of the app.
    { requestTimeout: 0, headersTimeout: 60_000, maxHeaderSize: 16_384, keepAliveTimeout: KEEP_ALIVE_MS },
    refuseBadHost(publishedAnswers(around, app)),
  );
  let isEnding = false;
  server.prependListener('request', (_request, response) => {
    if (isEnding) response.shouldKeepAlive = false;
  });
  server.prependListener('request', (request, response) => letFinish(request, response, lingerMs));
  const toHttp = server.listeners('connection');
  const lane = createExpressLane({
    ...around,
    keepAliveMs: KEEP_ALIVE_MS,
    isEnding: () => isEnding,
    handOver: (socket) => {
      for (const listener of toHttp) Reflect.apply(listener, server, [socket]);
    },
  });
  server.removeAllListeners('connection').on('connection', lane.take);
  const startEnding = (): void => {
    isEnding = true;
  };
  return { server, startEnding, endIdle: lane.close };
};
