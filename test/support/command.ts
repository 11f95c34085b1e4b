/**
 * Runs a command in the process of the test: what it says, answers and does is the program's own, without the seconds
 * that a start of the program takes. For what is about a process (signals, kills, pipes, the .env file, two at once on a
 * database that nobody runs) there is `runProgram`, and each family of commands has a test that uses it.
 */
import { runToEnd } from '../../core/cli.ts';
import type { Finished } from './program.ts';

/** With only the given settings, as `runProgram`. */
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
