/** Plans a partial build: the pages of one address or plugin are rendered again, all others are reused. */
import { OperatorError } from '#core/errors.ts';
import { pathPattern } from '#core/http/path-pattern.ts';
import type { Runtime } from '#core/runtime.ts';
import { editDistance } from '#core/search/edit-distance.ts';
import type { SiteIndex } from '#core/site/site-index.ts';
import { type Kind, kindsOf, type Plan, type PlannedPage, planPages } from './plan.ts';
import type { PreviousBuild } from './previous-build.ts';

/**
 * Returns the plan of a partial build.
 * @param what a path (`/supplements/magnesium`) or the name of a plugin.
 * @throws OperatorError with similar names when there is no such page or plugin.
 */
export const planOnly = async (
  runtime: Runtime,
  before: PreviousBuild,
  { what, signal }: { what: string; signal: AbortSignal },
): Promise<Plan> => {
  const isPath = what.startsWith('/');
  const kinds = isPath ? kindsAt(runtime, what) : kindsOfPlugin(runtime, what);
  const planned = await planPages(runtime, signal, kinds);
  const pages = planned.filter(({ url }) => !isPath || url === what);
  if (!pages.length) throw new OperatorError(noSuchPage(what, planned, before.index));
  const listed = new Set(isPath ? [] : kinds.map(({ page }) => page));
  const staying = new Set(before.kinds.map(({ page }) => page).filter((page) => !listed.has(page)));
  return { pages, staying, states: before.states() };
};

const kindsAt = ({ plugins }: Runtime, path: string): readonly Kind[] =>
  kindsOf(plugins).filter(({ page }) => pathPattern(page.path).test(path));

const kindsOfPlugin = ({ plugins }: Runtime, name: string): readonly Kind[] => {
  const kinds = kindsOf(plugins);
  const own = kinds.filter(({ plugin }) => plugin.name === name);
  if (own.length) return own;
  const names = [...new Set(kinds.map(({ plugin }) => plugin.name))];
  throw new OperatorError(
    `No plugin with pages is called ${name}; there are ${names.join(', ')}. A path begins with /.`,
  );
};

const NEAR = 3;

const noSuchPage = (what: string, planned: readonly PlannedPage[], index: SiteIndex | null): string => {
  const limit = Math.max(2, Math.ceil(what.length / 5));
  const distances = new Map<string, number>();
  const look = (url: string): void => {
    const distance = editDistance(what, url, limit);
    if (distance <= limit) distances.set(url, distance);
  };
  for (const { url } of planned) look(url);
  for (let number = 0; number < (index?.count ?? 0); number += 1)
    if (index?.role(number) === 'page') look(index.path(number));
  const near = [...distances].toSorted(([, a], [, b]) => a - b).slice(0, NEAR);
  const hint = near.length ? `; near it are ${near.map(([url]) => url).join(', ')}` : '';
  return `No page is generated at ${what}${hint}.`;
};
