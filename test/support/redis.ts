/**
 * Redis for tests: TEST_REDIS_URL names a server; without it, tests that need Redis are skipped. A proxy between the
 * server and the service can close connections, as if the server were killed, or stall them, as if it hung.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';

const given = process.env.TEST_REDIS_URL ?? '';

/** Returns the URL of Redis, or skips the suite; call it in `before`. */
export const needRedis = (suite: Mocha.Context): string => {
  if (given) return given;
  console.log('      TEST_REDIS_URL is not set: without Redis');
  suite.skip();
};

export interface RedisGate {
  /** The URL of the proxy, for the setting REDIS_URL. */
  readonly url: string;
  /** Closes every connection and refuses new ones. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Accepts connections but forwards nothing until `open` is called. */
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

/** Creates a client that connects to the server directly, without the proxy. */
export const lookIntoRedis = (): Redis => new Redis(given);
