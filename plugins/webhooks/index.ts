import { checkQueue } from '#core/doctor/finding.ts';
import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { webhooksCommand } from './commands.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { eventDefinitions } from './events/event-types.ts';
import { purgeDeliveries, resealWebhooks } from './jobs.ts';
import { webhookRoutes } from './routes.ts';
import { startWebhooks, type WebhookServices } from './services.ts';

/** Registers the plugin that posts changes of the base to registered endpoints, signed and with retries. */
export const webhooksPlugin = definePlugin<WebhookServices>({
  name: 'webhooks',
  summary: 'Changes of the base, posted to registered addresses',
  dependencies: [evidencePlugin, keysPlugin],
  settings: [
    {
      name: 'WEBHOOK_ALLOW_PRIVATE',
      kind: 'flag',
      fallback: 'off',
      meaning: 'Whether webhooks may use private addresses and http; for tests only.',
    },
  ],
  routes: [...webhookRoutes, ...deliveryRoutes],
  jobs: [purgeDeliveries, resealWebhooks],
  commands: [webhooksCommand],
  events: eventDefinitions('https://evidence.example'),
  start: startWebhooks,
  gauges: async ({ waiting }) => [
    { name: 'queue_length', help: 'What waits to be worked on, or is being worked on.', value: await waiting() },
  ],
  diagnose: (diagnosis) =>
    checkQueue(diagnosis, {
      id: 'webhook-deliveries',
      sql: `webhook_delivery join webhook_endpoint on webhook_endpoint.id = endpoint_id
        where state = 'waiting' and active and greatest(next_at, hold_until) < now() - interval '15 minutes'`,
      what: 'deliveries',
    }),
  background: ({ worker }) => worker.start(),
  stop: ({ worker }) => worker.stop(),
});
