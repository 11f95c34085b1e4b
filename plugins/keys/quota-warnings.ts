/** Warns when a holder's daily quota is nearly or completely used: one row of the change log per level. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import type { Bucket, Principal } from '#core/http/gatekeeper.ts';

export type CallingPrincipal = Extract<Principal, { kind: 'key' }>;

/** Warning levels, in percent of the daily quota. */
const LEVELS = [80, 100] as const;

interface Warning {
  readonly keyId: string;
  readonly holderId: string;
  readonly day: string;
  readonly level: (typeof LEVELS)[number];
  readonly used: number;
  readonly limit: number;
}

/** Across all nodes and all keys of the holder, only the first one warns. */
const FIRST = `insert into quota_warning (holder_id, day, level) values (?, ?, ?) on conflict do nothing returning level`;

export const writeWarning = async (
  em: EntityManager,
  { keyId, holderId, day, level, used, limit }: Warning,
): Promise<void> => {
  if (!(await em.execute(FIRST, [holderId, day, level])).length) return;
  const data = { level, used: Math.min(used, limit), limit, day };
  await recordChanges(em, [{ kind: 'key.quota_warning', subjectType: 'key', subjectId: keyId, data }]);
};

const reachedLevels = ({ used, limit }: Bucket) => LEVELS.filter((level) => used * 100 >= limit * level);

/**
 * Creates the warnings, at most one per level, holder and day in this process. Administrators are neither limited nor warned.
 */
export const createWarnings = () => {
  let today = '';
  const told = new Set<string>();
  let waiting: readonly Warning[] = [];
  return {
    notice: ({ keyId, holderId, isAdmin }: CallingPrincipal, day: string, bucket: Bucket): void => {
      if (isAdmin || bucket.used * 100 < bucket.limit * LEVELS[0]) return;
      if (day !== today) told.clear();
      today = day;
      for (const level of reachedLevels(bucket)) {
        const name = `${holderId} ${level}`;
        if (told.has(name)) continue;
        told.add(name);
        waiting = [...waiting, { keyId, holderId, day, level, used: bucket.used, limit: bucket.limit }];
      }
    },
    take: (): readonly Warning[] => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    giveBack: (warnings: readonly Warning[]): void => {
      waiting = [...warnings, ...waiting];
    },
  };
};
