/**
 * `npm run doctor`: checks the settings and the resources that they name, and reports problems with their fixes. It changes
 * nothing.
 */
import { parseArgs } from 'node:util';
import { type Config, loadConfig, type SettingDefinition } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { AnyPlugin } from '../plugin.ts';
import { checkFolder, checkModes, checkSecret, checkSite } from './data-folder-checks.ts';
import { checkJobs, type OpenedDatabase, openForDoctor } from './database-checks.ts';
import { type Diagnosis, type Finding, fail, linesOf, ok } from './finding.ts';
import { checkAddress, checkModels, checkObjectStore, checkQdrant, checkRedis, checkWords } from './service-checks.ts';

export interface DoctorParts {
  readonly plugins: readonly AnyPlugin[];
  readonly settings: readonly SettingDefinition[];
  readonly out: (line: string) => unknown;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly dotEnvPath?: string | null | undefined;
}

/** Runs a check; an unexpected error becomes a finding, too, without its message, which might contain a secret. */
const guarded = async (id: string, check: () => Promise<readonly Finding[]> | readonly Finding[]) => {
  try {
    return await check();
  } catch (error) {
    if (error instanceof OperatorError) return [fail(id, error.message, 'Mend it first.')];
    return [
      fail(id, `The check itself failed (${(error as Error).name}).`, 'Report it, with the version of the program.'),
    ];
  }
};

/** Runs the plugins' checks in sequence, because they share a connection. */
const fromPlugins = async (plugins: readonly AnyPlugin[], diagnosis: Diagnosis): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const plugin of plugins)
    findings.push(...(await guarded(plugin.name, () => plugin.diagnose?.(diagnosis) ?? [])));
  return findings;
};

const examine = async (config: Config, plugins: readonly AnyPlugin[]): Promise<readonly Finding[]> => {
  const dataDir = config.text('DATA_DIR');
  const settings = ok(
    'settings',
    `${config.describe().filter(({ isDefault }) => !isDefault).length} are set, all can be read.`,
  );
  const folder = await guarded('data-dir', async () => [await checkFolder({ dataDir } as Diagnosis)]);
  const isUsable = folder.every(({ state }) => state !== 'fail');
  const database: OpenedDatabase | null = isUsable ? await openForDoctor(config.text('DATABASE_URL'), dataDir) : null;
  const query = database?.query ?? (async () => null);
  const diagnosis: Diagnosis = { query, dataDir, text: (name) => config.text(name) };
  try {
    return [
      settings,
      ...folder,
      ...(await guarded('data-modes', () => [checkModes(diagnosis)])),
      ...(database?.findings ?? []),
      ...(await guarded('jobs', () => checkJobs(query))),
      ...(await guarded('app-secret', async () => [await checkSecret(diagnosis)])),
      ...(await guarded('base-url', () => checkAddress(config))),
      ...(await guarded('operator', () => [checkWords(config)])),
      ...(await guarded('published-site', async () => [await checkSite(diagnosis)])),
      ...(await guarded('qdrant', () => checkQdrant(config))),
      ...(await guarded('redis', () => checkRedis(config))),
      ...(await guarded('models', () => checkModels(config))),
      ...(await guarded('object-store', () => checkObjectStore(config))),
      ...(await fromPlugins(plugins, diagnosis)),
    ];
  } finally {
    await database?.close();
  }
};

/** Runs the command. Exit status: 1 when a check failed, else 0. */
export const doctorCommand = async (args: readonly string[], parts: DoctorParts): Promise<number> => {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  let findings: readonly Finding[];
  try {
    findings = await examine(loadConfig(parts.settings, parts.environment, parts.dotEnvPath), parts.plugins);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    findings = [fail('settings', error.message.replace(/\s+/g, ' '), 'Mend these; nothing else was looked at.')];
  }
  const status = findings.some(({ state }) => state === 'fail')
    ? 'fail'
    : findings.some(({ state }) => state === 'warn')
      ? 'warn'
      : 'ok';
  if (values.json) parts.out(JSON.stringify({ status, findings }));
  else for (const line of linesOf(findings)) parts.out(line);
  return status === 'fail' ? 1 : 0;
};
