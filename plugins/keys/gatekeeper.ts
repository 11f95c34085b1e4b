/** Stands behind core's gatekeeper port: who calls, and how much is left to them. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { quotaAddress } from '#core/http/client-address.ts';
import type { Gatekeeper, Principal } from '#core/http/gatekeeper.ts';
import type { Database } from '#core/plugin.ts';
import { keyErrors } from './errors.ts';
import type { KeyStore, PlanLimits } from './key-store.ts';
import { chargeQuota } from './quota.ts';
import type { UsageRecorder } from './usage.ts';

interface GatekeeperParts {
  readonly db: Database;
  readonly store: KeyStore;
  readonly plans: PlanLimits;
  readonly usage: UsageRecorder;
  readonly bootstrapSecret: string;
  /** Mixed into the hash of an anonymous caller's address, so that the table holds no addresses. */
  readonly salt: string;
}

const sameText = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};

export const subjectOfKey = (keyId: string): string => `key:${keyId}`;

const subjectOfAddress = (address: string, salt: string): string =>
  `ip:${createHash('sha256')
    .update(`${salt}\0${quotaAddress(address)}`)
    .digest('hex')
    .slice(0, 32)}`;

export const createGatekeeper = ({ db, store, plans, usage, bootstrapSecret, salt }: GatekeeperParts): Gatekeeper => ({
  identify: async (raw, address): Promise<Principal> => {
    const { id, isAdmin, plan, rpmLimit, dailyLimit } = await store.find(raw);
    return { kind: 'key', keyId: id, isAdmin, plan, rpmLimit, dailyLimit, address };
  },
  bootstrap: async (secret, address) => {
    if (await store.adminExists()) throw keyErrors.bootstrap_locked();
    if (!bootstrapSecret || !sameText(secret ?? '', bootstrapSecret)) throw keyErrors.wrong_bootstrap_secret();
    return { kind: 'bootstrap', address };
  },
  charge: async (principal, routeId) => {
    const key = principal.kind === 'key' ? principal : null;
    const subject = key ? subjectOfKey(key.keyId) : subjectOfAddress(principal.address, salt);
    // One statement is all or nothing by itself. Repeated after a take-over of the database it may count a call twice.
    const buckets = await db.read((em) => chargeQuota(em, subject, key ?? plans.anonymous));
    if (key) usage.record(key.keyId, routeId, quotaAddress(key.address));
    return { buckets, enforced: !key?.isAdmin };
  },
});
