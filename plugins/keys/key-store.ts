/** Creates, finds, rotates and deactivates keys. */
import { timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import { coreErrors } from '#core/errors.ts';
import type { Database } from '#core/plugin.ts';
import { ApiKey } from './entities.ts';
import { keyErrors } from './errors.ts';
import { hashKey, newKey, newKeyId, newOwnerSecret } from './key-text.ts';
import type { Limits } from './quota.ts';
import {
  endedAmong,
  holdActive,
  type KeyTrace,
  type Revocation,
  type RevocationRequest,
  restoreKey,
  revokeKey,
} from './revocation.ts';
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
  /** Id of the first key of this holder. Data of the holder outlives a rotation. */
  holderId: string;
  predecessorId: string | null;
  successorId: string | null;
  /**
   * Hash of the owner's secret, which the owner stores separately from the key; null for a key from before owner secrets
   * existed.
   */
  ownerHash: string | null;
  /**
   * The key whose call created this one; null when it was created on the host, by bootstrap or with the form for sandbox
   * keys.
   */
  issuerId: string | null;
  /** The key whose deactivation ended this one. */
  endedWith: string | null;
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
  /** Whether this is a sandbox key: of the kind `test`, with the limits of the sandbox plan. */
  readonly isSandbox?: boolean;
  readonly issuerId?: string | null;
}

export interface NewKeyRow {
  readonly row: KeyRow;
  readonly raw: string;
  readonly ownerSecret: string;
}

export type PlanLimits = Readonly<Record<'anonymous' | 'sandbox' | 'free' | 'admin', Limits>>;

export interface KeyStore {
  /**
   * Creates a key.
   * @throws bootstrap_locked when `bootstrap` is set and an admin key already exists.
   */
  create(request: KeyRequest, options?: { bootstrap?: boolean }): Promise<NewKeyRow>;
  /** Creates a key inside the caller's transaction. */
  insert(em: EntityManager, request: KeyRequest): Promise<NewKeyRow>;
  /**
   * Finds a key by its text.
   * @throws one of the four 401 errors.
   */
  find(raw: string): Promise<CallingKey>;
  list(): Promise<readonly KeyRow[]>;
  byId(id: string): Promise<KeyRow | null>;
  /**
   * Ends the key and everything created by it; idempotent.
   * @throws not_found
   */
  deactivate(id: string, request?: RevocationRequest): Promise<Revocation>;
  /**
   * Undoes a deactivation, or the expiry that a rotation set.
   * @throws not_found, key_not_restorable
   */
  activate(id: string): Promise<KeyRow>;
  /**
   * Creates the successor of a key, which remains valid for the grace period. Both belong to the same holder.
   * @param callerId the calling key; null for the host
   * @throws key_not_rotatable when the key has ended, or has a successor that has not
   */
  rotate(id: string, graceSeconds: number, callerId: string | null): Promise<Rotation>;
  /** Throws key_deactivated unless the key works, and locks it until the end of the transaction. */
  holdActive(em: EntityManager, id: string): Promise<void>;
  /** Registers data that was created with keys; plugins call this at startup. */
  addTrace(trace: KeyTrace): void;
  /** Returns those of the keys that no longer work. */
  endedAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
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

const insertKey = async (em: EntityManager, request: KeyRequest, plans: PlanLimits): Promise<NewKeyRow> => {
  if (request.issuerId) await holdActive(em, request.issuerId);
  const key = newKey(kindFor(request));
  const ownerSecret = newOwnerSecret();
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
    ownerHash: hashKey(ownerSecret),
    issuerId: request.issuerId ?? null,
    endedWith: null,
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
  return { row, raw: key.raw, ownerSecret };
};

/** Fields of a key that every request needs. */
export type CallingKey = Pick<
  KeyRow,
  'id' | 'holderId' | 'hash' | 'isAdmin' | 'active' | 'plan' | 'scopes' | 'rpmLimit' | 'dailyLimit' | 'expiresAt'
>;

/** Runs with every request, and so bypasses the ORM. */
const CALLING = `
  select id, holder_id as "holderId", hash, is_admin as "isAdmin", active, plan, scopes, rpm_limit as "rpmLimit", daily_limit as "dailyLimit",
    expires_at as "expiresAt"
  from api_key where hash = ?`;

const usable = (row: CallingKey): CallingKey => {
  if (!row.active) throw coreErrors.key_deactivated();
  if (row.expiresAt && new Date(row.expiresAt).getTime() <= Date.now()) throw coreErrors.key_expired();
  return row;
};

export const createKeyStore = (db: Database, plans: PlanLimits): KeyStore => {
  const traces: KeyTrace[] = [];
  return {
    create: (request, options = {}) =>
      db.write(async (em) => {
        if (options.bootstrap) {
          // Locked until the end of the transaction: of two concurrent bootstraps, the second one sees the row of the first.
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
    deactivate: (id, request = {}) => db.write((em) => revokeKey(em, { ...request, id }, traces)),
    activate: (id) => db.write((em) => restoreKey(em, id)),
    holdActive,
    addTrace: (trace) => void traces.push(trace),
    endedAmong: (ids) => db.read((em) => endedAmong(em, ids)),
    rotate: (id, graceSeconds, callerId) => db.write((em) => rotateKey(em, id, { graceSeconds, callerId })),
    adminExists: async () => (await db.read((em) => em.count(ApiKey, { isAdmin: true }))) > 0,
  };
};
