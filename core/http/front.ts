/**
 * Where a request goes first. The express lane answers what is published; what it leaves goes to node:http, where
 * `publishedAnswers` answers what is published, and hands the rest to the app.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createExpressLane } from './express-lane.ts';
import { publishedAnswers, type Surroundings } from './published-answers.ts';

/** Longer than a proxy in front keeps its connections: it must not ask on one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;

export interface Front {
  /** Does not listen yet. */
  readonly server: Server;
  /** Lets go of the connections that wait for nothing; those of node:http are the server's own to close. */
  endIdle(): void;
}

export const createFront = (around: Surroundings, app: RequestListener): Front => {
  const server = createServer(
    { requestTimeout: 60_000, maxHeaderSize: 16_384, keepAliveTimeout: KEEP_ALIVE_MS },
    publishedAnswers(around, app),
  );
  const toHttp = server.listeners('connection');
  const lane = createExpressLane({
    ...around,
    keepAliveMs: KEEP_ALIVE_MS,
    handOver: (socket) => {
      for (const listener of toHttp) Reflect.apply(listener, server, [socket]);
    },
  });
  server.removeAllListeners('connection').on('connection', lane.take);
  return { server, endIdle: lane.close };
};
