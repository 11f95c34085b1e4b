/**
 * The types of the plugin contract. A plugin is a plain value: importing it has no side effects, and only `start` opens
 * resources.
 */
import type { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Static, TSchema } from 'typebox';
import type { Config, SettingDefinition } from './config.ts';
import type { Reviewed } from './content-check/reviewed.ts';
import type { Counters } from './counters/counters.ts';
import type { Diagnosis, Finding } from './doctor/finding.ts';
import type { ErrorDefinition } from './errors.ts';
import type { Gatekeeper, Principal } from './http/gatekeeper.ts';
import type { Scope } from './http/scopes.ts';
import type { Log } from './log.ts';
import type { Models } from './models/port.ts';
import type { SearchFactory } from './search/factory.ts';
import type { Secrets } from './secrets.ts';
import type { ObjectStore } from './storage/object-store.ts';

export type Access = 'public' | 'limited' | 'key' | 'admin';
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Opens units of work on the database: each callback gets its own entity manager. */
export interface Database {
  /** Runs reads; changes to entities are not flushed. */
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Runs in one transaction, which is committed or rolled back as a whole. */
  write<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  readonly kind: 'pglite' | 'postgresql';
}

/** The services that a plugin may use while it starts. */
export interface Host {
  readonly config: Config;
  readonly log: Log;
  readonly db: Database;
  readonly search: SearchFactory;
  /** Language, vision, embedding and reranking models; each is null when the operator configured none. */
  readonly models: Models;
  readonly secrets: Secrets;
  /** Counters that all nodes share. */
  readonly counters: Counters;
  /** Storage for payloads that are too large for the database. */
  readonly objects: ObjectStore;
  /** The folder in which editors write the content. */
  readonly contentDir: string;
  /** Returns this plugin's own folder under DATA_DIR; it is created on first use. */
  dataDir(): Promise<string>;
  /** Returns the services of a plugin that this one declares as a dependency. */
  use<S>(plugin: Plugin<S>): S;
  /** The role of this process: only `serve` runs background work (index catch-up, jobs). */
  readonly role: 'serve' | 'command';
}

/** The data in a signed cookie that lasts for one visit: ids, never personal values. */
export interface Session {
  get(name: string): string | null;
  /** Sets a value; null deletes it. */
  set(name: string, value: string | null): void;
}

/** The API that all plugins declare together, for pages and programs that document it. */
export interface Api {
  /** Returns the OpenAPI 3.1 document of every route, with the public address as its server. */
  describe(): OpenAPIV3_1.Document;
  /** Every error code, core's codes first. */
  readonly errors: readonly ErrorDefinition[];
  /**
   * Calls a route from within the process, without charging a quota or a throttle: either as a caller, with the access of that
   * caller, or as the service itself (null), for examples on pages.
   * @throws AppError that the route throws, or that says that the caller lacks access
   */
  call(caller: Principal | null, routeId: string, request: InnerRequest): Promise<Reply>;
}

/** A dataset of a plugin, bound to the context of that plugin. */
export interface OfferedDataset extends Omit<Dataset, 'rows'> {
  /** Yields the rows in batches; ends when the signal aborts. */
  rows(signal: AbortSignal): AsyncIterable<readonly object[]>;
}

/** The context that every handler, page, job and command receives. */
export interface Context<S = unknown> {
  readonly services: S;
  /** The hash of the caller's device cookie; null without a cookie, and for routes that do not request the device. */
  readonly device: string | null;
  /** The session, for routes and pages that use the device; empty for all others. */
  readonly session: Session;
  readonly secrets: Secrets;
  readonly db: Database;
  /** The models of the host. */
  readonly models: Models;
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly principal: Principal;
  readonly requestId: string;
  readonly api: Api;
  /** The datasets that plugins offer for download, in the order of the plugins. */
  readonly datasets: readonly OfferedDataset[];
  use<T>(plugin: Plugin<T>): T;
}

/** A success response; every other response is an error code that `raises` names. */
export interface ReplySchema {
  readonly status: number;
  readonly mediaType: string;
  readonly description: string;
  readonly schema?: TSchema;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is serialized as JSON; a string, buffer or stream is sent unchanged, with `type` as its media type. */
  readonly body?: unknown;
  readonly type?: string;
  /** A page that is rendered once as the response, instead of a body. It must not be cached. */
  readonly page?: ShownPage;
  /** Deletes the device cookie: all data stored for the device has been deleted. */
  readonly forgetsDevice?: boolean;
}

/** A page with its head and view. */
export interface ShownPage {
  readonly page: Page;
  readonly head: PageHead;
  readonly view: unknown;
}

export interface RequestSchemas {
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly headers?: TSchema;
}

/** An uploaded file: it is on disk while the handler runs and is removed afterwards. */
export interface UploadedFile {
  readonly field: string;
  readonly path: string;
  /** The file name that the sender gave: it may be displayed, but must never be trusted. */
  readonly name: string;
  readonly bytes: number;
}

/** The route accepts multipart/form-data; `request.body` validates its text fields. */
export interface UploadRule {
  /** Names of the fields that contain files, as OpenAPI lists them. */
  readonly fields: readonly string[];
  /** Maximum size of one file, in bytes; a larger file is answered with 413. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** The handler reads the body as a stream. The upload may take hours, as long as the sender keeps sending data. */
export interface StreamRule {
  /** The only accepted media type; any other is answered with 415. */
  readonly mediaType: string;
}

/** A fixed rate limit that applies in addition to the quota: per address, or per key when the request has one. */
export interface ThrottleRule {
  readonly bucket: string;
  readonly perMinute: number;
  readonly perDay?: number;
}

type StaticOr<T> = T extends TSchema ? Static<T> : Record<string, never>;

/** The arguments of an internal call of a route: values as JSON.parse returns them. */
export interface InnerRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Calls another route as the same caller: access, throttle, validation and response are the same as over HTTP, but the quota is
 * not charged again.
 * @throws AppError that the route throws, or that says that the caller lacks access
 */
export type CallRoute = (routeId: string, request: InnerRequest) => Promise<Reply>;

/** A request after validation: defaults are filled in, numbers and booleans are converted, and empty strings are dropped. */
export interface Input<R extends RequestSchemas> {
  readonly params: StaticOr<R['params']>;
  readonly query: StaticOr<R['query']>;
  readonly body: StaticOr<R['body']>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty for routes without `upload`. */
  readonly files: readonly UploadedFile[];
  /**
   * The body of a route with `stream`, else null. It emits an error when the sender disconnects; data that the handler does not
   * read is discarded.
   */
  readonly stream: Readable | null;
  readonly call: CallRoute;
}

/**
 * Links from a success response to other routes: the id of a route, with its parameters by name. A value is either a JSON Pointer
 * into the response (`/results/0/source_id`) or a parameter of this request (`$request.path.id`).
 */
export type RouteLinks = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One route definition, from which the router entry, validators, types, access rule and OpenAPI operation are derived. */
export interface Route<S = unknown, R extends RequestSchemas = RequestSchemas> {
  readonly id: string;
  readonly method: Method;
  /** The path in OpenAPI syntax: `/api/keys/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  readonly request: R;
  readonly replies: readonly ReplySchema[];
  /** Links of the first reply, which must be JSON. */
  readonly links?: RouteLinks;
  readonly raises: readonly string[];
  /** Accepts the bootstrap header in place of an admin key (POST /api/keys only). */
  readonly bootstrap?: boolean;
  readonly upload?: UploadRule;
  /** Maximum size of a JSON or form body, in bytes, instead of the default of one megabyte. */
  readonly maxBodyBytes?: number;
  /** Maximum number of arrays, objects and values in a JSON body, instead of the default of 10,000. */
  readonly maxBodyValues?: number;
  readonly stream?: StreamRule;
  /** Only programs read the response: errors are sent as JSON, even below the address of a page. */
  readonly isForPrograms?: boolean;
  readonly throttle?: ThrottleRule;
  /** The scope that a key with scopes needs, when the tag does not determine it; null requires none. */
  readonly scope?: Scope | null;
  /** `read`: the handler receives the device's hash; `make`: a device is created when the request has none. */
  readonly device?: 'read' | 'make';
  /** The request contains personal data: error messages never repeat it. */
  readonly isPrivate?: boolean;
  /** Deadline in seconds, instead of the default of 30: for responses that a model may write. */
  readonly deadlineSeconds?: number;
  /** Returns whether this request only continues one that was counted earlier: it is then neither charged nor throttled. */
  resumes?(context: Context<S>, headers: Input<R>['headers']): Promise<boolean>;
  /**
   * Verifies the secret of an address that contains one, before the body is read. When it returns false, the response is that of
   * an unknown address, and the request counts as an attempt to guess the secret.
   */
  admits?(context: Context<S>, params: Readonly<Record<string, string>>): boolean;
  handle(context: Context<S>, input: Input<R>): Promise<Reply>;
}

/** Defines a route and preserves the inference of its request types. */
export const defineRoute = <S, R extends RequestSchemas>(route: Route<S, R>): Route<S> => route as unknown as Route<S>;

/** One instance of a page that is generated ahead of time. */
export interface PageInstance {
  readonly params: Readonly<Record<string, string>>;
  /** A version that changes whenever anything that the page shows changes. */
  readonly version: string;
  /** Time of the last change in RFC 3339, for the sitemap's `lastmod`. Null when unknown. */
  readonly changedAt: string | null;
}

export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** JSON-LD objects. */
  readonly structuredData?: readonly object[];
  /** An Atom feed about the subject of the page. */
  readonly feed?: { readonly title: string; readonly href: string };
  readonly noindex?: boolean;
  /** The page shows input of the reader: it must not be cached. */
  readonly noStore?: boolean;
  /** The address may contain a secret: the page must not be cached or indexed, and its address is not sent as a referrer. */
  readonly isSecret?: boolean;
}

/** The result of `load`: the view that the template declares, a redirect, or a missing resource. */
export type PageView<V = Record<string, unknown>> =
  | { readonly head: PageHead; readonly view: V }
  | { readonly redirect: string; readonly status?: 301 | 302 | 303 }
  | { readonly missing: { readonly resource: string; readonly id: string; readonly near?: readonly Near[] } };

/** A suggestion for a page that the reader may have meant. */
export interface Near {
  readonly name: string;
  readonly href: string;
}

export type SitemapPart =
  | 'static'
  | 'supplements'
  | 'conditions'
  | 'interactions'
  | 'articles'
  | 'biomarkers'
  | 'products';

/**
 * One page definition, which is served live and, when it has a `list`, generated ahead of time with the same `load` and template.
 */
export interface Page<
  S = unknown,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  V extends TSchema = TSchema,
> {
  readonly id: string;
  /** The path, such as `/supplements/{slug}`; `{+name}` at the end matches several segments, as in `/page/{+page_path}`. */
  readonly path: string;
  readonly summary: string;
  /** Path of the template under templates/, without the extension. */
  readonly template: string;
  readonly params?: P;
  readonly query?: Q;
  /** The variables of the template, validated before each render. */
  readonly view: V;
  readonly scope: 'public' | 'device';
  readonly sitemap: SitemapPart | null;
  /** Section of the page in /llms.txt, and whether /llms-full.txt contains its text. Requires a `list`. */
  readonly llms?: { readonly section: string; readonly isInFull: boolean };
  /** Increase it when `load` changes its output although the data is unchanged. */
  readonly revision: number;
  list?(context: Context<S>): AsyncIterable<PageInstance> | Iterable<PageInstance>;
  /**
   * Returns the instances whose entry in `list` changed since the state `since`, so that a build of tens of thousands of pages
   * need not list all of them. When `since` is null, only the state is returned. When `changed` is null, the caller must use
   * `list`.
   */
  changes?(context: Context<S>, since: string | null): Promise<PageChanges>;
  load(
    context: Context<S>,
    request: { readonly params: Static<P>; readonly query: Static<Q> },
  ): Promise<PageView<Static<V>>>;
  /**
   * Loads many instances at once and returns their views in the same order, so that `generate` queries the database once per
   * batch for kinds with thousands of pages.
   */
  loadMany?(context: Context<S>, params: readonly Static<P>[]): Promise<readonly PageView<Static<V>>[]>;
}

export const definePage = <S, P extends TSchema, Q extends TSchema, V extends TSchema>(
  page: Page<S, P, Q, V>,
): Page<S> => page as unknown as Page<S>;

export interface PageChanges {
  /** Identifies the state of all data of the list; it is read before the changes, and is the `since` of the next call. */
  readonly state: string;
  /** Null when pages were added or removed, or when the changes cannot be determined. */
  readonly changed: readonly PageInstance[] | null;
}

/** A scheduled job; it must be safe to run twice. */
export interface Job<S = unknown> {
  readonly id: string;
  readonly summary: string;
  /** A cron expression in UTC; null when the job is run manually only. */
  readonly schedule: string | null;
  readonly timeoutSeconds: number;
  enabled?(config: Config): boolean;
  /**
   * Returns whether a scheduled run is due; it is not called for manual runs. False skips the run without recording it. Such a
   * job can be deferred: it waits while plugins do background work or pages are generated.
   */
  due?(context: Context<S>): Promise<boolean>;
  run(context: Context<S>): Promise<Readonly<Record<string, number>>>;
}

/** Work that a plugin does in the background while the site is served, such as loading a large starter set. */
export interface BackgroundStage {
  readonly name: string;
  readonly status: 'ok' | 'running' | 'failed' | 'stale';
  readonly startedAt: Date | null;
  readonly succeededAt: Date | null;
  readonly done: number;
  /** Null when the total is unknown. */
  readonly total: number | null;
  /** The reason why the work is paused, when it neither finished nor failed. */
  readonly note?: string;
}

/** A sub-command of `node core/main.ts`; `run` returns the exit status. */
export interface Command<S = unknown> {
  readonly id: string;
  readonly summary: string;
  readonly usage: string;
  run(context: Context<S>, args: readonly string[], out: (line: string) => void): Promise<number>;
}

/** An importer for one kind of file, which `npm run import -- <id> <path…>` runs. */
export interface Importer<S = unknown> {
  readonly id: string;
  readonly summary: string;
  /** Its arguments are options instead of paths. `run` receives them unchanged and validates them; it throws UsageError. */
  readonly takesOptions?: boolean;
  /** Reads existing files or folders in sequence; the import is idempotent. Returns whether everything was imported. */
  run(context: Context<S>, paths: readonly string[], out: (line: string) => void): Promise<boolean>;
}

/** A plugin's reader of `content/`; it runs at every start and in `generate`. */
export interface ContentSource<S = unknown> {
  readonly id: string;
  /** Returns whether the file belongs to this source; the path is relative to content/. */
  matches(path: string): boolean;
  /** Applies all changed files (compared by digest) and all removed files; throws ContentError with file, line and field. */
  sync(context: Context<S>, files: readonly ContentFile[], gone: readonly string[], em: EntityManager): Promise<void>;
  /** Returns the contents of one file for `npm run content:check`; throws ContentError when its schema rejects the file. */
  review?(file: ContentFile): Reviewed;
  /** Invalidates caches of the previous content; called after the transaction of `sync` is committed. */
  committed?(services: S): void;
}

export interface ContentFile {
  readonly path: string;
  readonly text: string;
  readonly digest: string;
}

/** The licence under which rows may be redistributed. */
export interface DatasetLicence {
  /** Identifier in the SPDX licence list. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Full sentences on the scope of the licence, the part in the public domain, and the licence information in each row. */
  readonly terms: string;
}

/**
 * Rows that anyone may download as a file, each identical to its representation in the API. A dataset contains no personal data,
 * keys or messages.
 */
export interface Dataset<S = unknown> {
  /** Name in lower case with hyphens; it is also the file name. */
  readonly name: string;
  readonly title: string;
  /** Description of one sentence. */
  readonly description: string;
  readonly licence: DatasetLicence;
  readonly row: TSchema;
  /** The member that is unique in each row and by which the rows are ordered. */
  readonly key: string;
  /** The tables that are read. A test compares this list with the queries that run and with the tables of personal data. */
  readonly tables: readonly string[];
  /**
   * Yields some hundred rows at a time, in a stable order of the database. A row that exists during the whole download is yielded
   * once, in its state when its batch is read; no transaction is open between two batches.
   */
  rows(context: Context<S>): AsyncIterable<readonly object[]>;
}

/** One metric of a plugin. Its name gets a prefix, and the plugin's name is added as a label. */
export interface Gauge {
  /** Name in snake_case with its unit, such as `queue_length` or `oldest_seconds`. Plugins share a name for the same quantity. */
  readonly name: string;
  readonly help: string;
  readonly value: number;
  /** Label values from a fixed set in the program: never from a request or a row. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** An event that the service posts to registered webhooks. */
export interface EventDefinition {
  /** The type, such as `evidence.retracted`. */
  readonly type: string;
  readonly summary: string;
  /** The schema of the whole request body. */
  readonly body: TSchema;
  /** An example body that is valid under the schema. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Headers of the request, by name. */
  readonly headers: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the list of plugins is heterogeneous; each one is checked where it is defined
export type AnyPlugin = Plugin<any>;

export interface Plugin<S = unknown> {
  readonly name: string;
  readonly summary: string;
  readonly dependencies: readonly AnyPlugin[];
  readonly settings?: readonly SettingDefinition[];
  readonly errors?: readonly ErrorDefinition[];
  readonly entities?: readonly unknown[];
  readonly routes?: readonly Route<S>[];
  readonly pages?: readonly Page<S>[];
  readonly jobs?: readonly Job<S>[];
  readonly commands?: readonly Command<S>[];
  readonly importers?: readonly Importer<S>[];
  readonly content?: readonly ContentSource<S>[];
  readonly events?: readonly EventDefinition[];
  readonly datasets?: readonly Dataset<S>[];
  start(host: Host): Promise<S> | S;
  /** Prepares the plugin after content/ is synchronized and before any request is served. */
  ready?(context: Context<S>): Promise<void>;
  /**
   * Starts long work of a server. It is called after the first pages are generated, so that it delays neither them nor readers.
   */
  background?(services: S): void;
  /** Builds caches that the first reader would otherwise wait for. It is called once, after the first pages are generated. */
  warm?(context: Context<S>): Promise<void>;
  /** Returns the gatekeeper, which authorizes callers; only the plugin that manages keys has one. */
  gatekeeper?(services: S): Gatekeeper;
  /** Returns the health of the plugin's parts for /api/health: `ok`, `degraded` or `down`. */
  checks?(services: S): Promise<Readonly<Record<string, 'ok' | 'degraded' | 'down'>>>;
  /** Returns the state of background work for /api/pipeline/status. */
  stages?(services: S): readonly BackgroundStage[];
  /** Returns metrics for operators, such as the length of a queue; it runs on every scrape of /metrics, so it must be cheap. */
  gauges?(services: S): Promise<readonly Gauge[]>;
  /** Checks settings, rows and files for `npm run doctor`, which does not start any plugin. Must not change anything. */
  diagnose?(diagnosis: Diagnosis): Promise<readonly Finding[]>;
  /** Returns members to add to /api/health, such as `index_version`. */
  versions?(services: S): Readonly<Record<string, string>>;
  /** Closes open streams with a final message and refuses new ones; called shortly before the process ends. */
  endStreams?(services: S): Promise<void>;
  stop?(services: S): Promise<void>;
}

export const definePlugin = <S>(plugin: Plugin<S>): Plugin<S> => plugin;
