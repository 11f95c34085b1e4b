/**
 * Runs the HTTP servers and shuts them down gracefully: first readiness fails, then new requests are refused, open requests
 * finish, streams end with a final message, and at last plugins and database stop.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from './errors.ts';
import { createApp } from './http/app.ts';
import { createHttpServer } from './http/http-server.ts';
import { createOverloadGuard } from './http/overload.ts';
import { privateApp } from './http/private-app.ts';
import { openPublishedSite } from './http/published-site.ts';
import { createRequestCounts } from './http/request-counts.ts';
import { watchEventLoop } from './metrics/event-loop.ts';
import { processFigures } from './metrics/process-figures.ts';
import type { Runtime } from './runtime.ts';

export interface Serving {
  /** The address in use; PORT 0 selects a free port. */
  readonly url: string;
  /**
   * Makes /readyz fail, and closes each connection after its next response; requests are still served. It must be called some
   * time before `close`, so that a load balancer can notice.
   */
  startEnding(): void;
  close(): Promise<void>;
}

/**
 * Maximum time for open requests, in milliseconds; the few handlers that take longer are aborted and must be retried by the
 * client.
 */
const LAST_ANSWERS_MS = 25_000;

const listen = (server: Server, port: number, host: string, setting: 'PORT' | 'PRIVATE_PORT'): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new OperatorError(`Port ${port} on ${host} is in use: stop what uses it, or set ${setting}.`));
      else if (error.code === 'EACCES')
        reject(new OperatorError(`Port ${port} may not be used by this user: set ${setting} to 1024 or more.`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new OperatorError(`HOST ${host} is not an address of this machine.`));
      else reject(error);
    });
    server.listen(port, host, () => resolve());
  });

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    // A busy connection becomes idle later, and a browser would keep it open.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const last = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(last);
      resolve();
    });
    server.closeIdleConnections();
  });

const endStreams = (runtime: Runtime): Promise<unknown> =>
  Promise.all(
    runtime.plugins.map((plugin) =>
      plugin.endStreams?.(runtime.servicesOf(plugin)).catch((error) => {
        runtime.log.warn('streams_not_ended', { plugin: plugin.name, error });
      }),
    ),
  );

/** Starts the servers. `first` must settle before the plugins' background work begins, such as the first build of the pages. */
export const serve = async (runtime: Runtime, first: Promise<unknown> = Promise.resolve()): Promise<Serving> => {
  const { config } = runtime;
  const site = await openPublishedSite(runtime);
  const [counts, loop] = [createRequestCounts(), watchEventLoop()];
  const figures = processFigures(runtime.startedAt, loop);
  const letGo = async (): Promise<void> => {
    loop.stop();
    figures.stop();
    await site.close();
  };
  const overload = createOverloadGuard(config, { counts, loop });
  const app = createApp(runtime, { site, counts, overload }).callback();
  // A request is handled by http-server.ts first, and passed to app.ts when its address is not published.
  const front = createHttpServer({ site, counts, log: runtime.log }, app);
  const { server } = front;
  await listen(server, config.integer('PORT'), config.text('HOST'), 'PORT').catch(async (error) => {
    await letGo();
    throw error;
  });
  let state: 'open' | 'ending' = 'open';
  const privatePort = config.optionalInteger('PRIVATE_PORT');
  const forOperators = () =>
    privateApp(runtime, { counts, process: figures, site }, { isEnding: () => state === 'ending' });
  const operators = privatePort === null ? null : createServer(forOperators().callback());
  if (operators && privatePort !== null) {
    await listen(operators, privatePort, config.text('HOST'), 'PRIVATE_PORT').catch(async (error) => {
      front.endIdle();
      await Promise.all([shut(server), letGo()]);
      throw error;
    });
  }
  void first.then(() => {
    if (state === 'open') for (const plugin of runtime.plugins) plugin.background?.(runtime.servicesOf(plugin));
  });
  const startEnding = (): void => {
    state = 'ending';
    front.startEnding();
  };
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    startEnding,
    close: async () => {
      startEnding();
      const closed = shut(server);
      front.endIdle();
      await Promise.all([closed, endStreams(runtime)]);
      // Until the end, operators see that the server is stopping instead of a refused connection.
      if (operators) await shut(operators);
      await letGo();
    },
  };
};
