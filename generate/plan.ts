/** Plans a build: collects all page instances from the page definitions, and throws when two have the same address. */

import { OperatorError } from '#core/errors.ts';
import type { AnyPlugin, Page, PageInstance } from '#core/plugin.ts';
import { pageAddress } from '#core/render/page-address.ts';
import type { Runtime } from '#core/runtime.ts';
import { isSiteAddress } from '#core/site/site-layout.ts';
import { systemContext } from '#core/system-context.ts';

/** A page definition that is generated ahead of time. */
export interface Kind {
  readonly plugin: AnyPlugin;
  readonly page: Page;
}

export interface PlannedPage extends Kind {
  readonly url: string;
  readonly instance: PageInstance;
}

/** The pages that a build checks and the kinds that it reuses. */
export interface Plan {
  /** In the order of the kinds. */
  readonly pages: readonly PlannedPage[];
  /** Kinds whose published pages are reused without a check, except those in `pages`. */
  readonly staying: ReadonlySet<Page>;
  /** The `since` values of the next build: see `Page.changes`. */
  readonly states: ReadonlyMap<Page, string>;
}

/** The properties of the published build that a plan needs. */
export interface Published {
  /** Returns the state of the previous build; null when all pages of the kind must be listed. */
  stateOf(page: Page): string | null;
  /** Returns the kind of the page published at an address, if it is still generated in the same way. */
  pageAt(url: string): Page | null;
}

export const NOTHING_PUBLISHED: Published = { stateOf: () => null, pageAt: () => null };

/** Returns the kinds in a fixed order: by plugin, then by page. */
export const kindsOf = (plugins: readonly AnyPlugin[]): readonly Kind[] =>
  plugins.flatMap((plugin) =>
    ((plugin.pages ?? []) as readonly Page[]).filter((page) => page.list).map((page) => ({ plugin, page })),
  );

/** Returns all pages in a fixed order: kinds as given, instances as listed. */
export const planPages = async (
  runtime: Runtime,
  signal: AbortSignal,
  kinds = kindsOf(runtime.plugins),
): Promise<readonly PlannedPage[]> => {
  const planned = new Planned();
  for (const { plugin, page } of kinds)
    for await (const instance of page.list?.(systemContext(runtime, plugin, signal)) ?? [])
      planned.add({ plugin, page }, instance);
  return planned.all();
};

/** Plans all pages except those of kinds that report their changes: of these only the changed pages are planned. */
export const planChanges = async (
  runtime: Runtime,
  kinds: readonly Kind[],
  { published, signal }: { published: Published; signal: AbortSignal },
): Promise<Plan> => {
  const planned = new Planned();
  const staying = new Set<Page>();
  const states = new Map<Page, string>();
  for (const kind of kinds) {
    const { plugin, page } = kind;
    const context = systemContext(runtime, plugin, signal);
    const said = await page.changes?.(context, published.stateOf(page));
    if (said) states.set(page, said.state);
    const address = pageAddress(page.path);
    if (said?.changed?.every(({ params }) => published.pageAt(address(params)) === page)) {
      staying.add(page);
      for (const instance of said.changed) planned.add(kind, instance);
    } else for await (const instance of page.list?.(context) ?? []) planned.add(kind, instance);
  }
  const pages = planned.all();
  for (const { url, plugin, page } of pages) {
    const other = published.pageAt(url);
    if (other && other !== page && staying.has(other)) throw conflict(url, nameOf(plugin, page), other.id);
  }
  return { pages, staying, states };
};

class Planned {
  readonly #pages = new Map<string, PlannedPage>();
  readonly #addresses = new Map<Page, ReturnType<typeof pageAddress>>();

  add({ plugin, page }: Kind, instance: PageInstance): void {
    const address = this.#addresses.get(page) ?? pageAddress(page.path);
    this.#addresses.set(page, address);
    const url = address(instance.params);
    const other = this.#pages.get(url);
    if (other) throw conflict(url, nameOf(other.plugin, other.page), nameOf(plugin, page));
    if (!isSiteAddress(url))
      throw new OperatorError(`Page ${nameOf(plugin, page)} has an address that cannot be published: ${url}`);
    this.#pages.set(url, { url, plugin, page, instance });
  }

  all(): readonly PlannedPage[] {
    return [...this.#pages.values()];
  }
}

const nameOf = (plugin: AnyPlugin, page: Page): string => `${plugin.name}/${page.id}`;

const conflict = (url: string, one: string, other: string): OperatorError =>
  new OperatorError(`Pages ${one} and ${other} both want ${url}`);
