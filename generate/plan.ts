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

/** In a fixed order: plugins, then their pages. */
export const kindsOf = (plugins: readonly AnyPlugin[]): readonly Kind[] =>
  plugins.flatMap((plugin) =>
    ((plugin.pages ?? []) as readonly Page[]).filter((page) => page.list).map((page) => ({ plugin, page })),
  );

/** In a fixed order: kinds as given, instances as listed. */
export const planPages = async (
  runtime: Runtime,
  signal: AbortSignal,
  kinds = kindsOf(runtime.plugins),
): Promise<readonly PlannedPage[]> => {
  const planned = new Map<string, PlannedPage>();
  for (const { plugin, page } of kinds) {
    const address = pageAddress(page.path);
    for await (const instance of page.list?.(systemContext(runtime, plugin, signal)) ?? []) {
      const url = address(instance.params);
      const other = planned.get(url);
      if (other)
        throw new OperatorError(
          `Pages ${other.plugin.name}/${other.page.id} and ${plugin.name}/${page.id} both want ${url}`,
        );
      if (!isSiteAddress(url))
        throw new OperatorError(`Page ${plugin.name}/${page.id} has an address that cannot be published: ${url}`);
      planned.set(url, { url, plugin, page, instance });
    }
  }
  return [...planned.values()];
};
