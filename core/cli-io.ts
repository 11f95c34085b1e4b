/** The environment of a command: its settings, its output streams and its interruption. */
import { OperatorError } from './errors.ts';

export interface CliIo {
  /** Replaces the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Replaces the .env file in the working directory; null reads none. */
  readonly dotEnvPath?: string | null | undefined;
  out(line: string): unknown;
  /** Writes error messages, in whole lines. */
  err(text: string): unknown;
  /** Receives the lines of the log; stderr by default. */
  readonly logTo?: ((line: string) => unknown) | undefined;
  /** Returns a signal that aborts at Ctrl-C; called once by a command that can be interrupted. */
  interrupted(): AbortSignal;
}

export const processIo: CliIo = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (text) => process.stderr.write(text),
  interrupted: () => {
    const aborter = new AbortController();
    process.once('SIGINT', () => aborter.abort(new OperatorError('Interrupted.')));
    return aborter.signal;
  },
};
