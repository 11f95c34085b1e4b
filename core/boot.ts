/**
 * Boots the program: configuration, plugin registry, database, then services. This is the only module that wires the parts
 * together.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, coreSettings, loadConfig } from './config.ts';
import { syncContent } from './content-sync.ts';
import { type OpenCounters, openCounters } from './counters/counters.ts';
import { FOLDER_MODE, openDataFolder } from './data-folder.ts';
import { datasetsOf } from './datasets.ts';
import { type OpenDatabase, openDatabase } from './db/database.ts';
import { refreshStatistics } from './db/statistics.ts';
import { apiOf } from './http/api.ts';
import { nextRun } from './jobs/schedule.ts';
import { createLog, type Log } from './log.ts';
import { type OpenModels, openModels } from './models/open-models.ts';
import type { AnyPlugin, Context, Host } from './plugin.ts';
import { orderPlugins } from './registry.ts';
import { createPageRenderer } from './render/page-renderer.ts';
import type { Runtime } from './runtime.ts';
import type { SearchFactory } from './search/factory.ts';
import { inProcessSearch } from './search/in-process-factory.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { type ObjectStore, openObjectStore } from './storage/object-store.ts';
import { systemContext } from './system-context.ts';

export interface BootOptions {
  readonly plugins: readonly AnyPlugin[];
  readonly role: 'serve' | 'command';
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Path of the .env file; null reads none. */
  readonly dotEnvPath?: string | null | undefined;
  readonly contentDir?: string;
  readonly log?: Log;
  /** Receives the log lines at the level of the settings; they go to stderr when neither this nor a log is given. */
  readonly logTo?: ((line: string) => unknown) | undefined;
  /** Another thread of this process has already synchronized the content and prepared the plugins. */
  readonly isPrepared?: boolean;
}

/** Returns the settings of core and of every plugin, in the order of content/docs/settings.md. */
export const allSettings = (plugins: readonly AnyPlugin[]) => [
  ...coreSettings,
  ...plugins.flatMap((plugin) => plugin.settings ?? []),
];

/** The root folder of the repository, which contains templates/ and content/. */
export const projectRoot = resolve(import.meta.dirname, '..');

/**
 * Starts everything except listening. When a plugin fails, the boot is aborted and the started plugins are stopped.
 * @throws OperatorError with one sentence for the operator.
 */
export const boot = async (options: BootOptions): Promise<Runtime> => {
  const plugins = orderPlugins(options.plugins);
  const config = loadConfig(allSettings(plugins), options.environment, options.dotEnvPath);
  const log = options.log ?? createLog(config.text('LOG_LEVEL') as 'info', options.logTo);
  if (!options.isPrepared) openDataFolder(config.text('DATA_DIR'), config.flag('DATA_DIR_SHARED'));
  const secrets = await loadSecrets(config);
  const objects = openObjectStore(config, log);
  const models = await openModels(config, log);
  const db = await openDatabase(
    config,
    plugins.flatMap((plugin) => plugin.entities ?? []),
    log,
  );
  const counters = await openCounters(config, db, log, options.role === 'serve' && !options.isPrepared).catch(
    async (error) => {
      await db.close();
      throw error;
    },
  );
  const services = new Map<AnyPlugin, unknown>();
  const stop = async (): Promise<void> => {
    for (const plugin of [...plugins].reverse()) if (services.has(plugin)) await plugin.stop?.(services.get(plugin));
    await models.close();
    await counters.close();
    await db.close();
  };
  try {
    const contentDir = options.contentDir ?? join(projectRoot, 'content');
    const search = await searchFor(config, log, models);
    const wiring: Wiring = {
      plugins,
      config,
      log,
      db,
      search,
      models,
      counters,
      secrets,
      services,
      objects,
      contentDir,
      role: options.role,
    };
    for (const plugin of plugins) services.set(plugin, await plugin.start(hostFor(plugin, wiring)));
    const runtime = assemble(wiring, stop);
    if (options.isPrepared) return runtime;
    await syncContent(runtime, contentDir);
    await refreshStatistics(runtime.db);
    const signal = AbortSignal.timeout(3_600_000);
    for (const plugin of plugins) await plugin.ready?.(systemContext(runtime, plugin, signal));
    return runtime;
  } catch (error) {
    await stop();
    throw error;
  }
};

interface Wiring {
  readonly plugins: readonly AnyPlugin[];
  readonly config: Config;
  readonly log: Log;
  readonly db: OpenDatabase;
  readonly search: SearchFactory;
  readonly models: OpenModels;
  readonly counters: OpenCounters;
  readonly secrets: Secrets;
  readonly services: ReadonlyMap<AnyPlugin, unknown>;
  readonly objects: ObjectStore;
  readonly contentDir: string;
  readonly role: 'serve' | 'command';
}

const declared = (plugin: AnyPlugin, wanted: AnyPlugin, services: ReadonlyMap<AnyPlugin, unknown>): unknown => {
  if (!plugin.dependencies.includes(wanted)) {
    throw new Error(`Plugin "${plugin.name}" uses "${wanted.name}" without declaring it as a dependency`);
  }
  return services.get(wanted);
};

/** Opens the search backend that the settings choose; Qdrant's client is loaded only when it is used. */
const searchFor = async (config: Config, log: Log, models: OpenModels): Promise<SearchFactory> => {
  const url = config.text('QDRANT_URL');
  if (url === '') return inProcessSearch(join(config.text('DATA_DIR'), 'index'), log, models.embedder);
  const { qdrantSearch } = await import('./search/qdrant-factory.ts');
  return qdrantSearch({ url, apiKey: config.text('QDRANT_API_KEY') }, log, models.embedder);
};

const hostFor = (plugin: AnyPlugin, wiring: Wiring): Host => ({
  config: wiring.config,
  log: wiring.log,
  db: wiring.db,
  search: wiring.search,
  models: wiring.models,
  secrets: wiring.secrets,
  counters: wiring.counters,
  objects: wiring.objects,
  contentDir: wiring.contentDir,
  role: wiring.role,
  dataDir: async () => {
    const folder = join(wiring.config.text('DATA_DIR'), plugin.name);
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    return folder;
  },
  use: (wanted) => declared(plugin, wanted as AnyPlugin, wiring.services) as never,
});

const assemble = (wiring: Wiring, stop: () => Promise<void>): Runtime => {
  const { plugins, config, log, db, models, counters, secrets, services } = wiring;
  const keeper = plugins.find((plugin) => plugin.gatekeeper);
  const runtime: Runtime = {
    config,
    log,
    db,
    models,
    counters,
    plugins,
    gatekeeper: keeper?.gatekeeper?.(services.get(keeper)) ?? null,
    pages: createPageRenderer({ templatesDir: join(projectRoot, 'templates'), config, plugins }),
    secrets,
    startedAt: new Date(),
    servicesOf: (plugin) => services.get(plugin),
    contextOf: (plugin, request): Context => ({
      services: services.get(plugin),
      db,
      models,
      config,
      log,
      secrets,
      ...request,
      api: apiOf(runtime),
      datasets: datasetsOf(runtime),
      use: (wanted) => declared(plugin, wanted as AnyPlugin, services) as never,
    }),
    nextRunOf: nextRun,
    stop,
  };
  return runtime;
};
