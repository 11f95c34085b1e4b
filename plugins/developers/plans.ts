/** Lists the limits of every plan, as configured on this instance. */
import { type Static, Type } from 'typebox';
import type { Context } from '#core/plugin.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { SANDBOX_DAYS } from './sandbox/store.ts';

export const PlanRow = Type.Object({
  name: Type.String(),
  minute: Type.String(),
  day: Type.String(),
  how: Type.String(),
});

const number = new Intl.NumberFormat('en-GB');

export const planRows = (context: Context): Static<typeof PlanRow>[] => {
  const { plans } = context.use(keysPlugin);
  const row = (name: string, plan: keyof typeof plans, how: string) => ({
    name,
    minute: number.format(plans[plan].rpmLimit),
    day: number.format(plans[plan].dailyLimit),
    how,
  });
  return [
    row('Without a key', 'anonymous', 'Nothing to do: the open part of the API, counted for each network address'),
    row('Sandbox key', 'sandbox', `Made in place, for ${SANDBOX_DAYS} days`),
    row('Free key', 'free', 'On request to the operator'),
    row('Admin key', 'admin', 'For operators; counted, and never refused'),
    { name: 'Enterprise', minute: 'by agreement', day: 'by agreement', how: 'On request to the operator' },
  ];
};
