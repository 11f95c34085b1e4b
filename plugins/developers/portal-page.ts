/** Builds the generated pages of the portal from their common properties. */
import type { TSchema } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { versionOf } from '#plugins/evidence/index.ts';

interface PortalPage {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly title: string;
  readonly description: string;
  /** Template under templates/developers, when its name differs from the page's id. */
  readonly template?: string;
  readonly view: TSchema;
  readonly revision?: number;
  readonly isInFull?: boolean;
  viewOf(context: Context): Promise<object> | object;
}

/** Defines a page with one URL, in the static part of the sitemap; it is rebuilt when its view changes. */
export const portalPage = ({ id, title, description, viewOf, ...rest }: PortalPage): Page =>
  definePage({
    id: `developers.${id}`,
    path: rest.path,
    summary: rest.summary,
    template: `developers/${rest.template ?? id}`,
    view: rest.view,
    scope: 'public',
    sitemap: 'static',
    llms: { section: 'For developers', isInFull: rest.isInFull ?? false },
    revision: rest.revision ?? 1,
    list: async function* (context: Context) {
      yield { params: {}, version: versionOf(await viewOf(context)), changedAt: null };
    },
    load: async (context: Context) => ({ head: { title, description }, view: await viewOf(context) }),
  }) as Page;
