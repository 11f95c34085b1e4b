/** Validates the list of plugins before anything starts, and sorts it: dependencies first, otherwise in list order. */
import { coreSettings } from './config.ts';
import { coreErrors } from './errors.ts';
import type { AnyPlugin, Page, Route } from './plugin.ts';

export class RegistryError extends Error {
  override name = 'RegistryError';
}

/**
 * Returns the plugins in start order. Throws for duplicate names, settings and error codes (including core's), missing
 * dependencies, cycles, and two routes or pages with the same path.
 */
export const orderPlugins = (plugins: readonly AnyPlugin[]): readonly AnyPlugin[] => {
  const byName = new Map<string, AnyPlugin>();
  for (const plugin of plugins) {
    if (byName.has(plugin.name)) throw new RegistryError(`Two plugins are called "${plugin.name}"`);
    byName.set(plugin.name, plugin);
  }
  const ordered: AnyPlugin[] = [];
  const visit = (plugin: AnyPlugin, path: readonly string[]): void => {
    if (ordered.includes(plugin)) return;
    if (path.includes(plugin.name)) {
      throw new RegistryError(`Plugins depend on each other in a circle: ${[...path, plugin.name].join(' → ')}`);
    }
    for (const dependency of plugin.dependencies) {
      if (byName.get(dependency.name) !== dependency) {
        throw new RegistryError(`Plugin "${plugin.name}" needs "${dependency.name}", which is not in the list`);
      }
      visit(dependency, [...path, plugin.name]);
    }
    ordered.push(plugin);
  };
  for (const plugin of plugins) visit(plugin, []);
  refuseClashes(ordered);
  return ordered;
};

const shapeOf = (path: string): string => path.replace(/\{[^}]+\}/g, '{}');

const refuseClashes = (plugins: readonly AnyPlugin[]): void => {
  const takenBy = new Map<string, string>();
  const take = (key: string, owner: string): void => {
    const other = takenBy.get(key);
    if (other) throw new RegistryError(`${owner} and ${other} both claim ${key}`);
    takenBy.set(key, owner);
  };
  for (const { name } of coreSettings) take(`setting ${name}`, 'core');
  for (const { code } of coreErrors.definitions) take(`error ${code}`, 'core');
  for (const plugin of plugins) {
    for (const route of plugin.routes ?? [])
      take(`${route.method} ${shapeOf(route.path)}`, `route ${plugin.name}/${route.id}`);
    for (const page of plugin.pages ?? []) take(`GET ${shapeOf(page.path)}`, `page ${plugin.name}/${page.id}`);
    for (const definition of plugin.settings ?? []) take(`setting ${definition.name}`, `plugin ${plugin.name}`);
    for (const definition of plugin.errors ?? []) take(`error ${definition.code}`, `plugin ${plugin.name}`);
    for (const job of plugin.jobs ?? []) take(`job ${job.id}`, `plugin ${plugin.name}`);
    for (const command of plugin.commands ?? []) take(`command ${command.id}`, `plugin ${plugin.name}`);
    for (const importer of plugin.importers ?? []) take(`importer ${importer.id}`, `plugin ${plugin.name}`);
    for (const event of plugin.events ?? []) take(`event ${event.type}`, `plugin ${plugin.name}`);
    for (const dataset of plugin.datasets ?? []) take(`dataset ${dataset.name}`, `plugin ${plugin.name}`);
  }
  const keepers = plugins.filter((plugin) => plugin.gatekeeper);
  if (keepers.length > 1) {
    throw new RegistryError(
      `${keepers.map((plugin) => `"${plugin.name}"`).join(' and ')} both want to be the gatekeeper`,
    );
  }
};

const isLiteral = (segment: string): boolean => !segment.startsWith('{');

/**
 * Compares paths: literal segments come before parameters, so that `/api/label-image/stats` is matched before
 * `/api/label-image/{id}`.
 */
export const bySpecificity = (a: Pick<Route | Page, 'path'>, b: Pick<Route | Page, 'path'>): number => {
  const [left, right] = [a.path.split('/'), b.path.split('/')];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = Number(isLiteral(right[at] ?? '')) - Number(isLiteral(left[at] ?? ''));
    if (difference) return difference;
  }
  return right.length - left.length;
};
