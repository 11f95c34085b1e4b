/**
 * The page renderer of the preview: it uses the current templates, shows the last good version of a page whose template is
 * broken, and puts a frame around each page.
 */
import { relative } from 'node:path';
import { LRUCache } from '#core/http/lru.ts';
import { createPageRenderer, type PageRenderer } from '#core/render/page-renderer.ts';
import type { Runtime } from '#core/runtime.ts';
import { barePage, framed } from './preview-frame.ts';

const LAST_GOOD_BYTES = 32 * 1024 * 1024;

export interface PreviewRenderer extends PageRenderer {
  /** Reloads templates and assets. Returns the error, as far as it can be detected before a page is rendered. */
  reload(): string | null;
  /** Renders without the frame, and throws when a page cannot be rendered. */
  readonly plain: Pick<PageRenderer, 'render' | 'digestOf'>;
}

interface Options {
  readonly runtime: Runtime;
  readonly templatesDir: string;
  /** Returns an identifier of the displayed state. */
  state(): string;
  /** Returns the current error in the content: every page then shows the last good state with a banner. */
  problem(): string | null;
}

/** Returns the message of an error, in which Pug names the file and line; the path becomes the one that the editor knows. */
const wordsOf = (error: unknown, templatesDir: string): string => {
  const { message } = error as Error;
  return message.replaceAll(templatesDir, 'templates').replaceAll(relative(process.cwd(), templatesDir), 'templates');
};

export const createPreviewRenderer = ({ runtime, templatesDir, state, problem }: Options): PreviewRenderer => {
  const { config, plugins } = runtime;
  const create = () => createPageRenderer({ templatesDir, config, plugins });
  let current: PageRenderer = create();
  const lastGood = new LRUCache<string>(LAST_GOOD_BYTES);
  const banner = () => {
    const words = problem();
    return words === null ? null : { words, beneath: 'Beneath is the page as it was before.' };
  };
  const broken = (error: unknown, path: string): string => {
    const words = wordsOf(error, templatesDir);
    const good = lastGood.get(path);
    if (good === undefined)
      return barePage('No page yet', state(), { words, beneath: 'Mend it, and the page appears.' });
    return framed(good, state(), { words, beneath: 'Beneath is the page as it was before.' });
  };
  return {
    get assets() {
      return current.assets;
    },
    reload: () => {
      try {
        current = create();
        return null;
      } catch (error) {
        return wordsOf(error, templatesDir);
      }
    },
    render: (page, path, head, view) => {
      try {
        const html = current.render(page, path, head, view);
        lastGood.set(path, html, html.length);
        return framed(html, state(), banner());
      } catch (error) {
        return broken(error, path);
      }
    },
    errorPage: async (error, requestId, path) => {
      const html = await current.errorPage(error, requestId, path).catch((cause) => broken(cause, path));
      return html.includes('/_preview/') ? html : framed(html, state(), banner());
    },
    digestOf: (page) => current.digestOf(page),
    plain: {
      render: (page, path, head, view) => {
        try {
          return current.render(page, path, head, view);
        } catch (error) {
          throw new Error(wordsOf(error, templatesDir), { cause: error });
        }
      },
      digestOf: (page) => current.digestOf(page),
    },
  };
};
