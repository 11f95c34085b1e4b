/** Implements the gatekeeper port of core: identifies the caller and checks the quota. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Counters } from '#core/counters/counters.ts';
import { quotaAddress } from '#core/http/client-address.ts';
import type { Gatekeeper, Principal } from '#core/http/gatekeeper.ts';
import { keyErrors } from './errors.ts';
import type { KeyStore, PlanLimits } from './key-store.ts';
import type { Quota } from './quota.ts';
import type { UsageRecorder } from './usage.ts';

interface GatekeeperParts {
  readonly counters: Counters;
  readonly quota: Quota;
  readonly store: KeyStore;
  readonly plans: PlanLimits;
  readonly usage: UsageRecorder;
  readonly bootstrapSecret: string;
}

const sameText = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};

/** Returns the quota subject that a key shares with all its successors. */
export const subjectOfHolder = (holderId: string): string => `key:${holderId}`;

export const createGatekeeper = (parts: GatekeeperParts): Gatekeeper => {
  const { counters, quota, store, plans, usage, bootstrapSecret } = parts;
  return {
    identify: async (raw, address): Promise<Principal> => {
      const { id, holderId, isAdmin, plan, scopes, rpmLimit, dailyLimit } = await store.find(raw);
      return { kind: 'key', keyId: id, holderId, isAdmin, plan, scopes, rpmLimit, dailyLimit, address };
    },
    bootstrap: async (secret, address) => {
      if (await store.adminExists()) throw keyErrors.bootstrap_locked();
      if (!bootstrapSecret || !sameText(secret ?? '', bootstrapSecret)) throw keyErrors.wrong_bootstrap_secret();
      return { kind: 'bootstrap', address };
    },
    endedAmong: (keyIds) => store.endedAmong(keyIds),
    charge: async (principal, routeId) => {
      const key = principal.kind === 'key' ? principal : null;
      const subject = key ? subjectOfHolder(key.holderId) : `ip:${counters.nameOf(quotaAddress(principal.address))}`;
      const buckets = await quota.charge(subject, key ?? plans.anonymous);
      if (key) usage.record(key, routeId, buckets.find(({ name }) => name === 'day') ?? null);
      return { buckets, enforced: !key?.isAdmin };
    },
  };
};
