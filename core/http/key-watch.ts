/**
 * Ends running requests of a key that is no longer valid, such as downloads, streams and slow responses. Each process
 * queries every second which keys of such requests were deactivated, on any node, or have expired.
 */
import type { Log } from '../log.ts';
import type { Gatekeeper, Principal } from './gatekeeper.ts';

const LOOK_MS = 1_000;

interface Watched {
  readonly keyId: string;
  readonly since: number;
  end(): void;
}

export interface KeyWatch {
  /** Calls `end` when the caller's key is no longer valid; the returned function stops the watch. */
  watch(principal: Principal, end: () => void): () => void;
}

/** Creates the watch, which makes no query while no request is older than the polling interval. */
export const createKeyWatch = (gatekeeper: Gatekeeper | null, log: Log): KeyWatch => {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | null = null;
  const look = async (): Promise<void> => {
    const old = [...watched].filter(({ since }) => since <= performance.now() - LOOK_MS);
    if (!old.length || !gatekeeper) return;
    const ended = await gatekeeper.endedAmong([...new Set(old.map(({ keyId }) => keyId))]);
    for (const one of old) if (ended.has(one.keyId)) one.end();
  };
  const plan = (): void => {
    if (timer || !watched.size) return;
    timer = setTimeout(() => {
      look()
        .catch((error) => log.warn('keys_not_watched', { error }))
        .finally(() => {
          timer = null;
          plan();
        });
    }, LOOK_MS);
    timer.unref();
  };
  return {
    watch: (principal, end) => {
      if (principal.kind !== 'key') return () => undefined;
      const entry = { keyId: principal.keyId, since: performance.now(), end };
      watched.add(entry);
      plan();
      return () => void watched.delete(entry);
    },
  };
};
