/**
 * What goes on for a key ends with the key: a download, a stream, an answer that takes long. Each process asks every second
 * which keys of such requests have been ended, on whatever node that was done.
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
  /** Calls `end` once the caller's key was ended; the answer stops the watching. */
  watch(principal: Principal, end: () => void): () => void;
}

/** Asks nothing while no request is older than a look. */
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
