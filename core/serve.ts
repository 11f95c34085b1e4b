/** Listens, and ends in order: no new requests, the open ones finish, then plugins and database. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from './errors.ts';
import { createApp } from './http/app.ts';
import { createFront } from './http/front.ts';
import { privateApp } from './http/private-app.ts';
import { openPublishedSite } from './http/published-site.ts';
import { createRequestCounts } from './http/request-counts.ts';
import type { Runtime } from './runtime.ts';

export interface Serving {
  /** The address in use; PORT 0 takes a free one. */
  readonly url: string;
  close(): Promise<void>;
}

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
    // A connection that is busy now becomes idle later, and a browser would keep it open.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const last = setTimeout(() => server.closeAllConnections(), 5_000);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(last);
      resolve();
    });
    server.closeIdleConnections();
  });

/** `first`: what goes before the plugins' background work, such as the first build of the pages. */
export const serve = async (runtime: Runtime, first: Promise<unknown> = Promise.resolve()): Promise<Serving> => {
  const { config } = runtime;
  const site = await openPublishedSite(runtime);
  const counts = createRequestCounts();
  const around = { site, counts, log: runtime.log };
  const app = createApp(runtime, { site, counts }).callback();
  // A request goes through front.ts first, and what is not published through app.ts.
  const { server, endIdle } = createFront(around, app);
  await listen(server, config.integer('PORT'), config.text('HOST'), 'PORT').catch(async (error) => {
    await site.close();
    throw error;
  });
  const privatePort = config.optionalInteger('PRIVATE_PORT');
  const operators = privatePort === null ? null : createServer(privateApp(runtime, counts).callback());
  if (operators && privatePort !== null) {
    await listen(operators, privatePort, config.text('HOST'), 'PRIVATE_PORT').catch(async (error) => {
      endIdle();
      await Promise.all([shut(server), site.close()]);
      throw error;
    });
  }
  let isOpen = true;
  void first.then(() => {
    if (isOpen) for (const plugin of runtime.plugins) plugin.background?.(runtime.servicesOf(plugin));
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: async () => {
      isOpen = false;
      endIdle();
      await Promise.all([shut(server), operators && shut(operators)]);
      await site.close();
    },
  };
};
