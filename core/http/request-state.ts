/** Defines the state of a request that the middleware shares. */
import type Koa from 'koa';
import type { AnyPlugin, Context, Session } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import type { Principal } from './gatekeeper.ts';

export interface RequestState {
  requestId: string;
  address: string;
  signal: AbortSignal;
  /** The route's pattern, for the log; the path itself may contain health data and is never logged. */
  matched: string;
  /** Whether the response may contain a secret, so that it is not compressed; when unset, Cache-Control decides. */
  mayHoldSecret?: boolean;
  /** Whether errors are sent as JSON, whatever the path. */
  isForPrograms?: boolean;
  /** Ends the request because the caller's key is no longer valid, even when a part of the response was sent. */
  endKey(): void;
  /** Counts the request as in flight from now on, because its body was received. */
  beginWork(): void;
  /** Suspends the deadline, because the time for receiving an upload does not count. */
  holdDeadline(): void;
  /** Starts the deadline; without an argument, the default one. */
  startDeadline(milliseconds?: number): void;
}

/** The caller: the principal, and the device and session where the route uses them. */
export interface Caller {
  readonly principal: Principal;
  readonly device: string | null;
  readonly session: Session;
}

export type HttpContext = Koa.ParameterizedContext<RequestState>;

/** Converts `/api/keys/{id}` to the router's syntax; `{+path}` at the end of a page's path matches several segments. */
export const routerPath = (path: string): string => path.replace(/\{\+(\w+)\}$/, '*$1').replace(/\{(\w+)\}/g, ':$1');

/** Builds the context that a handler of `plugin` receives for this request. */
export const contextFor = (
  runtime: Runtime,
  plugin: AnyPlugin,
  state: Pick<RequestState, 'requestId' | 'signal'>,
  caller: Caller,
): Context => runtime.contextOf(plugin, { requestId: state.requestId, signal: state.signal, ...caller });
