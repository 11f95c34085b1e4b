/** The commands of the program; each answers its exit status. */

import { generateCommand } from '#generate/index.ts';
import { plugins } from '#plugins/index.ts';
import { allSettings, boot } from './boot.ts';
import { loadConfig } from './config.ts';
import { OperatorError } from './errors.ts';
import { jobsCommand, startScheduler } from './jobs/scheduler.ts';
import type { Runtime } from './runtime.ts';
import { serve } from './serve.ts';
import { systemContext } from './system-context.ts';

const out = (line: string): boolean => process.stdout.write(`${line}\n`);

type CoreCommand = (args: readonly string[]) => Promise<number>;

/** Ends on the first Ctrl-C or SIGTERM in order, on the second at once. */
const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const onSignal = (): void => {
      process.once('SIGINT', () => process.exit(130));
      resolve();
    };
    process.once('SIGINT', onSignal);
    process.once('SIGTERM', onSignal);
  });

const serveCommand: CoreCommand = async () => {
  const startedAt = performance.now();
  const runtime = await boot({ plugins, role: 'serve' });
  try {
    await generateCommand(runtime, [], () => undefined);
    const serving = await serve(runtime);
    const stopJobs = startScheduler(runtime);
    out(
      `Supplement Evidence Base is at ${serving.url} (database: ${runtime.db.kind}, started in ${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
    );
    await untilSignal();
    await stopJobs();
    await serving.close();
  } finally {
    await runtime.stop();
  }
  return 0;
};

const configCommand: CoreCommand = async () => {
  for (const { name, value, meaning, isDefault } of loadConfig(allSettings(plugins)).describe()) {
    out(`${name}=${value}${isDefault ? '  (default)' : ''}\n    ${meaning}`);
  }
  return 0;
};

const withRuntime = async (work: (runtime: Runtime) => Promise<number>): Promise<number> => {
  const runtime = await boot({ plugins, role: 'command' });
  try {
    return await work(runtime);
  } finally {
    await runtime.stop();
  }
};

const coreCommands: Readonly<Record<string, CoreCommand>> = {
  serve: serveCommand,
  generate: (args) => withRuntime((runtime) => generateCommand(runtime, args, out)),
  config: configCommand,
  migrate: () =>
    withRuntime(async (runtime) => {
      out(`The ${runtime.db.kind} database is up to date.`);
      return 0;
    }),
  jobs: (args) => withRuntime((runtime) => jobsCommand(runtime, args, out)),
};

const usage = (): number => {
  const own = Object.keys(coreCommands);
  out(
    `usage: npm run <command>, one of ${[...own, ...plugins.flatMap(({ commands = [] }) => commands.map(({ id }) => id))].join(', ')}`,
  );
  return 2;
};

export const run = async ([name = 'serve', ...args]: readonly string[]): Promise<number> => {
  const core = Object.hasOwn(coreCommands, name) ? coreCommands[name] : undefined;
  if (core) return core(args);
  const owner = plugins.find(({ commands = [] }) => commands.some(({ id }) => id === name));
  const command = owner?.commands?.find(({ id }) => id === name);
  if (!owner || !command) return usage();
  return withRuntime((runtime) => {
    const aborter = new AbortController();
    process.once('SIGINT', () => aborter.abort(new OperatorError('Interrupted.')));
    return command.run(systemContext(runtime, owner, aborter.signal), args, out);
  });
};
