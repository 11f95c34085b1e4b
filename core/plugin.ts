/** The whole plugin contract. A plugin is a value: importing it does nothing; `start` is the only place that opens anything. */
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
  /** Runs reads; nothing is flushed. */
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Runs in one transaction: all of it or nothing. */
  write<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  readonly kind: 'pglite' | 'postgresql';
}

/** All that a plugin may touch while it starts. */
export interface Host {
  readonly config: Config;
  readonly log: Log;
  readonly db: Database;
  readonly search: SearchFactory;
  /** Language, vision, embedding and reranking models; each null when the operator configured none. */
  readonly models: Models;
  readonly secrets: Secrets;
  /** What all nodes count together. */
  readonly counters: Counters;
  /** Bytes that are too large for the database. */
  readonly objects: ObjectStore;
  /** The folder editors write in. */
  readonly contentDir: string;
  /** This plugin's own folder under DATA_DIR; made on first use. */
  dataDir(): Promise<string>;
  /** The services of a plugin that this one declares as a dependency. */
  use<S>(plugin: Plugin<S>): S;
  /** What this process runs: background work (index catch-up, jobs) belongs to `serve` only. */
  readonly role: 'serve' | 'command';
}

/** What a signed cookie keeps between the pages of one visit: ids, never values. */
export interface Session {
  get(name: string): string | null;
  /** Null forgets it. */
  set(name: string, value: string | null): void;
}

/** The API as all plugins together declare it: for pages and programs that explain it. */
export interface Api {
  /** OpenAPI 3.1 of every route, at the public address. */
  describe(): OpenAPIV3_1.Document;
  /** Every code that an error may have: core's first. */
  readonly errors: readonly ErrorDefinition[];
  /**
   * Calls a route from within, without charge or throttle: as a caller, with that caller's access, or as the house
   * itself (null), for examples on pages.
   * @throws AppError what the route throws, or what the caller may not do
   */
  call(caller: Principal | null, routeId: string, request: InnerRequest): Promise<Reply>;
}

/** A set of rows of some plugin, bound to it. */
export interface OfferedDataset extends Omit<Dataset, 'rows'> {
  /** Ends with the signal. */
  rows(signal: AbortSignal): AsyncIterable<readonly object[]>;
}

/** All that a handler, page, job or command receives. */
export interface Context<S = unknown> {
  readonly services: S;
  /** The hash of the caller's device cookie; null without one, and for routes that do not ask for it. */
  readonly device: string | null;
  /** Of routes and pages that know the device; empty for all else. */
  readonly session: Session;
  readonly secrets: Secrets;
  readonly db: Database;
  /** As the host's. */
  readonly models: Models;
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly principal: Principal;
  readonly requestId: string;
  readonly api: Api;
  /** What plugins offer to be taken along, in the order of the plugins. */
  readonly datasets: readonly OfferedDataset[];
  use<T>(plugin: Plugin<T>): T;
}

/** A success answer; every other answer is an error code named in `raises`. */
export interface ReplySchema {
  readonly status: number;
  readonly mediaType: string;
  readonly description: string;
  readonly schema?: TSchema;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a string, buffer or stream as it is, with `type`. */
  readonly body?: unknown;
  readonly type?: string;
  /** Instead of a body: a page that is shown once, in answer to what was sent. No cache keeps it. */
  readonly page?: ShownPage;
  /** The browser is told to forget the device: all that was kept for it is gone. */
  readonly forgetsDevice?: boolean;
}

/** A page with what stands on it. */
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

/** A file of an upload: on disk while the handler runs, removed afterwards. */
export interface UploadedFile {
  readonly field: string;
  readonly path: string;
  /** As the sender called it: shown at most, never trusted. */
  readonly name: string;
  readonly bytes: number;
}

/** The route takes multipart/form-data; its text fields are checked by `request.body`. */
export interface UploadRule {
  /** Names of the fields that carry files, as OpenAPI shows them. */
  readonly fields: readonly string[];
  /** Of one file; more is 413. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** The handler reads the body itself, as it comes: it may come for hours, as long as its sender is never silent. */
export interface StreamRule {
  /** Any other is 415. */
  readonly mediaType: string;
}

/** A fixed limit of its own, beside the quota: per address, or per key where one is sent. */
export interface ThrottleRule {
  readonly bucket: string;
  readonly perMinute: number;
  readonly perDay?: number;
}

type StaticOr<T> = T extends TSchema ? Static<T> : Record<string, never>;

/** What a route is called with from within: values as they come out of JSON. */
export interface InnerRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Calls another route as the same caller: access, throttle, checks and answer are those of HTTP, and the quota is not
 * charged again.
 * @throws AppError what the route throws, or what the caller may not do
 */
export type CallRoute = (routeId: string, request: InnerRequest) => Promise<Reply>;

/** A request after validation: defaults filled in, numbers and booleans converted, "" dropped. */
export interface Input<R extends RequestSchemas> {
  readonly params: StaticOr<R['params']>;
  readonly query: StaticOr<R['query']>;
  readonly body: StaticOr<R['body']>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty for routes without `upload`. */
  readonly files: readonly UploadedFile[];
  /** Null for routes without `stream`. It fails when the sender leaves; what is not read of it is passed over. */
  readonly stream: Readable | null;
  readonly call: CallRoute;
}

/**
 * Where a success answer leads: by the id of a route, its parameters by name. A value is where it stands: a JSON Pointer into
 * the answer (`/results/0/source_id`), or a parameter of this request (`$request.path.id`).
 */
export type RouteLinks = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One value gives the router entry, the validators, the types, the access rule and the OpenAPI operation. */
export interface Route<S = unknown, R extends RequestSchemas = RequestSchemas> {
  readonly id: string;
  readonly method: Method;
  /** As OpenAPI writes it: `/api/keys/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  readonly request: R;
  readonly replies: readonly ReplySchema[];
  /** Of the first reply, which is JSON. */
  readonly links?: RouteLinks;
  readonly raises: readonly string[];
  /** Accepts the bootstrap header in place of an admin key (POST /api/keys only). */
  readonly bootstrap?: boolean;
  readonly upload?: UploadRule;
  /** Of a JSON or form body, instead of the usual megabyte. */
  readonly maxBodyBytes?: number;
  /** Lists, objects and values in a JSON body, instead of the usual 10,000. */
  readonly maxBodyValues?: number;
  readonly stream?: StreamRule;
  /** No person reads what it answers: failures are told as JSON, also below a page's address. */
  readonly isForPrograms?: boolean;
  readonly throttle?: ThrottleRule;
  /** What a key with scopes needs, where its tag does not say so; null: nothing. */
  readonly scope?: Scope | null;
  /** `read`: the handler sees the device's hash; `make`: a device is made when the request has none. */
  readonly device?: 'read' | 'make';
  /** What is sent says something of a person: errors never repeat it. */
  readonly isPrivate?: boolean;
  /** Instead of the usual 30: for answers that a model may write. */
  readonly deadlineSeconds?: number;
  /** Whether this request only goes on with one that was counted before: it is then neither charged nor throttled. */
  resumes?(context: Context<S>, headers: Input<R>['headers']): Promise<boolean>;
  /**
   * For addresses that are a secret: compares it before the body is read. False is answered as an address that does not
   * exist, and counts as a guess.
   */
  admits?(context: Context<S>, params: Readonly<Record<string, string>>): boolean;
  handle(context: Context<S>, input: Input<R>): Promise<Reply>;
}

/** Keeps the inference of a route's own request types. */
export const defineRoute = <S, R extends RequestSchemas>(route: Route<S, R>): Route<S> => route as unknown as Route<S>;

/** One instance of a page that is generated ahead of time. */
export interface PageInstance {
  readonly params: Readonly<Record<string, string>>;
  /** Changes whenever anything that the page shows changes. */
  readonly version: string;
  /** RFC 3339; the sitemap's `lastmod`. Null when unknown. */
  readonly changedAt: string | null;
}

export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** JSON-LD objects. */
  readonly structuredData?: readonly object[];
  /** An Atom feed of what the page is about. */
  readonly feed?: { readonly title: string; readonly href: string };
  readonly noindex?: boolean;
  /** The page shows what a reader typed: no cache keeps it. */
  readonly noStore?: boolean;
  /** Its address may hold a secret: no cache keeps it, no search engine lists it, no other page is told of it. */
  readonly isSecret?: boolean;
}

/** What `load` answers: the view that the template declares, or where to go instead. */
export type PageView<V = Record<string, unknown>> =
  | { readonly head: PageHead; readonly view: V }
  | { readonly redirect: string; readonly status?: 301 | 302 | 303 }
  | { readonly missing: { readonly resource: string; readonly id: string; readonly near?: readonly Near[] } };

/** A page that a lost reader may have meant. */
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

/** One value is served live and, where it has a `list`, generated ahead of time by the same `load` and template. */
export interface Page<
  S = unknown,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  V extends TSchema = TSchema,
> {
  readonly id: string;
  /** `/supplements/{slug}`; `{+name}` at the end takes several segments, as in `/page/{+page_path}`. */
  readonly path: string;
  readonly summary: string;
  /** Under templates/, without the ending. */
  readonly template: string;
  readonly params?: P;
  readonly query?: Q;
  /** The variables the template gets, checked before each render. */
  readonly view: V;
  readonly scope: 'public' | 'device';
  readonly sitemap: SitemapPart | null;
  /** Its place in /llms.txt, and whether its text stands in /llms-full.txt. Needs a `list`. */
  readonly llms?: { readonly section: string; readonly isInFull: boolean };
  /** Raise it when `load` changes what it shows without a change of the data. */
  readonly revision: number;
  list?(context: Context<S>): AsyncIterable<PageInstance> | Iterable<PageInstance>;
  /**
   * For kinds with tens of thousands of pages: what `list` would give otherwise than when it gave `since`, so that a
   * build need not ask for all. Null asks for the state only. Without `changed`, `list` has to be asked.
   */
  changes?(context: Context<S>, since: string | null): Promise<PageChanges>;
  load(
    context: Context<S>,
    request: { readonly params: Static<P>; readonly query: Static<Q> },
  ): Promise<PageView<Static<V>>>;
  /**
   * What `load` answers, for many instances at once and in their order: for kinds with thousands of pages, so that
   * `generate` asks the database once per batch.
   */
  loadMany?(context: Context<S>, params: readonly Static<P>[]): Promise<readonly PageView<Static<V>>[]>;
}

export const definePage = <S, P extends TSchema, Q extends TSchema, V extends TSchema>(
  page: Page<S, P, Q, V>,
): Page<S> => page as unknown as Page<S>;

export interface PageChanges {
  /** Of all that the list is made of, read before the changes are: the `since` of next time. */
  readonly state: string;
  /** Null when pages came or went, or when that cannot be told. */
  readonly changed: readonly PageInstance[] | null;
}

/** Scheduled work; safe to run twice. */
export interface Job<S = unknown> {
  readonly id: string;
  readonly summary: string;
  /** A cron expression, UTC; null runs by hand only. */
  readonly schedule: string | null;
  readonly timeoutSeconds: number;
  enabled?(config: Config): boolean;
  /**
   * Asked at each time of the schedule, and not where somebody runs the job by hand: false leaves this time out, without
   * a trace. Such a job can wait, and does while plugins or the generation of pages are at work behind the site.
   */
  due?(context: Context<S>): Promise<boolean>;
  run(context: Context<S>): Promise<Readonly<Record<string, number>>>;
}

/** Work that a plugin does behind the running site, such as loading a large starter set. */
export interface BackgroundStage {
  readonly name: string;
  readonly status: 'ok' | 'running' | 'failed' | 'stale';
  readonly startedAt: Date | null;
  readonly succeededAt: Date | null;
  readonly done: number;
  /** Null when it cannot be known. */
  readonly total: number | null;
  /** Why it does not go on, where that is neither its end nor a failure. */
  readonly note?: string;
}

/** A sub-command of `node core/main.ts`; answers the exit status. */
export interface Command<S = unknown> {
  readonly id: string;
  readonly summary: string;
  readonly usage: string;
  run(context: Context<S>, args: readonly string[], out: (line: string) => void): Promise<number>;
}

/** A kind of file that `npm run import -- <id> <path…>` reads. */
export interface Importer<S = unknown> {
  readonly id: string;
  readonly summary: string;
  /** Its arguments are options, which `run` gets as they were given instead of paths and checks itself: it throws UsageError. */
  readonly takesOptions?: boolean;
  /** Reads files or folders that exist, one after the other; the same twice changes nothing. Answers whether all of it went in. */
  run(context: Context<S>, paths: readonly string[], out: (line: string) => void): Promise<boolean>;
}

/** What a plugin reads from `content/`; run at every start and by `generate`. */
export interface ContentSource<S = unknown> {
  readonly id: string;
  /** Files, relative to content/, that belong to it. */
  matches(path: string): boolean;
  /** Takes all files that changed (by digest) and those that went; throws ContentError naming file, line and field. */
  sync(context: Context<S>, files: readonly ContentFile[], gone: readonly string[], em: EntityManager): Promise<void>;
  /** What one file holds, for `npm run content:check`; throws ContentError where its schema refuses it. */
  review?(file: ContentFile): Reviewed;
  /** Once what `sync` wrote can be read by everyone: what is kept of the content before must go. */
  committed?(services: S): void;
}

export interface ContentFile {
  readonly path: string;
  readonly text: string;
  readonly digest: string;
}

/** Under which terms rows may be passed on. */
export interface DatasetLicence {
  /** Of the SPDX list. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** In sentences: what it covers, what is in the public domain, and what each row says of itself. */
  readonly terms: string;
}

/**
 * Rows that anybody may take along as a file: each exactly as the API answers it. Nothing of a person is in it, no key,
 * no message.
 */
export interface Dataset<S = unknown> {
  /** In lower case with hyphens; the name of its file. */
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  readonly licence: DatasetLicence;
  readonly row: TSchema;
  /** The member that is different in each row, and by which they are ordered. */
  readonly key: string;
  /** The tables it is read from: a test holds what is read against them, and them against those of people. */
  readonly tables: readonly string[];
  /**
   * Some hundred rows at a time, in an order that stays, as the database keeps it. What is there all the while comes
   * once, as it is when its part is read; no transaction is held between two parts.
   */
  rows(context: Context<S>): AsyncIterable<readonly object[]>;
}

/** One figure of a plugin. Its name gets a prefix, and the plugin's name as a label. */
export interface Gauge {
  /** In snake_case with its unit: `queue_length`, `oldest_seconds`. Plugins share a name for the same thing. */
  readonly name: string;
  readonly help: string;
  readonly value: number;
  /** Values from a set that the program knows: never from a request or a row. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What the service posts to whoever registered for it, of its own accord. */
export interface EventDefinition {
  /** `evidence.retracted`. */
  readonly type: string;
  readonly summary: string;
  /** The whole body, as it is posted. */
  readonly body: TSchema;
  /** A body that the schema allows. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Headers that come with it, by name. */
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
  /** After content/ is in and before anything is served. */
  ready?(context: Context<S>): Promise<void>;
  /** Begins long work of a server: once the first pages are out, so that it delays neither them nor readers. */
  background?(services: S): void;
  /** The one plugin that knows keys says who may call what. */
  gatekeeper?(services: S): Gatekeeper;
  /** Health of a part, for /api/health: `ok`, `degraded` or `down`. */
  checks?(services: S): Promise<Readonly<Record<string, 'ok' | 'degraded' | 'down'>>>;
  /** Work that goes on in the background, for /api/pipeline/status. */
  stages?(services: S): readonly BackgroundStage[];
  /** Figures for operators, such as how much waits in a queue; read at each look at /metrics, so let it cost little. */
  gauges?(services: S): Promise<readonly Gauge[]>;
  /** For `npm run doctor`, which starts no plugin: what settings, rows and files say of it. Changes nothing. */
  diagnose?(diagnosis: Diagnosis): Promise<readonly Finding[]>;
  /** Members that /api/health adds, such as `index_version`. */
  versions?(services: S): Readonly<Record<string, string>>;
  /** The process ends soon: what is going on for readers, such as a stream, ends with a word, and nothing new begins. */
  endStreams?(services: S): Promise<void>;
  stop?(services: S): Promise<void>;
}

export const definePlugin = <S>(plugin: Plugin<S>): Plugin<S> => plugin;
