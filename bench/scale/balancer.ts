/**
 * A minimal load balancer with the rules of deploy/Caddyfile: requests rotate among the nodes that report readiness on /readyz,
 * which is polled every half second. A request that a node refuses, because nothing listens there, goes to the next one. A
 * request that was sent to a node is never sent again, whatever its outcome, because nobody can know whether it was processed.
 * Responses are read completely before they are forwarded, so that lost ones can be identified.
 * Unlike Caddy, it keeps a node that is merely slow to report readiness: on a busy machine both nodes would be removed.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOK_MS = 500;
const LOOK_PATIENCE_MS = 2_000;
/** Time for which a request that no node accepts is retried, in milliseconds. */
const TRY_MS = 3_000;

export interface Node {
  readonly name: string;
  readonly url: string;
  readonly privateUrl: string;
}

/** A request that was sent to a node and got no response. */
export interface Lost {
  readonly node: string;
  readonly path: string;
  /** Times from performance.now(). */
  readonly sentAt: number;
  readonly lostAt: number;
  readonly code: string;
}

export interface Balancer {
  readonly url: string;
  readonly lost: readonly Lost[];
  /** Returns the number of requests that were sent to a node and are not answered yet. */
  underWay(name: string): number;
  /** Returns the times of a node's responses, from performance.now(). */
  answersOf(name: string): readonly number[];
  isReady(name: string): boolean;
  /** Adds a node, or updates the address of a known one. */
  put(node: Node): void;
  stop(): Promise<void>;
}

interface Held {
  node: Node;
  isReady: boolean;
  underWay: number;
  readonly answers: number[];
}

interface Whole {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Returns whether the connection was refused, so that nothing was sent. */
const wasRefused = (error: NodeJS.ErrnoException): boolean => error.code === 'ECONNREFUSED';

/** Headers of a single connection, which are never forwarded. */
const OWN_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)));

const wholeOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** Polls readiness; returns null when the node does not respond in time. */
const looksReady = (privateUrl: string): Promise<boolean | null> =>
  fetch(`${privateUrl}/readyz`, { signal: AbortSignal.timeout(LOOK_PATIENCE_MS) }).then(
    ({ ok }) => ok,
    (error: Error) => (error.name === 'TimeoutError' ? null : false),
  );

export const startBalancer = async (): Promise<Balancer> => {
  const held = new Map<string, Held>();
  const lost: Lost[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1_024 });
  let turn = 0;

  const look = async (each: Held): Promise<void> => {
    const { node } = each;
    const isReady = await looksReady(node.privateUrl);
    if (each.node === node && isReady !== null) each.isReady = isReady;
  };
  const timer = setInterval(() => {
    for (const each of held.values()) void look(each);
  }, LOOK_MS);

  const forward = (to: Held, asked: IncomingMessage, body: Buffer): Promise<Whole> =>
    new Promise((resolve, reject) => {
      const headers = { ...passedOn(asked.headers), 'x-forwarded-for': asked.socket.remoteAddress ?? '' };
      const sent = request(to.node.url + asked.url, { method: asked.method, headers, agent }, (reply) => {
        wholeOf(reply).then(
          (whole) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: whole }),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });

  /**
   * Forwards a request to one node; returns null when the node refused it.
   * @throws Error with the outcome of a request that was sent.
   */
  const tryOne = async (to: Held, asked: IncomingMessage, body: Buffer): Promise<Whole | null> => {
    const { node } = to;
    const sentAt = performance.now();
    to.underWay += 1;
    try {
      const whole = await forward(to, asked, body);
      to.answers.push(performance.now());
      return whole;
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      if (to.node === node) to.isReady = false;
      if (wasRefused(error as Error)) return null;
      lost.push({ node: node.name, path: asked.url ?? '', sentAt, lostAt: performance.now(), code });
      throw error;
    } finally {
      to.underWay -= 1;
    }
  };

  const next = (): Held | undefined => {
    const ready = [...held.values()].filter(({ isReady }) => isReady);
    turn += 1;
    return ready[turn % ready.length];
  };

  const answer = async (asked: IncomingMessage, body: Buffer): Promise<Whole> => {
    const until = performance.now() + TRY_MS;
    while (performance.now() < until) {
      const to = next();
      const whole = to && (await tryOne(to, asked, body));
      if (whole) return whole;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { status: 503, headers: { 'x-balancer': 'no node' }, body: Buffer.from('no node\n') };
  };

  const serve = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = await wholeOf(asked);
    const {
      status,
      headers,
      body: whole,
    } = await answer(asked, body).catch(() => ({
      status: 502,
      headers: { 'x-balancer': 'lost' },
      body: Buffer.from('lost\n'),
    }));
    reply.writeHead(status, { ...passedOn(headers), 'content-length': String(whole.length) }).end(whole);
  };

  const server = createServer((asked, reply) => void serve(asked, reply).catch(() => reply.destroy()));
  // Longer than a client may be idle, so that it never sends a request on a connection that is being closed.
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    underWay: (name) => held.get(name)?.underWay ?? 0,
    answersOf: (name) => held.get(name)?.answers ?? [],
    isReady: (name) => held.get(name)?.isReady === true,
    put: (node) => {
      const known = held.get(node.name);
      if (known) Object.assign(known, { node, isReady: false });
      else held.set(node.name, { node, isReady: false, underWay: 0, answers: [] });
    },
    stop: async () => {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
