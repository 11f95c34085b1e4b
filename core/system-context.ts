import { NO_SESSION } from './http/session.ts';
import type { AnyPlugin, Context } from './plugin.ts';
import type { Runtime } from './runtime.ts';

/** Returns a context for work that is not part of a request: pages, jobs, commands. */
export const systemContext = (runtime: Runtime, plugin: AnyPlugin, signal: AbortSignal): Context =>
  runtime.contextOf(plugin, {
    requestId: 'system',
    signal,
    principal: { kind: 'anonymous', address: '' },
    device: null,
    session: NO_SESSION,
  });
