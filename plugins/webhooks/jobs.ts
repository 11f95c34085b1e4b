/** Purges old deliveries and reseals secrets. */
import { inBatches } from '#core/db/batches.ts';
import { resealTables } from '#core/db/reseal.ts';
import type { Job } from '#core/plugin.ts';
import { SEAL_PURPOSE } from './signing.ts';

/** Retention of the log of deliveries, in days. */
export const KEEP_DAYS = 30;

const DELIVERIES = `with old as (select id from webhook_delivery
    where created_at < now() - interval '${KEEP_DAYS} days' limit ?),
  gone as (delete from webhook_delivery where id in (select id from old) returning 1)
  select count(*)::int as count from gone`;
const EVENTS = `with old as (select v.id from webhook_event v where v.created_at < now() - interval '${KEEP_DAYS} days'
    and not exists (select 1 from webhook_delivery d where d.event_id = v.id) limit ?),
  gone as (delete from webhook_event where id in (select id from old) returning 1)
  select count(*)::int as count from gone`;

export const purgeDeliveries: Job = {
  id: 'purge_webhook_deliveries',
  summary: `forget deliveries to webhooks after ${KEEP_DAYS} days`,
  schedule: '53 2 * * *',
  timeoutSeconds: 600,
  run: async (context) => ({
    deliveries: await inBatches(context, DELIVERIES),
    events: await inBatches(context, EVENTS),
  }),
};

/** Reseals secrets after a change of APP_SECRET: those sealed with the previous one are sealed with the current one. */
export const resealWebhooks: Job = {
  id: 'reseal_webhook_secrets',
  summary: 'seal secrets of webhooks anew that an APP_SECRET_PREVIOUS sealed',
  schedule: '57 2 * * *',
  timeoutSeconds: 600,
  run: async (context) => ({
    resealed: await resealTables(context, [{ table: 'webhook_endpoint', key: 'id', purpose: SEAL_PURPOSE }]),
  }),
};
