/**
 * `npm run generate -- --watch`: a live preview for editors. It shows changes in content/ and templates/ as soon as they are
 * saved. It uses a separate database, so that a draft reaches neither the site's database nor its published pages.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { syncContent } from '#core/content-sync.ts';
import { ContentError, OperatorError } from '#core/errors.ts';
import { createApp } from '#core/http/app.ts';
import type { Runtime } from '#core/runtime.ts';
import { type ChangedPages, changedPagesOf } from './changed-pages.ts';
import { watchFolders } from './file-changes.ts';
import { createPreviewRenderer, type PreviewRenderer } from './preview-renderer.ts';
import { type PreviewServer, startPreviewServer } from './preview-server.ts';

/** Maximum number of changed addresses in a report; further ones are only counted. */
const NAMED = 6;
/** Delay of the report, in milliseconds, so that the open page reloads first. */
const AFTER_RELOAD = 150;

export interface WatchOptions {
  /** Null: the port after the site's, or the next free one. */
  readonly port: number | null;
  /** A PostgreSQL database for the preview only; null uses an embedded one under DATA_DIR/preview. */
  readonly database: string | null;
}

/** The dependencies of the preview. */
export interface WatchParts {
  readonly out: (line: string) => unknown;
  /** Settings of the site. */
  readonly settings: {
    readonly dataDir: string;
    readonly databaseUrl: string;
    readonly host: string;
    readonly port: number;
  };
  readonly contentDir: string;
  readonly templatesDir: string;
  /** Boots the program with these settings, which override the operator's. */
  boot(settings: Readonly<Record<string, string>>): Promise<Runtime>;
}

export interface Watching {
  readonly url: string;
  close(): Promise<void>;
}

/** Returns the settings of the preview. They disable the site's external stores, so that the preview cannot write to them. */
const settingsOf = ({ database }: WatchOptions, { settings }: WatchParts, url: string): Record<string, string> => {
  if (database !== null && database === settings.databaseUrl)
    throw new OperatorError('--database names the database of the site: drafts would be public. Give one of its own.');
  return {
    DATA_DIR: join(settings.dataDir, 'preview'),
    DATABASE_URL: database ?? '',
    BASE_URL: url,
    QDRANT_URL: '',
    S3_ENDPOINT: '',
    APP_SECRET: '',
    ADMIN_BOOTSTRAP_SECRET: '',
    PRIVATE_PORT: '',
    STARTER_PRODUCTS: 'core',
    STARTER_EVIDENCE: 'none',
    LOG_LEVEL: 'warn',
  };
};

/**
 * Starts the preview. Resolves once the first page can be served; an error in the content is reported, and the start waits until
 * it is fixed.
 */
export const startWatching = async (options: WatchOptions, parts: WatchParts): Promise<Watching> => {
  const watcher = new Watcher(parts);
  const { host, port } = parts.settings;
  const server = await startPreviewServer({
    host,
    port: options.port ?? port + 1,
    isExact: options.port !== null,
    problem: () => watcher.problem,
    state: () => watcher.state,
  });
  try {
    await watcher.start(server, settingsOf(options, parts, server.url));
  } catch (error) {
    await watcher.close();
    await server.close();
    throw error;
  }
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await watcher.close();
    },
  };
};

class Watcher {
  readonly #parts: WatchParts;
  readonly #startedAt = Date.now().toString(36);
  #changes = 0;
  #contentProblem: string | null = null;
  #templateProblem: string | null = null;
  #server: PreviewServer | null = null;
  #runtime: Runtime | null = null;
  #renderer: PreviewRenderer | null = null;
  #changed: ((signal: AbortSignal) => Promise<ChangedPages | null>) | null = null;
  #stopWatching: () => void = () => undefined;
  /** Aborts the current report when a newer change makes it obsolete. */
  #reporting = new AbortController();
  /** The queue of changes, which are processed in sequence. */
  #work: Promise<unknown> = Promise.resolve();
  #reports: Promise<unknown> = Promise.resolve();
  #mended = Promise.withResolvers<void>();

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** An identifier of the displayed state; it differs after each change. */
  get state(): string {
    return `${this.#startedAt}-${this.#changes}`;
  }

  get problem(): string | null {
    return this.#contentProblem ?? this.#templateProblem;
  }

  async start(server: PreviewServer, settings: Readonly<Record<string, string>>): Promise<void> {
    const { contentDir: content, templatesDir: templates, out } = this.#parts;
    this.#server = server;
    out(`The preview is starting at ${server.url}; its database is its own, and nothing of it reaches the site.`);
    this.#stopWatching = watchFolders({ content, templates }, (paths, startedAt) => {
      this.#mended.resolve();
      if (!this.#runtime) return;
      this.#work = this.#work.then(() => this.#take(paths, startedAt));
    });
    const runtime = await this.#boot(settings);
    this.#runtime = runtime;
    this.#renderer = createPreviewRenderer({
      runtime,
      templatesDir: templates,
      state: () => this.state,
      problem: () => this.problem,
    });
    const app = createApp({ ...runtime, pages: this.#renderer });
    app.middleware.unshift(async (ctx, next) => {
      await next();
      ctx.set('Cache-Control', 'no-store');
      ctx.set('X-Robots-Tag', 'noindex');
    });
    server.use(app.callback());
    const pages = { ...runtime.pages, ...this.#renderer.plain };
    this.#changed = changedPagesOf({ ...runtime, pages });
    // Applies content that was saved while the program started.
    await this.#take([], performance.now());
    out(`The preview is ready at ${server.url}. Ctrl-C ends it.`);
    this.#reports = this.#changed(AbortSignal.timeout(600_000)).catch((error: Error) => out(error.message));
  }

  async #boot(settings: Readonly<Record<string, string>>): Promise<Runtime> {
    for (;;) {
      this.#mended = Promise.withResolvers<void>();
      try {
        const runtime = await this.#parts.boot(settings);
        this.#contentProblem = null;
        return runtime;
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        this.#contentProblem = error.message;
        this.#tell();
        this.#parts.out(`${error.message}\nWaiting until it is mended.`);
        await this.#mended.promise;
      }
    }
  }

  #tell(): void {
    this.#changes += 1;
    this.#server?.tell(this.state);
  }

  /**
   * Processes one change: synchronizes the content, reloads the templates, makes pages reload, then reports which other pages
   * changed.
   */
  async #take(paths: readonly string[], startedAt: number): Promise<void> {
    if (!this.#runtime || !this.#renderer) return;
    this.#reporting.abort();
    const before = this.problem;
    const { contentDir } = this.#parts;
    if (paths.some((path) => path.startsWith('templates/'))) this.#templateProblem = this.#renderer.reload();
    let isChanged = paths.some((path) => path.startsWith('templates/'));
    try {
      const { changed, gone } = await syncContent(this.#runtime, contentDir);
      isChanged ||= changed + gone > 0;
      this.#contentProblem = null;
    } catch (error) {
      this.#contentProblem = (error as Error).message;
    }
    if (!isChanged && before === this.problem) return;
    this.#tell();
    this.#say(paths, before, performance.now() - startedAt);
    if (this.problem === null) this.#report();
  }

  #say(paths: readonly string[], before: string | null, took: number): void {
    const { out } = this.#parts;
    const time = new Date().toTimeString().slice(0, 8);
    const what = paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');
    if (this.problem !== null) out(`${time} ${this.problem}\n         Pages stay as they were until it is mended.`);
    else
      out(
        `${time} ${what || 'content'}: ${before === null ? 'shown' : 'mended, and shown'} after ${took.toFixed(0)} ms`,
      );
  }

  /** Reports the changed pages after the open page has reloaded, because the editor waits for that page. */
  #report(): void {
    this.#reporting = new AbortController();
    const { signal } = this.#reporting;
    const startedAt = performance.now();
    // Changes do not wait for a report: they abort it.
    this.#reports = this.#reports.then(async () => {
      await sleep(AFTER_RELOAD);
      if (signal.aborted) return;
      const report = await this.#changed?.(signal).catch((error: Error) => {
        if (!signal.aborted) this.#parts.out(`         ${error.message}`);
        return null;
      });
      if (report) this.#sayReport(report, performance.now() - startedAt);
    });
  }

  #sayReport({ changed, gone, broken }: ChangedPages, took: number): void {
    const { out } = this.#parts;
    const named =
      changed.slice(0, NAMED).join(', ') + (changed.length > NAMED ? ` and ${changed.length - NAMED} more` : '');
    const pages = changed.length === 1 ? '1 page changes' : `${changed.length} pages change`;
    out(
      `         ${pages}${changed.length ? `: ${named}` : ''}${gone.length ? `; gone: ${gone.join(', ')}` : ''} (${took.toFixed(0)} ms)`,
    );
    for (const { url, words } of broken) out(`         ${url} cannot be made: ${words}`);
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#reporting.abort();
    await Promise.allSettled([this.#work, this.#reports]);
    await this.#runtime?.stop();
  }
}
