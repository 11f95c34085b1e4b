/**
 * One service for all suites that only read, or that make keys and rows of their own: a start for each would take longer
 * than their tests. It trusts this machine as a proxy, so that a suite can call from addresses of its own.
 */
import { bootstrapAdmin, type IssuedKey } from './client.ts';
import { atEnd, type ServiceOptions, startService, type TestService } from './service.ts';

export interface SharedService extends TestService {
  readonly admin: IssuedKey;
  /** The log so far; a suite that looks at it empties it first. */
  readonly lines: string[];
}

const start = async (): Promise<SharedService> => {
  const lines: string[] = [];
  const service = await startService({
    settings: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8', ANON_RPM: '100000', ANON_DAILY: '100000' },
    onLog: (line) => lines.push(line),
  });
  atEnd.push(() => service.stop());
  return { ...service, lines, admin: await bootstrapAdmin(service) };
};

let shared: Promise<SharedService> | null = null;

/** Starts with the first suite that asks, and ends with the last suite: nobody stops it. */
export const sharedService = (): Promise<SharedService> => {
  shared ??= start();
  return shared;
};

/** Another server of this process on the data of a running one, with settings of its own. */
export const startBeside = ({ dataDir, environment }: TestService, options: ServiceOptions): Promise<TestService> =>
  startService(options, { dataDir, databaseUrl: environment.DATABASE_URL ?? '' });
