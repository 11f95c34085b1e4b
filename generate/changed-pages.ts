/** Determines which pages a change affects, and whether they can be rendered, for a report in the terminal. */
import type { Page } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { type Batch, PageMaker } from './making.ts';
import { kindsOf, type PlannedPage, planPages } from './plan.ts';

/** Maximum number of pages to render; further ones are counted, and rendered when the preview requests them. */
const MADE = 50;

export interface ChangedPages {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** Errors of the pages that were rendered. */
  readonly broken: readonly { readonly url: string; readonly words: string }[];
}

/** Returns a function that reports changes. `runtime.pages` must throw when a page cannot be rendered. */
export const changedPagesOf = (runtime: Runtime) => {
  let before: ReadonlyMap<string, string> | null = null;
  const make = async (planned: PlannedPage, signal: AbortSignal): Promise<string | null> => {
    const maker = new PageMaker({ runtime, pack: null, twins: false, signal });
    const { plugin, page, url, instance } = planned;
    const batch: Batch = { plugin: plugin.name, page: page.id, pages: [{ url, params: instance.params, hash: null }] };
    return maker.make(batch).then(
      () => null,
      (error: Error) => error.message,
    );
  };
  /** Returns the changes since the previous call; the first call returns none. Returns null when `signal` aborts. */
  return async (signal: AbortSignal): Promise<ChangedPages | null> => {
    const plan: PlannedPage[] = [];
    for (const kind of kindsOf(runtime.plugins)) {
      if (signal.aborted) return null;
      plan.push(...(await planPages(runtime, signal, [kind])));
    }
    const kinds = new Map([...new Set(plan.map(({ page }) => page))].map((page) => [page, digestOf(runtime, page)]));
    const now = new Map(plan.map(({ url, page, instance }) => [url, `${kinds.get(page)} ${instance.version}`]));
    const last = before ?? now;
    const changed = plan.filter(({ url }) => last.get(url) !== now.get(url));
    const broken: { url: string; words: string }[] = [];
    for (const planned of changed.slice(0, MADE)) {
      if (signal.aborted) return null;
      const words = await make(planned, signal);
      if (words !== null) broken.push({ url: planned.url, words });
    }
    before = now;
    const gone = [...last.keys()].filter((url) => !now.has(url));
    return { changed: changed.map(({ url }) => url), gone, broken };
  };
};

/**
 * Returns the digest of a page's template. An unreadable template counts as a change of all its pages, and rendering one reports
 * the error.
 */
const digestOf = ({ pages }: Runtime, page: Page): string => {
  try {
    return pages.digestOf(page);
  } catch {
    return 'broken';
  }
};
