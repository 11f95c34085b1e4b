import { inBatches } from '#core/db/batches.ts';
import type { Job } from '#core/plugin.ts';

/** Days before an expired key is deleted. Until then callers get the error that the key has expired, not that it is unknown. */
const KEPT_DAYS = 30;

const KEYS = `with old as (select id from api_key
    where plan = 'sandbox' and expires_at < now() - make_interval(days => ?) limit ?),
  gone as (delete from api_key k using old where k.id = old.id returning 1)
  select count(*)::int as count from gone`;
/** Deletes the hashes once they no longer limit anything. */
const HASHES = `with old as (select key_id from sandbox_key where expires_at < now() limit ?),
  gone as (delete from sandbox_key s using old where s.key_id = old.key_id returning 1)
  select count(*)::int as count from gone`;

export const forgetSandboxKeys: Job = {
  id: 'forget_sandbox_keys',
  summary: 'delete sandbox keys a month after they expired, and the hashes of who asked once they have',
  schedule: '53 2 * * *',
  timeoutSeconds: 600,
  run: async (context) => ({
    hashes: await inBatches(context, HASHES),
    keys: await inBatches(context, KEYS, [KEPT_DAYS]),
  }),
};
