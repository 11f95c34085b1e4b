/** The commands of the program; each loads its own modules and returns its exit status. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchOptions } from '#generate/watch.ts';
import { plugins } from '#plugins/index.ts';
import { allSettings, boot, projectRoot } from './boot.ts';
import { type CliIo, processIo } from './cli-io.ts';
import { type Config, environmentWith, loadConfig } from './config.ts';
import { UsageError } from './errors.ts';
import { explain } from './explain.ts';
import { API_VERSION } from './http/core-routes.ts';
import { sweepUploads } from './http/upload-folder.ts';
import { jobsCommand, startScheduler } from './jobs/scheduler.ts';
import { createLog, type Log } from './log.ts';
import type { AnyPlugin } from './plugin.ts';
import { startPublisher } from './publisher.ts';
import type { Runtime } from './runtime.ts';
import { openSiteTarget } from './storage/site-target.ts';
import { systemContext } from './system-context.ts';

type CoreCommand = (args: readonly string[], around: CliIo) => Promise<number>;

type EndSignal = 'SIGINT' | 'SIGTERM';
const SIGNALS: Readonly<Record<EndSignal, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Resolves with the first SIGINT or SIGTERM, on which the program shuts down gracefully; a second signal exits at once. */
const untilSignal = (): Promise<EndSignal> =>
  new Promise((resolve) => {
    let isFirst = true;
    for (const name of Object.keys(SIGNALS) as EndSignal[])
      process.on(name, () => {
        if (!isFirst) process.exit(SIGNALS[name]);
        isFirst = false;
        resolve(name);
      });
  });

/**
 * Waits so that load balancers can notice that /readyz fails: they poll it and send requests until then. Only SIGTERM needs this,
 * because no load balancer is involved when somebody presses Ctrl-C.
 */
const drain = (config: Config): Promise<void> => sleep(config.integer('DRAIN_SECONDS') * 1000);

/** Warms one plugin after the other. A failure is logged only, because a request builds what is missing. */
const warmPlugins = async (runtime: Runtime, signal: AbortSignal): Promise<void> => {
  for (const plugin of runtime.plugins) {
    if (signal.aborted) return;
    try {
      await plugin.warm?.(systemContext(runtime, plugin, signal));
    } catch (error) {
      if (!signal.aborted) runtime.log.warn('plugin_not_warmed', { plugin: plugin.name, error });
    }
  }
};

/**
 * Serves these plugins until a signal, then shuts down gracefully. `onBoot` lets a test change the runtime before the first
 * request.
 */
export const serveUntilSignal = async (
  served: readonly AnyPlugin[],
  onBoot: (runtime: Runtime) => void = () => undefined,
): Promise<number> => {
  const startedAt = performance.now();
  const { serve } = await import('./serve.ts');
  const runtime = await boot({ plugins: served, role: 'serve' });
  onBoot(runtime);
  await sweepUploads(runtime.config.text('DATA_DIR'));
  try {
    const begin = Promise.withResolvers<void>();
    const serving = await serve(runtime, begin.promise);
    const stopJobs = startScheduler(runtime);
    const publisher = runtime.config.text('GENERATE_PAGES') === 'auto' ? startPublisher(runtime) : null;
    const ending = new AbortController();
    void (publisher?.first ?? Promise.resolve()).then(begin.resolve);
    void begin.promise.then(() => warmPlugins(runtime, ending.signal));
    const ended = untilSignal();
    processIo.out(
      `Supplement Evidence Base is at ${serving.url} (database: ${runtime.db.kind}, started in ${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
    );
    const signal = await ended;
    ending.abort();
    serving.startEnding();
    runtime.log.info('stopping', { signal });
    await Promise.all([publisher?.stop(), stopJobs(), signal === 'SIGTERM' && drain(runtime.config)]);
    await serving.close();
    runtime.log.info('stopped');
  } finally {
    await runtime.stop();
  }
  return 0;
};

const serveCommand: CoreCommand = () => serveUntilSignal(plugins);

const configOf = ({ environment, dotEnvPath }: CliIo): Config =>
  loadConfig(allSettings(plugins), environment, dotEnvPath);

const logOf = (config: Config, { logTo }: CliIo): Log => createLog(config.text('LOG_LEVEL') as 'info', logTo);

const configCommand: CoreCommand = async (_, around) => {
  for (const { name, value, meaning, isDefault } of configOf(around).describe()) {
    around.out(`${name}=${value}${isDefault ? '  (default)' : ''}\n    ${meaning}`);
  }
  return 0;
};

const withRuntime = async (
  { environment, dotEnvPath, logTo }: CliIo,
  work: (runtime: Runtime) => Promise<number>,
): Promise<number> => {
  const runtime = await boot({ plugins, role: 'command', environment, dotEnvPath, logTo });
  try {
    return await work(runtime);
  } finally {
    await runtime.stop();
  }
};

/** Runs an import. Exit status: 0 when everything was imported, 1 when something was skipped, 2 for incorrect usage. */
const importCommand: CoreCommand = async (args, around) => {
  const { importUsage, parseImport } = await import('./import/import-command.ts');
  const { out, interrupted } = around;
  const request = await parseImport(plugins, args);
  if (!request) {
    for (const line of importUsage(plugins)) out(line);
    return 2;
  }
  const { owner, importer, paths, missing } = request;
  for (const path of missing) out(`${path}: there is no such file or folder`);
  if (!paths.length && !importer.takesOptions) return 1;
  return withRuntime(around, async (runtime) => {
    const clean = await importer.run(systemContext(runtime, owner, interrupted()), paths, out);
    return clean && !missing.length ? 0 : 1;
  });
};

/** Runs the preview until Ctrl-C. */
const watchCommand = async (config: Config, options: WatchOptions): Promise<number> => {
  const { startWatching } = await import('#generate/watch.ts');
  const watching = await startWatching(options, {
    out: processIo.out,
    settings: {
      dataDir: config.text('DATA_DIR'),
      databaseUrl: config.text('DATABASE_URL'),
      host: config.text('HOST'),
      port: config.integer('PORT'),
    },
    contentDir: join(projectRoot, 'content'),
    templatesDir: join(projectRoot, 'templates'),
    boot: (settings) => boot({ plugins, role: 'command', environment: environmentWith(settings) }),
  });
  await untilSignal();
  await watching.close();
  return 0;
};

/** Returns the dependencies of commands that need the database but no plugin. */
const quietParts = (around: CliIo) => {
  const config = configOf(around);
  return { config, log: logOf(config, around), version: API_VERSION, out: around.out };
};

const coreCommands: Readonly<Record<string, CoreCommand>> = {
  serve: serveCommand,
  generate: async (args, around) => {
    const { generateCommand } = await import('#generate/index.ts');
    const config = configOf(around);
    const log = logOf(config, around);
    return generateCommand(args, {
      out: around.out,
      siteDir: () => join(config.text('DATA_DIR'), 'site'),
      log,
      openTarget: (wanted) => openSiteTarget(config, log, wanted),
      withRuntime: (work) => withRuntime(around, work),
      workers: { plugins: import.meta.resolve('#plugins/index.ts'), environment: around.environment },
      watch: (options) => watchCommand(config, options),
    });
  },
  config: configCommand,
  'content-check': async (args, { out }) =>
    (await import('./content-check/command.ts')).contentCheckCommand(args, {
      plugins,
      contentDir: join(projectRoot, 'content'),
      out,
    }),
  migrate: (_, around) =>
    withRuntime(around, async (runtime) => {
      around.out(`The ${runtime.db.kind} database is up to date.`);
      return 0;
    }),
  doctor: async (args, { environment, dotEnvPath, out }) =>
    (await import('./doctor/doctor.ts')).doctorCommand(args, {
      plugins,
      settings: allSettings(plugins),
      out,
      environment,
      dotEnvPath,
    }),
  import: importCommand,
  backup: async (args, around) => (await import('./backup/commands.ts')).backupCommand(quietParts(around), args),
  restore: async (args, around) => (await import('./backup/commands.ts')).restoreCommand(quietParts(around), args),
  jobs: (args, around) => withRuntime(around, (runtime) => jobsCommand(runtime, args, around.out)),
};

const usage = ({ out }: CliIo): number => {
  const own = Object.keys(coreCommands);
  out(
    `usage: npm run <command>, one of ${[...own, ...plugins.flatMap(({ commands = [] }) => commands.map(({ id }) => id))].join(', ')}`,
  );
  return 2;
};

const run = async ([name = 'serve', ...args]: readonly string[], around: CliIo): Promise<number> => {
  const core = Object.hasOwn(coreCommands, name) ? coreCommands[name] : undefined;
  if (core) return core(args, around);
  const owner = plugins.find(({ commands = [] }) => commands.some(({ id }) => id === name));
  const command = owner?.commands?.find(({ id }) => id === name);
  if (!owner || !command) return usage(around);
  return withRuntime(around, (runtime) =>
    command.run(systemContext(runtime, owner, around.interrupted()), args, around.out),
  );
};

/**
 * Runs the command that the arguments name and returns its exit status. Errors are printed as messages for the operator. `serve`
 * and `generate --watch` always use this process's environment, signals and output, whatever `around` contains.
 */
export const runToEnd = async (argv: readonly string[], around: CliIo): Promise<number> => {
  try {
    return await run(argv, around);
  } catch (error) {
    around.err(`${explain(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
};
