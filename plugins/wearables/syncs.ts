/** Fetches the due days of connected vendors and revokes grants, sequentially in this process. */
import type { Log } from '#core/log.ts';
import type { Secrets } from '#core/secrets.ts';
import { putDays } from './daily/daily-store.ts';
import type { Connections } from './oauth/connections.ts';

export interface Syncs {
  /** Starts a run because something is due, such as a new connection; returns immediately. */
  wake(): void;
  /** Processes everything that is due. */
  run(signal?: AbortSignal): Promise<{ readonly synced: number; readonly failed: number; readonly revoked: number }>;
  stop(): Promise<void>;
}

interface Parts {
  readonly connections: Connections;
  readonly secrets: Secrets;
  readonly log: Log;
  /** False in an operator's command, which fetches nothing automatically. */
  readonly isServing: boolean;
}

/** Maximum number of connections per run; the rest is due in the next one. */
const BATCH = 20;

export const startSyncs = ({ connections, secrets, log, isServing }: Parts): Syncs => {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const runNow = async (given?: AbortSignal) => {
    const signal = given ? AbortSignal.any([given, stopping.signal]) : stopping.signal;
    let [synced, failed] = [0, 0];
    for (const { device, vendor } of await connections.due(BATCH)) {
      if (signal.aborted) break;
      const { outcome } = await connections.sync(
        device,
        vendor,
        (em, rows) => putDays({ em, secrets, device }, rows),
        signal,
      );
      if (outcome === 'synced') synced += 1;
      else failed += 1;
    }
    return { synced, failed, revoked: signal.aborted ? 0 : await connections.revokeLeft(signal) };
  };
  const run: Syncs['run'] = (signal) => {
    const own = running.then(() => runNow(signal));
    running = own.catch(() => undefined);
    return own;
  };
  return {
    run,
    wake: () => {
      if (isServing && !stopping.signal.aborted) run().catch((error) => log.error('wearable_sync_failed', { error }));
    },
    stop: async () => {
      stopping.abort(new Error('the server stops'));
      await running;
    },
  };
};
