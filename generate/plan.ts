/** Every page instance there is, from the pages themselves; two on one address stop the build. */

import { OperatorError } from '#core/errors.ts';
import type { AnyPlugin, Page, PageInstance } from '#core/plugin.ts';
import { pageAddress } from '#core/render/page-address.ts';
import type { Runtime } from '#core/runtime.ts';
import { isSiteAddress } from '#core/site/site-layout.ts';
import { systemContext } from '#core/system-context.ts';

/** A page value that is generated ahead of time. */
export interface Kind {
  readonly plugin: AnyPlugin;
  readonly page: Page;
}

export interface PlannedPage extends Kind {
  readonly url: string;
  readonly instance: PageInstance;
}

/** What a build looks at, and what it leaves as it is. */
export interface Plan {
  /** In the order of the kinds. */
  readonly pages: readonly PlannedPage[];
  /** Kinds whose published pages stay, other than those in `pages`: nobody has looked at them. */
  readonly staying: ReadonlySet<Page>;
  /** For the next build: see `Page.changes`. */
  readonly states: ReadonlyMap<Page, string>;
}

/** What a plan of changes has to know of the published build. */
export interface Published {
  /** Where the build before left off; null when all pages of the kind are to be listed. */
  stateOf(page: Page): string | null;
  /** The kind of what is published at an address, if that is still made in the same way. */
  pageAt(url: string): Page | null;
}

export const NOTHING_PUBLISHED: Published = { stateOf: () => null, pageAt: () => null };

/** In a fixed order: plugins, then their pages. */
export const kindsOf = (plugins: readonly AnyPlugin[]): readonly Kind[] =>
  plugins.flatMap((plugin) =>
    ((plugin.pages ?? []) as readonly Page[]).filter((page) => page.list).map((page) => ({ plugin, page })),
  );

/** All pages, in a fixed order: kinds as given, instances as listed. */
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

/** The same, without those of which their page says that they are as the build before left them. */
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
