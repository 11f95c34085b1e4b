/** Listens, and ends in order: no new requests, the open ones finish, then plugins and database. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from './errors.ts';
import { createApp } from './http/app.ts';
import { privateApp } from './http/private-app.ts';
import type { Runtime } from './runtime.ts';

export interface Serving {
  /** The address in use; PORT 0 takes a free one. */
  readonly url: string;
  close(): Promise<void>;
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new OperatorError(`Port ${port} on ${host} is in use: stop what uses it, or set PORT.`));
      else if (error.code === 'EACCES')
        reject(new OperatorError(`Port ${port} may not be used by this user: set PORT to 1024 or more.`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new OperatorError(`HOST ${host} is not an address of this machine.`));
      else reject(error);
    });
    server.listen(port, host, () => resolve());
  });

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 5_000).unref();
  });

export const serve = async (runtime: Runtime): Promise<Serving> => {
  const { config } = runtime;
  const server = createServer({ requestTimeout: 60_000, maxHeaderSize: 16_384 }, createApp(runtime).callback());
  await listen(server, config.integer('PORT'), config.text('HOST'));
  const privatePort = config.optionalInteger('PRIVATE_PORT');
  const operators = privatePort === null ? null : createServer(privateApp(runtime).callback());
  if (operators && privatePort !== null) await listen(operators, privatePort, config.text('HOST'));
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: async () => {
      await Promise.all([shut(server), operators && shut(operators)]);
    },
  };
};
