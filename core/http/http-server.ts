/**
 * Creates the HTTP server. The express lane answers requests for published pages; other connections are passed to node:http,
 * where `publishedAnswers` answers requests for published pages and passes the rest to the application.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createConcurrencyLimit } from '../concurrency-limit.ts';
import { createExpressLane } from './express-lane.ts';
import { isHost } from './host-header.ts';
import { publishedAnswers, type Surroundings } from './published-answers.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Longer than the keep-alive timeout of a proxy, so that it sends no request on a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;

/** Time for a client to finish a body after its response, in milliseconds; closing at once would discard the response. */
const LINGER_MS = 30_000;

/** Number of connections whose remaining body is read and discarded at the same time. */
const DRAINS_AT_ONCE = 8;

/**
 * Returns a listener that lets a client finish its body after the response. Node starts to read all unread bodies at once;
 * hundreds of refused bodies would then fill an iteration of the event loop, so they are read a few at a time.
 */
const createDraining = (lingerMs: number) => {
  const acquire = createConcurrencyLimit({
    atOnce: DRAINS_AT_ONCE,
    waiting: Number.POSITIVE_INFINITY,
    refuse: () => new Error('unreachable: the number of waiting connections has no limit'),
  });
  const drain = async (request: IncomingMessage): Promise<void> => {
    const closed = new AbortController();
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('close', () => {
      clearTimeout(timer);
      closed.abort();
    });
    request.pause();
    const release = await acquire(closed.signal).catch(() => null);
    if (!release) return;
    if (request.closed) release();
    else request.once('close', release).resume();
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length === '0' && encoding === undefined) return;
    response.once('finish', () => {
      if (!request.complete) void drain(request);
    });
  };
};

/** Returns whether Host is valid and unique, because a proxy and a server may use different ones: RFC 9112 requires 400. */
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
  /** The server, which does not listen yet. */
  readonly server: Server;
  /** Makes each following response the last of its connection; new connections are still accepted. */
  startEnding(): void;
  /** Closes idle connections of the express lane; the server itself closes those of node:http. */
  endIdle(): void;
}

export const createHttpServer = (around: Surroundings, app: RequestListener, lingerMs = LINGER_MS): HttpServer => {
  const server = createServer(
    // The route sets the time limit of a body: hours for an upload over a slow line, the default deadline otherwise.
    { requestTimeout: 0, headersTimeout: 60_000, maxHeaderSize: 16_384, keepAliveTimeout: KEEP_ALIVE_MS },
    refuseBadHost(publishedAnswers(around, app)),
  );
  let isEnding = false;
  server.prependListener('request', (_request, response) => {
    if (isEnding) response.shouldKeepAlive = false;
  });
  server.prependListener('request', createDraining(lingerMs));
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
