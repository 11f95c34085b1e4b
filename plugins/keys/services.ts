import type { Gatekeeper } from '#core/http/gatekeeper.ts';
import type { Host } from '#core/plugin.ts';
import { createGatekeeper } from './gatekeeper.ts';
import { createKeyStore, type KeyStore, type PlanLimits } from './key-store.ts';
import { createQuota, type Quota } from './quota.ts';
import { createUsageRecorder, type UsageRecorder } from './usage.ts';

export interface KeyServices {
  readonly store: KeyStore;
  readonly gatekeeper: Gatekeeper;
  readonly quota: Quota;
  readonly usage: UsageRecorder;
  readonly plans: PlanLimits;
}

export const startKeys = async ({ config, db, log, counters }: Host): Promise<KeyServices> => {
  const limits = (plan: string) => ({
    rpmLimit: config.integer(`${plan}_RPM`),
    dailyLimit: config.integer(`${plan}_DAILY`),
  });
  const plans = { anonymous: limits('ANON'), sandbox: limits('SANDBOX'), free: limits('FREE'), admin: limits('ADMIN') };
  const store = createKeyStore(db, plans);
  const usage = createUsageRecorder(db, log);
  const quota = createQuota(counters);
  const bootstrapSecret = config.text('ADMIN_BOOTSTRAP_SECRET');
  const gatekeeper = createGatekeeper({ counters, quota, store, plans, usage, bootstrapSecret });
  return { store, gatekeeper, quota, usage, plans };
};
