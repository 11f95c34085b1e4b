/**
 * Runs a command in the test process, with the same output, status and effects as the program but without its start-up
 * time. Tests of process behaviour (signals, kills, pipes, the .env file, two processes on one database) use `runProgram`,
 * and each family of commands has a test that uses it.
 */
import { runToEnd } from '../../core/cli.ts';
import type { Finished } from './program.ts';

/** Runs a command with only the given settings, like `runProgram`. */
export const runCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Finished> => {
  if (!args[0] || args[0] === 'serve' || args.includes('--watch'))
    throw new Error('What runs until a signal comes needs a process of its own: see startProgram.');
  let [stdout, stderr] = ['', ''];
  const err = (text: string): void => {
    stderr += text;
  };
  const status = await runToEnd(args, {
    environment,
    dotEnvPath: null,
    out: (line) => {
      stdout += `${line}\n`;
    },
    err,
    logTo: err,
    interrupted: () => new AbortController().signal,
  });
  return { status, signal: null, stdout, stderr };
};
