/**
 * Serves one published page through the express lane and writes each response to the given kind of log: none, ours, or pino's.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createHttpServer } from '#core/http/http-server.ts';
import { createPublishedSite } from '#core/http/published-site.ts';
import { createRequestCounts } from '#core/http/request-counts.ts';
import { createLog, type Log, type RequestLine } from '#core/log.ts';
import { openSite } from '#core/site/site-reader.ts';

/** The part of pino's interface that is used here; pino is installed in bench/sites. */
interface Pino {
  (options: object, destination: object): { info(fields: object): void; warn(fields: object): void };
  destination(options: object): object;
}

/**
 * Configures pino as the service would: our clock, no host name, its own asynchronous batches; `redact` lists the fields to
 * redact.
 */
const pinoLog = (redact?: readonly string[]): Log => {
  const require = createRequire(join(import.meta.dirname, '../sites/package.json'));
  const pino = require('pino') as Pino;
  const clock = { at: 0, text: '' };
  const time = (): string => {
    const now = Date.now();
    if (now !== clock.at) Object.assign(clock, { at: now, text: `,"time":"${new Date(now).toISOString()}"` });
    return clock.text;
  };
  const options = {
    base: undefined,
    timestamp: time,
    ...(redact && { redact }),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, pino.destination({ fd: 2, sync: false, minLength: 4_096 }));
  const request = ({ id, method, route, status, milliseconds }: RequestLine): void =>
    logger.info({
      event: 'request',
      request_id: id,
      method,
      route,
      status,
      ms: Math.round(milliseconds * 10) / 10,
    });
  const warn = (event: string, fields = {}): void => logger.warn({ event, ...fields });
  return { request, info: (event, fields = {}) => logger.info({ event, ...fields }), warn, error: warn };
};

export const logs: Readonly<Record<string, () => Log>> = {
  none: () => createLog('warn'),
  ours: () => createLog('info'),
  pino: () => pinoLog(),
  'pino, redacting': () => pinoLog(['authorization', 'cookie', '*.authorization', '*.cookie']),
};

const [kind = '', siteDir = ''] = process.argv.slice(2);
const log = logs[kind]?.();
if (log && siteDir) {
  const site = createPublishedSite(await openSite(siteDir), { plugins: [], log });
  const { server } = createHttpServer({ site, counts: createRequestCounts(), log }, (_request, response) =>
    response.end(),
  );
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    process.stdout.write(`http://127.0.0.1:${port}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
}
