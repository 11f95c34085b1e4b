import { randomBytes } from 'node:crypto';
import { Fact } from '#core/db/entities.ts';
import type { Gatekeeper } from '#core/http/gatekeeper.ts';
import type { Database, Host } from '#core/plugin.ts';
import { createGatekeeper } from './gatekeeper.ts';
import { createKeyStore, type KeyStore, type PlanLimits } from './key-store.ts';
import { createUsageRecorder, type UsageRecorder } from './usage.ts';

export interface KeyServices {
  readonly store: KeyStore;
  readonly gatekeeper: Gatekeeper;
  readonly usage: UsageRecorder;
  readonly plans: PlanLimits;
}

/** One salt for the installation, made once, whichever process comes first. */
const quotaSalt = (db: Database): Promise<string> =>
  db.write(async (em) => {
    await em.execute('insert into fact (name, value) values (?, ?) on conflict (name) do nothing', [
      'quota_salt',
      randomBytes(24).toString('hex'),
    ]);
    return (await em.findOneOrFail(Fact, { name: 'quota_salt' })).value;
  });

export const startKeys = async ({ config, db, log }: Host): Promise<KeyServices> => {
  const limits = (plan: string) => ({
    rpmLimit: config.integer(`${plan}_RPM`),
    dailyLimit: config.integer(`${plan}_DAILY`),
  });
  const plans = { anonymous: limits('ANON'), sandbox: limits('SANDBOX'), free: limits('FREE'), admin: limits('ADMIN') };
  const store = createKeyStore(db, plans);
  const usage = createUsageRecorder(db, log);
  const bootstrapSecret = config.text('ADMIN_BOOTSTRAP_SECRET');
  const gatekeeper = createGatekeeper({ db, store, plans, usage, bootstrapSecret, salt: await quotaSalt(db) });
  return { store, gatekeeper, usage, plans };
};
