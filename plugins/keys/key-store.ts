/** Makes, finds, rotates and deactivates keys. */
import { timingSafeEqual } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import { coreErrors, notFound } from '#core/errors.ts';
import type { Database } from '#core/plugin.ts';
import { ApiKey } from './entities.ts';
import { keyErrors } from './errors.ts';
import { hashKey, newKey, newKeyId } from './key-text.ts';
import type { Limits } from './quota.ts';
import { type Rotation, rotateKey } from './rotation.ts';

export interface KeyRow {
  id: string;
  name: string;
  hash: string;
  prefix: string;
  isAdmin: boolean;
  active: boolean;
  plan: string;
  rpmLimit: number;
  dailyLimit: number;
  scopes: string[];
  /** Id of the first key of this holder: what belongs to the holder outlives a rotation. */
  holderId: string;
  predecessorId: string | null;
  successorId: string | null;
  contactEmail: string;
  notes: string;
  createdAt: Date;
  expiresAt: Date | null;
  deactivatedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedIpPrefix: string;
}

export interface KeyRequest {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly rpmLimit?: number | null;
  readonly dailyLimit?: number | null;
  readonly expiresAt?: Date | null;
  readonly scopes?: readonly string[];
  readonly contactEmail?: string;
  readonly notes?: string;
  /** Of the plan for trying out: a key of the kind `test`, with that plan's limits. */
  readonly isSandbox?: boolean;
}

export type PlanLimits = Readonly<Record<'anonymous' | 'sandbox' | 'free' | 'admin', Limits>>;

export interface KeyStore {
  /** @throws bootstrap_locked when `bootstrap` is set and an admin key row exists already. */
  create(request: KeyRequest, options?: { bootstrap?: boolean }): Promise<{ row: KeyRow; raw: string }>;
  /** The same inside a transaction of the caller's. */
  insert(em: EntityManager, request: KeyRequest): Promise<{ row: KeyRow; raw: string }>;
  /** @throws one of the four 401 errors. */
  find(raw: string): Promise<CallingKey>;
  list(): Promise<readonly KeyRow[]>;
  byId(id: string): Promise<KeyRow | null>;
  /** Answers the key as it then is; harmless when it was off already. */
  deactivate(id: string): Promise<KeyRow>;
  /**
   * Makes the key that follows this one, which goes on for so many seconds. Both are one holder's.
   * @throws key_not_rotatable when it has ended, or has a successor that has not
   */
  rotate(id: string, graceSeconds: number): Promise<Rotation>;
  adminExists(): Promise<boolean>;
}

const planOf = (request: KeyRequest): string => {
  if (request.isAdmin) return 'admin';
  if (request.isSandbox) return 'sandbox';
  return request.rpmLimit && request.dailyLimit ? 'enterprise' : 'free';
};

const kindFor = ({ isAdmin, isSandbox }: KeyRequest): 'live' | 'test' | 'admin' =>
  isAdmin ? 'admin' : isSandbox ? 'test' : 'live';

const limitsFor = ({ isAdmin, isSandbox }: KeyRequest, plans: PlanLimits): Limits =>
  isAdmin ? plans.admin : isSandbox ? plans.sandbox : plans.free;

const insertKey = async (
  em: EntityManager,
  request: KeyRequest,
  plans: PlanLimits,
): Promise<{ row: KeyRow; raw: string }> => {
  const key = newKey(kindFor(request));
  const plan = planOf(request);
  const limits = limitsFor(request, plans);
  const id = newKeyId();
  const row: KeyRow = {
    id,
    name: request.name,
    hash: key.hash,
    prefix: key.prefix,
    isAdmin: request.isAdmin,
    active: true,
    plan,
    rpmLimit: request.rpmLimit ?? limits.rpmLimit,
    dailyLimit: request.dailyLimit ?? limits.dailyLimit,
    scopes: [...(request.scopes ?? [])],
    holderId: id,
    predecessorId: null,
    successorId: null,
    contactEmail: request.contactEmail ?? '',
    notes: request.notes ?? '',
    createdAt: new Date(),
    expiresAt: request.expiresAt ?? null,
    deactivatedAt: null,
    lastUsedAt: null,
    lastUsedIpPrefix: '',
  };
  await em.insert(ApiKey, row);
  await recordChanges(em, [
    { kind: 'key.created', subjectType: 'key', subjectId: row.id, data: { plan, is_admin: row.isAdmin } },
  ]);
  return { row, raw: key.raw };
};

/** What a call needs to know of its key. */
export type CallingKey = Pick<
  KeyRow,
  'id' | 'holderId' | 'hash' | 'isAdmin' | 'active' | 'plan' | 'scopes' | 'rpmLimit' | 'dailyLimit' | 'expiresAt'
>;

/** Runs with every call, so past the ORM. */
const CALLING = `
  select id, holder_id as "holderId", hash, is_admin as "isAdmin", active, plan, scopes, rpm_limit as "rpmLimit", daily_limit as "dailyLimit",
    expires_at as "expiresAt"
  from api_key where hash = ?`;

const usable = (row: CallingKey): CallingKey => {
  if (!row.active) throw coreErrors.key_deactivated();
  if (row.expiresAt && new Date(row.expiresAt).getTime() <= Date.now()) throw coreErrors.key_expired();
  return row;
};

export const createKeyStore = (db: Database, plans: PlanLimits): KeyStore => ({
  create: (request, options = {}) =>
    db.write(async (em) => {
      if (options.bootstrap) {
        // Held to the end of the transaction: of two racing bootstraps, the second one sees the first one's row.
        await em.execute('lock table api_key in share row exclusive mode');
        if (await em.count(ApiKey, { isAdmin: true })) throw keyErrors.bootstrap_locked();
      }
      return insertKey(em, request, plans);
    }),
  insert: (em, request) => insertKey(em, request, plans),
  find: async (raw) => {
    const hash = hashKey(raw);
    const [row] = (await db.read((em) => em.execute(CALLING, [hash]))) as unknown as readonly CallingKey[];
    const same = timingSafeEqual(Buffer.from(row?.hash ?? hash.replace(/./g, '0')), Buffer.from(hash));
    if (!row || !same) throw coreErrors.invalid_api_key();
    return usable(row);
  },
  list: () => db.read((em) => em.find(ApiKey, {}, { orderBy: { createdAt: 'asc', id: 'asc' } })) as Promise<KeyRow[]>,
  byId: (id) => db.read((em) => em.findOne(ApiKey, { id })) as Promise<KeyRow | null>,
  deactivate: (id) =>
    db.write(async (em) => {
      const row = (await em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })) as KeyRow | null;
      if (!row) throw notFound('Key', id);
      if (!row.active) return row;
      row.active = false;
      row.deactivatedAt = new Date();
      await recordChanges(em, [{ kind: 'key.deactivated', subjectType: 'key', subjectId: id }]);
      return row;
    }),
  rotate: (id, graceSeconds) => db.write((em) => rotateKey(em, id, graceSeconds)),
  adminExists: async () => (await db.read((em) => em.count(ApiKey, { isAdmin: true }))) > 0,
});
