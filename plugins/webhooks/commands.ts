/** Implements `npm run webhooks`: lists, tests, replays and disables webhooks on the host. */
import { AppError } from '#core/errors.ts';
import type { Command, Context } from '#core/plugin.ts';
import { queueTest, replayDelivery } from './deliveries.ts';
import { disableEndpoint, type EndpointRow, findEndpoint, listEndpoints } from './endpoints.ts';
import type { WebhookServices } from './services.ts';

const USAGE = 'webhooks list | webhooks test <id> | webhooks replay <id> <delivery id> | webhooks disable <id>';
const BY_OPERATOR = 'Switched off by the operator';
const QUEUED = 'is queued: a running server sends it within a second or two.';

type Given = Context<WebhookServices>;
type Out = (line: string) => void;

/** Formats an endpoint with its host only, because its URL may contain a token of the receiver. */
const lineOf = ({ id, url, events, active, consecutive_failures: failures, disabled_reason: reason }: EndpointRow) =>
  [id, active ? 'active' : 'off', `${failures} failures in a row`, new URL(url).host, events.join(','), reason ?? '']
    .filter(Boolean)
    .join('  ');

const list = async ({ db }: Given, out: Out): Promise<void> => {
  const rows = await db.read(listEndpoints);
  for (const row of rows) out(lineOf(row));
  if (!rows.length) out('No webhook is registered.');
};

const test = async ({ db, services }: Given, id: string, out: Out): Promise<void> => {
  const row = await db.write(async (em) => {
    await findEndpoint(em, id, 'for update');
    return queueTest(em, id, services.setting());
  });
  out(`${row.id} ${QUEUED}`);
};

const replay = async ({ db, services }: Given, [id, delivery]: readonly [string, string], out: Out): Promise<void> => {
  const row = await db.write(async (em) => {
    await findEndpoint(em, id, 'for update');
    return replayDelivery(em, { endpointId: id, id: delivery, now: services.now() });
  });
  out(`${row.id} ${QUEUED}`);
};

const disable = async ({ db }: Given, id: string, out: Out): Promise<void> => {
  await db.write(async (em) => {
    await findEndpoint(em, id, 'for update');
    await disableEndpoint(em, id, BY_OPERATOR);
  });
  out(`${id} is off. PATCH /api/webhooks/${id} with {"active":true} switches it on again.`);
};

const act = (context: Given, args: readonly string[], out: Out): Promise<void> | null => {
  const [action, id = '', delivery = ''] = args;
  if (action === 'list') return list(context, out);
  if (action === 'test' && id) return test(context, id, out);
  if (action === 'replay' && delivery) return replay(context, [id, delivery], out);
  return action === 'disable' && id ? disable(context, id, out) : null;
};

export const webhooksCommand: Command<WebhookServices> = {
  id: 'webhooks',
  summary: 'list, test, replay and switch off webhooks',
  usage: USAGE,
  run: async (context, args, out) => {
    try {
      const work = act(context, args, out);
      if (!work) {
        out(`usage: npm run ${USAGE}`);
        return 2;
      }
      await work;
      return 0;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      out(error.detail);
      return 1;
    }
  },
};
