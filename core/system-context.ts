import { NO_SESSION } from './http/session.ts';
import type { AnyPlugin, Context } from './plugin.ts';
import type { Runtime } from './runtime.ts';

/** A context for work that no request started: pages, jobs, commands. */
export const systemContext = (runtime: Runtime, plugin: AnyPlugin, signal: AbortSignal): Context =>
  runtime.contextOf(plugin, {
    requestId: 'system',
    signal,
    principal: { kind: 'anonymous', address: '' },
    device: null,
    session: NO_SESSION,
  });
