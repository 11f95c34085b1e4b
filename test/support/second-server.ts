/** Starts another server process on the data of a running test service. */
import { join } from 'node:path';
import { type Running, startScript } from './program.ts';

export interface SecondServer {
  readonly url: string;
  readonly process: Running;
  /** Stops the server as an operator would, and waits for its exit. */
  stop(): Promise<void>;
}

export const startSecondServer = async (environment: Readonly<Record<string, string>>): Promise<SecondServer> => {
  const process = startScript(join(import.meta.dirname, 'serve-only.ts'), [], environment);
  const [, url = ''] = await process.waitFor(/listening at (\S+)/);
  return {
    url,
    process,
    stop: async () => {
      process.child.kill('SIGTERM');
      await process.finished;
    },
  };
};
