/** What one request carries on its way through the app. */
import type Koa from 'koa';
import type { AnyPlugin, Context, Session } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import type { Principal } from './gatekeeper.ts';

export interface RequestState {
  requestId: string;
  address: string;
  signal: AbortSignal;
  /** The route's pattern, for the log: never the address itself, which may hold health data. */
  matched: string;
  /** Whether the answer may hold what only this caller should read, and is not compressed; unset, Cache-Control tells. */
  mayHoldSecret?: boolean;
  /** Failures are told as JSON, wherever the route lies. */
  isForPrograms?: boolean;
  /** The caller's key was ended: so is this request, whatever it has sent so far. */
  endKey(): void;
  /** From now on it counts among those that are being worked on: its body is in. */
  beginWork(): void;
  /** Time spent receiving an upload does not count against the deadline. */
  holdDeadline(): void;
  /** Of the usual length unless told otherwise. */
  startDeadline(milliseconds?: number): void;
}

/** Who is calling: the key or address, and the device where the route asks for it. */
export interface Caller {
  readonly principal: Principal;
  readonly device: string | null;
  readonly session: Session;
}

export type HttpContext = Koa.ParameterizedContext<RequestState>;

/** `/api/keys/{id}` as the router writes it; `{+path}`, at the end of a page's address, takes several segments. */
export const routerPath = (path: string): string => path.replace(/\{\+(\w+)\}$/, '*$1').replace(/\{(\w+)\}/g, ':$1');

/** What a handler of `plugin` receives for this request. */
export const contextFor = (
  runtime: Runtime,
  plugin: AnyPlugin,
  state: Pick<RequestState, 'requestId' | 'signal'>,
  caller: Caller,
): Context => runtime.contextOf(plugin, { requestId: state.requestId, signal: state.signal, ...caller });
