/** Every page instance there is, from the pages themselves; two on one address stop the build. */

import { OperatorError } from '#core/errors.ts';
import { fileOf } from '#core/http/published-site.ts';
import type { AnyPlugin, Page, PageInstance } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { systemContext } from '#core/system-context.ts';

export interface PlannedPage {
  readonly url: string;
  /** Below the build's folder. */
  readonly file: string;
  readonly plugin: AnyPlugin;
  readonly page: Page;
  readonly instance: PageInstance;
}

const urlOf = (path: string, params: PageInstance['params']): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** In a fixed order: plugins, pages, instances as listed. */
export const planPages = async (runtime: Runtime, signal: AbortSignal): Promise<readonly PlannedPage[]> => {
  const planned = new Map<string, PlannedPage>();
  for (const plugin of runtime.plugins) {
    const context = systemContext(runtime, plugin, signal);
    for (const page of (plugin.pages ?? []) as readonly Page[]) {
      if (!page.list) continue;
      for await (const instance of page.list(context)) {
        const url = urlOf(page.path, instance.params);
        const [other, file] = [planned.get(url), fileOf(url)];
        if (other)
          throw new OperatorError(
            `Pages ${other.plugin.name}/${other.page.id} and ${plugin.name}/${page.id} both want ${url}`,
          );
        if (!file)
          throw new OperatorError(`Page ${plugin.name}/${page.id} has an address that cannot be a file: ${url}`);
        planned.set(url, { url, file, plugin, page, instance });
      }
    }
  }
  return [...planned.values()];
};
