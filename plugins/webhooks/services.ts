import type { EventDefinition, Host } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { eventDefinitions } from './events/event-types.ts';
import type { EventSetting } from './outbox.ts';
import { type SendRules, sendRules } from './sending/send.ts';
import { createWorker, type Worker } from './worker.ts';

export interface WebhookServices {
  readonly worker: Worker;
  readonly rules: SendRules;
  readonly events: readonly EventDefinition[];
  readonly now: () => Date;
  /** What an event that is made now says beside what happened. */
  setting(): EventSetting;
}

export const startWebhooks = (host: Host): WebhookServices => {
  const { db, log, secrets, config } = host;
  const rules = sendRules(config.flag('WEBHOOK_ALLOW_PRIVATE'));
  const baseUrl = config.text('BASE_URL');
  const now = (): Date => new Date();
  const indexVersion = (): string => host.use(evidencePlugin).index.state().version;
  return {
    worker: createWorker({ db, log, secrets, rules, baseUrl, indexVersion, now, random: Math.random }),
    rules,
    events: eventDefinitions(baseUrl),
    now,
    setting: () => ({ baseUrl, indexVersion: indexVersion(), now: now() }),
  };
};
