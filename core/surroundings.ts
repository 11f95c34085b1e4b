/** What is around a command that is run: its settings, where its words go, and who interrupts it. */
import { OperatorError } from './errors.ts';

export interface Surroundings {
  /** Instead of the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Instead of the .env file where this process runs; null: none is read. */
  readonly dotEnvPath?: string | null | undefined;
  out(line: string): unknown;
  /** What did not work, in whole lines. */
  err(text: string): unknown;
  /** Where the lines of the log go; stderr when it is not given. */
  readonly logTo?: ((line: string) => unknown) | undefined;
  /** Asked once by a command that can be interrupted. */
  interrupted(): AbortSignal;
}

export const ofThisProcess: Surroundings = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (text) => process.stderr.write(text),
  interrupted: () => {
    const aborter = new AbortController();
    process.once('SIGINT', () => aborter.abort(new OperatorError('Interrupted.')));
    return aborter.signal;
  },
};
