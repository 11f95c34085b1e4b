/**
 * One service shared by all suites that only read or that create their own keys and rows, because a start for each suite
 * would take longer than its tests. It trusts this machine as a proxy, so that a suite can use its own client addresses.
 */
import { bootstrapAdmin, type IssuedKey } from './client.ts';
import { atEnd, type ServiceOptions, startService, type TestService } from './service.ts';

export interface SharedService extends TestService {
  readonly admin: IssuedKey;
  /** The log lines so far; a suite that checks them clears them first. */
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

/** Returns the shared service, which starts on the first call and ends after the last suite; suites must not stop it. */
export const sharedService = (): Promise<SharedService> => {
  shared ??= start();
  return shared;
};

/** Starts another server in this process on the data of a running one, with its own settings. */
export const startBeside = ({ dataDir, environment }: TestService, options: ServiceOptions): Promise<TestService> =>
  startService(options, { dataDir, databaseUrl: environment.DATABASE_URL ?? '' });
