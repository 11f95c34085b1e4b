/**
 * Stores idempotent requests, which are executed once however often they are sent. While a request is executed, its row is a
 * lease that is renewed in the background, so that the lease of a killed process expires; afterwards it contains the sealed
 * response.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../plugin.ts';

/** Duration of the lease, in seconds; an expired lease may be claimed by another process. */
const CLAIM_SECONDS = 15;
const RENEW_MS = 5_000;
/** How long a response is stored, in hours. */
export const KEEP_HOURS = 24;

const CLAIM = `
  insert into idempotent_request as held (id, fingerprint, key_id, owner, claimed_until)
  values (?, ?, ?, ?, now() + make_interval(secs => ${CLAIM_SECONDS}))
  on conflict (id) do update set fingerprint = excluded.fingerprint, key_id = excluded.key_id, owner = excluded.owner,
    claimed_until = excluded.claimed_until, created_at = now(), sealed = null
  where (held.sealed is null and held.claimed_until < now())
    or held.created_at < now() - interval '${KEEP_HOURS} hours'
  returning id`;

const LOOK = `
  select fingerprint, sealed, sealed is null and claimed_until < now() as "isDead" from idempotent_request
  where id = ? and created_at >= now() - interval '${KEEP_HOURS} hours'`;

/** The row of an earlier or concurrent request with the same key. */
export interface Found {
  readonly fingerprint: string;
  /** Null while the request is being executed. */
  readonly sealed: Uint8Array | null;
  /** The lease has expired: the process was probably killed. */
  readonly isDead: boolean;
}

/** The lease of the caller. Either method ends it, and `forget` after `keep` has no effect. */
export interface Claim {
  keep(sealed: Uint8Array): Promise<void>;
  /** Deletes the row without a response: the next request is executed. */
  forget(): Promise<void>;
}

export interface IdempotentRequests {
  /** Claims the request, or returns the existing row. */
  claim(
    id: string,
    request: { readonly fingerprint: string; readonly keyId: string },
  ): Promise<{ readonly claim: Claim } | { readonly found: Found }>;
  find(id: string): Promise<Found | null>;
}

/** Maximum number of attempts, for rows that are deleted between the claim and the lookup. */
const TRIES = 3;

export const idempotentRequests = (db: Database): IdempotentRequests => {
  const run = (text: string, parameters: readonly unknown[]) => db.write((em) => em.execute(text, [...parameters]));
  const find = async (id: string): Promise<Found | null> => {
    const [row] = (await db.read((em) => em.execute(LOOK, [id]))) as unknown as readonly Found[];
    return row ?? null;
  };
  const claimed = (id: string, owner: string): Claim => {
    const renewal = setInterval(() => {
      run(
        `update idempotent_request set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
        where id = ? and owner = ?`,
        [id, owner],
      ).catch(() => undefined);
    }, RENEW_MS);
    renewal.unref();
    let isOpen = true;
    const end = async (text: string, parameters: readonly unknown[]): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(renewal);
      await run(`${text} where id = ? and owner = ?`, [...parameters, id, owner]);
    };
    return {
      keep: (sealed) => end('update idempotent_request set sealed = ?, created_at = now()', [sealed]),
      forget: () => end('delete from idempotent_request', []),
    };
  };
  return {
    find,
    claim: async (id, { fingerprint, keyId }) => {
      const owner = randomUUID();
      for (let tries = 0; tries < TRIES; tries += 1) {
        if ((await run(CLAIM, [id, fingerprint, keyId, owner])).length) return { claim: claimed(id, owner) };
        const found = await find(id);
        if (found) return { found };
      }
      return { found: { fingerprint, sealed: null, isDead: true } };
    },
  };
};
