import type { EventDefinition, Host } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { endEndpointsOf } from './endpoints.ts';
import { eventDefinitions } from './events/event-types.ts';
import type { EventSetting } from './outbox.ts';
import { type SendRules, sendRules } from './sending/send.ts';
import { createWorker, type Worker } from './worker.ts';

const KEY_ENDED = 'The key that set it up was deactivated';

export interface WebhookServices {
  readonly worker: Worker;
  readonly rules: SendRules;
  readonly events: readonly EventDefinition[];
  readonly now: () => Date;
  /** Returns the number of deliveries that are still attempted. */
  waiting(): Promise<number>;
  /** Returns the common fields of an event that is created now. */
  setting(): EventSetting;
}

export const startWebhooks = (host: Host): WebhookServices => {
  const { db, log, secrets, config } = host;
  const rules = sendRules(config.flag('WEBHOOK_ALLOW_PRIVATE'));
  const baseUrl = config.text('BASE_URL');
  const now = (): Date => new Date();
  host.use(keysPlugin).store.addTrace({
    name: 'webhooks',
    end: async (em, { ids, keep }) => (keep.includes('webhooks') ? [] : endEndpointsOf(em, ids, KEY_ENDED)),
  });
  const indexVersion = (): string => host.use(evidencePlugin).index.state().version;
  return {
    worker: createWorker({ db, log, secrets, rules, baseUrl, indexVersion, now, random: Math.random }),
    rules,
    events: eventDefinitions(baseUrl),
    now,
    waiting: async () => {
      const [row] = (await db.read((em) =>
        em.execute("select count(*)::int as n from webhook_delivery where state = 'waiting'"),
      )) as unknown as { n: number }[];
      return row?.n ?? 0;
    },
    setting: () => ({ baseUrl, indexVersion: indexVersion(), now: now() }),
  };
};
