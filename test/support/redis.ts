/**
 * Redis for tests: TEST_REDIS_URL names a server; without it the tests that need one are passed over. Between it and the
 * service stands a gate that a test can close, as if the server were killed, or hold, as if it hung.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';

const given = process.env.TEST_REDIS_URL ?? '';

/** For `before` of a suite that needs Redis. */
export const needRedis = (suite: Mocha.Context): string => {
  if (given) return given;
  console.log('      TEST_REDIS_URL is not set: without Redis');
  suite.skip();
};

export interface RedisGate {
  /** For REDIS_URL. */
  readonly url: string;
  /** Cuts every connection, and takes no new one. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Takes connections and passes nothing on, until `open`. */
  hold(): void;
}

export const redisGate = async (): Promise<RedisGate> => {
  const target = new URL(given);
  const sockets = new Set<Socket>();
  let isHeld = false;
  let server: Server | null = null;
  let port = 0;
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (!isHeld) to.write(bytes);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const gate: RedisGate = {
    get url() {
      return `redis://127.0.0.1:${port}${target.pathname}`;
    },
    open: async () => {
      isHeld = false;
      if (server) {
        for (const socket of sockets) socket.destroy();
        return;
      }
      server = createServer((client) => {
        const redis = connect(Number(target.port || 6379), target.hostname);
        pass(client, redis);
        pass(redis, client);
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
    },
    close: async () => {
      const closing = server;
      server = null;
      if (!closing) return;
      const closed = once(closing, 'close');
      closing.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    hold: () => {
      isHeld = true;
    },
  };
  await gate.open();
  return gate;
};

/** A client that looks into the server, past the gate. */
export const lookIntoRedis = (): Redis => new Redis(given);
