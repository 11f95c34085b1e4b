/**
 * The HTTP server of the preview: it serves its own few files and an event stream of changes, and passes other requests to the
 * app.
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '#core/errors.ts';
import { barePage, EVENTS, PREVIEW_FILES } from './preview-frame.ts';

/** Maximum number of ports to try when no port is specified. */
const ATTEMPTS = 20;

export interface PreviewServer {
  readonly url: string;
  /** Sets the app that serves pages from now on. */
  use(app: RequestListener): void;
  /** Notifies open pages, which reload when they show another state. */
  tell(state: string): void;
  close(): Promise<void>;
}

interface Options {
  readonly host: string;
  /** The first port to try. */
  readonly port: number;
  /** Whether only this port may be used. */
  readonly isExact: boolean;
  /** Returns the current problem, which is shown until an app serves pages. */
  problem(): string | null;
  state(): string;
}

export const startPreviewServer = async (options: Options): Promise<PreviewServer> => {
  const streams = new Set<ServerResponse>();
  let app: RequestListener = (_, response) => {
    const words = options.problem();
    const banner = words === null ? null : { words, beneath: 'Mend it, and the preview starts.' };
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(barePage('The preview is starting', options.state(), banner));
  };
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(messageOf(options.state()));
    streams.add(response);
    request.on('close', () => streams.delete(response));
  };
  const server = createServer((request, response) => {
    const file = PREVIEW_FILES.get(request.url ?? '');
    if (file) response.writeHead(200, { 'Content-Type': file.type, 'Cache-Control': 'no-store' }).end(file.text);
    else if (request.url === EVENTS) listen(request, response);
    else app(request, response);
  });
  await listenOnFree(server, options);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    use: (next) => {
      app = next;
    },
    tell: (state) => {
      for (const stream of streams) stream.write(messageOf(state));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const messageOf = (state: string): string => `event: state\ndata: ${state}\n\n`;

const listenOnFree = async (server: ReturnType<typeof createServer>, options: Options): Promise<void> => {
  const { host, port, isExact } = options;
  for (let at = 0; ; at += 1) {
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once('error', resolve);
      server.listen(port ? port + at : 0, host, () => {
        server.off('error', resolve);
        resolve(null);
      });
    });
    if (!error) return;
    if (error.code !== 'EADDRINUSE' || isExact || at >= ATTEMPTS)
      throw new OperatorError(
        `Port ${port + at} on ${host} cannot be used for the preview (${error.code}): give another with --port.`,
      );
  }
};
