/** Renders pages: load, check the view, render, compare, compress, pack. It runs in the main thread or in a worker. */
import type { AnyPlugin, Page, PageView } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import type { PackWriter } from '#core/site/pack-writer.ts';
import { contentHash, type Place } from '#core/site/site-index.ts';
import { systemContext } from '#core/system-context.ts';
import { twinsOf } from './twins.ts';

/** Pages of one kind that are rendered together. */
export interface Batch {
  readonly plugin: string;
  readonly page: string;
  readonly pages: readonly WantedPage[];
}

export interface WantedPage {
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  /** Hash of the published page; null when the page must be written in any case. */
  readonly hash: string | null;
}

/** The result for a page: null when it was deleted or moved. The place is null when the bytes equal the published ones. */
export type MadePage = { readonly hash: string; readonly place: Place | null } | null;

interface Settings {
  readonly runtime: Runtime;
  /** Null when pages are only compared and not stored. */
  readonly pack: PackWriter | null;
  readonly twins: boolean;
  readonly signal: AbortSignal;
}

export class PageMaker {
  readonly #settings: Settings;
  readonly #kinds = new Map<string, { plugin: AnyPlugin; page: Page }>();

  constructor(settings: Settings) {
    this.#settings = settings;
    for (const plugin of settings.runtime.plugins)
      for (const page of (plugin.pages ?? []) as readonly Page[])
        this.#kinds.set(keyOf(plugin.name, page.id), { plugin, page });
  }

  async make(batch: Batch): Promise<readonly MadePage[]> {
    const texts = await this.render(batch);
    return batch.pages.map((wanted, at) => this.#keep(wanted, texts[at] ?? null));
  }

  /** Renders the pages in memory, for a preview; null for pages that were deleted or moved. */
  async render(batch: Batch): Promise<readonly (string | null)[]> {
    const kind = this.#kinds.get(keyOf(batch.plugin, batch.page));
    if (!kind) throw new Error(`There is no page ${batch.plugin}/${batch.page}`);
    const views = await this.#load(kind, batch.pages);
    return batch.pages.map(({ url }, at) => {
      const view = views[at];
      return view && 'view' in view ? this.#settings.runtime.pages.render(kind.page, url, view.head, view.view) : null;
    });
  }

  async #load({ plugin, page }: { plugin: AnyPlugin; page: Page }, pages: readonly WantedPage[]) {
    const context = systemContext(this.#settings.runtime, plugin, this.#settings.signal);
    if (page.loadMany) return page.loadMany(context, pages.map(({ params }) => params) as never);
    const query = defaultsOf(page.query) as never;
    const views: PageView<unknown>[] = [];
    for (const { params } of pages) views.push(await page.load(context, { params: params as never, query }));
    return views;
  }

  #keep(wanted: WantedPage, html: string | null): MadePage {
    const { pack, twins } = this.#settings;
    if (html === null) return null;
    const body = pack ? pack.stage(html) : Buffer.from(html);
    const hash = contentHash(body);
    if (!pack || hash === wanted.hash) return { hash, place: null };
    return { hash, place: pack.keep(body, twinsOf(body, twins)) };
  }
}

const keyOf = (plugin: string, page: string): string => `${plugin}/${page}`;

/** Returns the default of every query parameter, as for an address without a query. */
const defaultsOf = (schema: unknown): Record<string, unknown> => {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { default?: unknown }> };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => ('default' in property ? [[name, property.default]] : [])),
  );
};
