/** A small site for the tests of `generate`: real pages over a list that a test changes, with a separate data folder. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Type } from 'typebox';
import { boot, projectRoot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import {
  type AnyPlugin,
  definePage,
  definePlugin,
  type PageChanges,
  type PageInstance,
  type PageView,
  type SitemapPart,
} from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { openCurrent } from '#core/site/builds.ts';
import { contentHash } from '#core/site/site-index.ts';
import { readCurrent } from '#core/site/site-layout.ts';
import { openSite } from '#core/site/site-reader.ts';
import { type BuildOptions, type BuildReport, build } from '#generate/build.ts';
import { discard, newDataDir, newPlace } from '../support/service.ts';

export interface MadePage {
  readonly slug: string;
  readonly text: string;
  /** Defaults to the text; a test sets it to change the version without changing the text, or the reverse. */
  readonly version?: string;
  readonly changedAt?: string | null;
  /** Whether the page is listed but missing when it is loaded. */
  readonly missing?: boolean;
  /** Whether the view violates the schema that the page declares. */
  readonly wrong?: boolean;
}

const viewOf = ({ slug, text, missing, wrong }: MadePage): PageView<{ text: string }> => {
  if (missing) return { missing: { resource: 'Page', id: slug } };
  return { head: { title: slug, description: '' }, view: { text: (wrong ? 42 : text) as string } };
};

export const instanceOf = ({ slug, text, version, changedAt = null }: MadePage): PageInstance => ({
  params: { slug },
  version: version ?? text,
  changedAt,
});

/** The data behind the pages; `onLoad` is called on each load. */
export interface Material {
  pages: readonly MadePage[];
  onLoad: (slug: string) => void | Promise<void>;
  /** Reports the changed articles; without it, the page behaves as one that cannot report changes. */
  tell?: ((since: string | null) => PageChanges) | undefined;
  onList?: (() => void) | undefined;
  /** The sitemap part of the pages; articles by default. */
  readonly part?: SitemapPart;
}

/** Defines /made/{slug} for each page, listed in one part of the sitemap, and /made, listed in none. */
export const madePlugin = (material: Material, template: string): AnyPlugin => {
  const view = Type.Object({ text: Type.String() });
  const common = { summary: 'made for tests', template, view, scope: 'public', revision: 1 } as const;
  const article = definePage({
    ...common,
    id: 'made.article',
    path: '/made/{slug}',
    params: Type.Object({ slug: Type.String() }),
    sitemap: material.part ?? 'articles',
    list: () => {
      material.onList?.();
      return material.pages.map(instanceOf);
    },
    changes: async (_, since) => material.tell?.(since) ?? { state: '', changed: null },
    load: async (_, { params }) => {
      await material.onLoad(params.slug);
      const page = material.pages.find(({ slug }) => slug === params.slug);
      return page ? viewOf(page) : { missing: { resource: 'Page', id: params.slug } };
    },
  });
  const index = definePage({
    ...common,
    id: 'made.index',
    path: '/made',
    query: Type.Object({ filter: Type.String({ default: 'none' }) }),
    sitemap: null,
    list: () => [{ params: {}, version: '1', changedAt: null }],
    load: async (_, { query }) => ({
      head: { title: 'All', description: '' },
      view: { text: `All pages, filter: ${query.filter}` },
    }),
  });
  return definePlugin({
    name: 'made',
    summary: 'made for tests',
    dependencies: [],
    pages: [index, article],
    start: () => ({}),
  });
};

export const TEMPLATE =
  'doctype html\nhtml\n  head\n    title= head.title\n  body\n    p= text\n    footer= site.operator\n';

export interface Site {
  readonly material: Material;
  readonly runtime: Runtime;
  readonly siteDir: string;
  /** The template name and the settings, for child processes that build the same site. */
  readonly template: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly contentDir: string;
  generate(options?: BuildOptions): Promise<BuildReport>;
  /** Restarts the runtime with another template or other settings. */
  restart(change: { readonly template?: string; readonly settings?: Readonly<Record<string, string>> }): Promise<void>;
  put(...pages: readonly MadePage[]): void;
}

/** Boots a runtime that has only the test pages. */
export const bootMadeSite = ({
  material,
  template,
  environment,
  contentDir,
}: Pick<Site, 'material' | 'template' | 'environment' | 'contentDir'>): Promise<Runtime> =>
  boot({
    plugins: [madePlugin(material, template)],
    role: 'serve',
    environment,
    dotEnvPath: null,
    contentDir,
    log: createLog('silent'),
  });

/** Creates a site for one describe block and removes it afterwards. */
export const useSite = (part: SitemapPart = 'articles'): Site => {
  const site = {} as { -readonly [K in keyof Site]: Site[K] };
  let place: Awaited<ReturnType<typeof newPlace>>;
  let folder = '';
  const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    site.template = relative(join(projectRoot, 'templates'), join(folder, 'page'));
    site.environment = {
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      BASE_URL: 'http://evidence.test',
      PORT: '0',
      ...settings,
    };
    site.contentDir = join(folder, 'content');
    site.runtime = await bootMadeSite(site);
  };
  before(async function () {
    this.timeout(180_000);
    [place, folder] = [await newPlace(), await newDataDir()];
    await mkdir(join(folder, 'content'));
    await writeFile(join(folder, 'page.pug'), TEMPLATE);
    site.material = { pages: [], onLoad: () => undefined, part };
    site.siteDir = join(place.dataDir, 'site');
    site.generate = (options) => build(site.runtime, options);
    site.put = (...pages) => {
      site.material.pages = pages;
    };
    site.restart = async ({ template = TEMPLATE, settings = {} }) => {
      await writeFile(join(folder, 'page.pug'), template);
      await site.runtime.stop();
      await start(settings);
    };
    await start({});
  });
  after(async () => {
    await site.runtime?.stop();
    await discard(place);
    await rm(folder, { recursive: true, force: true });
  });
  return site;
};

/** Returns a text that is long enough for compressed variants. */
export const longText = (word: string): string => `${word} `.repeat(400).trim();

/** Returns the name of the public build. */
export const currentOf = async ({ siteDir }: Pick<Site, 'siteDir'>): Promise<string> =>
  (await readCurrent(siteDir))?.build ?? '';

/** Returns the text that is published at a path. */
export const readBuilt = async ({ siteDir }: Pick<Site, 'siteDir'>, path: string): Promise<string> => {
  const reader = await openSite(siteDir);
  try {
    const entry = reader.find(path);
    if (!entry) throw new Error(`${path} is not published`);
    return (await reader.read(entry, 'identity')).toString();
  } finally {
    await reader.close();
  }
};

/** Returns every published path in order, with the digests of its stored variants. */
export const treeOf = async ({ siteDir }: Pick<Site, 'siteDir'>): Promise<Record<string, string>> => {
  const [reader, current] = [await openSite(siteDir), await openCurrent(siteDir, createLog('silent'))];
  const digests: [string, string][] = [];
  for (let number = 0; current && number < current.index.count; number += 1) {
    const entry = reader.find(current.index.path(number));
    if (!entry) throw new Error(`${current.index.path(number)} is not found`);
    const forms = await Promise.all(
      (['identity', 'gzip', 'br'] as const)
        .filter((form) => form === 'identity' || entry.bytes[form])
        .map(async (form) => contentHash(await reader.read(entry, form))),
    );
    digests.push([entry.path, [entry.type, ...forms].join(' ')]);
  }
  await reader.close();
  return Object.fromEntries(digests);
};

/** Returns the index entry of a page: the location of its bytes and its modification time. */
export const placeOf = async ({ siteDir }: Pick<Site, 'siteDir'>, path: string) => {
  const current = await openCurrent(siteDir, createLog('silent'));
  const number = current?.index.find(path) ?? -1;
  return current && number >= 0 ? current.index.entry(number) : null;
};
