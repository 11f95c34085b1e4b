/** A build of some pages: those of one address or plugin are made anew, all others stay as they are published. */
import { OperatorError } from '#core/errors.ts';
import { pathPattern } from '#core/http/path-pattern.ts';
import type { Runtime } from '#core/runtime.ts';
import { editDistance } from '#core/search/edit-distance.ts';
import type { SiteIndex } from '#core/site/site-index.ts';
import { type Kind, kindsOf, type PlannedPage, planPages } from './plan.ts';

/** A version that no instance has: the next build makes the page anew. */
const STALE = '\u0001';

export interface PartialPlan {
  readonly pages: readonly PlannedPage[];
  isWanted(planned: PlannedPage): boolean;
}

/**
 * @param what a path (`/supplements/magnesium`) or the name of a plugin.
 * @param isCurrent whether pages of a kind of the index are still made in the same way.
 * @throws OperatorError naming near ones when there is nothing of that name.
 */
export const planOnly = async (
  runtime: Runtime,
  index: SiteIndex,
  { what, isCurrent, signal }: { what: string; isCurrent: (kind: number) => boolean; signal: AbortSignal },
): Promise<PartialPlan> => {
  const kinds = what.startsWith('/') ? kindsAt(runtime, what) : kindsOfPlugin(runtime, what);
  const planned = await planPages(runtime, signal, kinds);
  const wanted = new Map(
    planned.flatMap((page) => (!what.startsWith('/') || page.url === what ? [[page.url, page]] : [])),
  );
  if (!wanted.size) throw new OperatorError(noSuchPage(what, planned, index));
  const known = new Map(kindsOf(runtime.plugins).map((kind) => [keyOf(kind.plugin.name, kind.page.id), kind]));
  const isOfPlugin = (kind: Kind): boolean => kinds.includes(kind) || kinds.some(({ page }) => page === kind.page);
  const pages: PlannedPage[] = [];
  const left = new Map(wanted);
  for (let number = 0; number < index.count; number += 1) {
    if (index.role(number) !== 'page') continue;
    const url = index.path(number);
    const named = index.names.kinds[index.kind(number)];
    const kind = known.get(keyOf(named?.plugin ?? '', named?.page ?? ''));
    const now = left.get(url);
    left.delete(url);
    if (now) pages.push(now);
    else if (kind && (what.startsWith('/') || !isOfPlugin(kind)))
      pages.push(published(kind, index, number, isCurrent(index.kind(number))));
  }
  return { pages: [...pages, ...left.values()], isWanted: ({ url }) => wanted.has(url) };
};

const keyOf = (plugin: string, page: string): string => `${plugin}/${page}`;

/** A page as it is published, in the form of a plan. */
const published = (kind: Kind, index: SiteIndex, number: number, isCurrent: boolean): PlannedPage => {
  const changedAt = index.changedAt(number);
  return {
    ...kind,
    url: index.path(number),
    instance: {
      params: {},
      version: isCurrent ? index.version(number) : STALE,
      changedAt: changedAt === null ? null : new Date(changedAt).toISOString(),
    },
  };
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

const noSuchPage = (what: string, planned: readonly PlannedPage[], index: SiteIndex): string => {
  const limit = Math.max(2, Math.ceil(what.length / 5));
  const distances = new Map<string, number>();
  const look = (url: string): void => {
    const distance = editDistance(what, url, limit);
    if (distance <= limit) distances.set(url, distance);
  };
  for (const { url } of planned) look(url);
  for (let number = 0; number < index.count; number += 1) if (index.role(number) === 'page') look(index.path(number));
  const near = [...distances].toSorted(([, a], [, b]) => a - b).slice(0, NEAR);
  const hint = near.length ? `; near it are ${near.map(([url]) => url).join(', ')}` : '';
  return `No page is generated at ${what}${hint}.`;
};
