/**
 * Rotates a key. The key and its successor both work during the grace period and belong to one holder: one quota, one set of
 * answers.
 */
import { type EntityManager, LockMode, wrap } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import { notFound } from '#core/errors.ts';
import { ApiKey } from './entities.ts';
import { keyErrors } from './errors.ts';
import type { KeyRow } from './key-store.ts';
import { kindOf, newKey, newKeyId } from './key-text.ts';
import { holdActive } from './revocation.ts';

export interface Rotation {
  /** The key after the rotation: it ends with its grace period. */
  readonly before: KeyRow;
  readonly row: KeyRow;
  readonly raw: string;
}

/** Returns why a key has ended, or null when it works. */
const endOf = ({ active, expiresAt }: KeyRow): string | null => {
  if (!active) return 'it is deactivated';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'it has expired' : null;
};

const notRotatable = (id: string, reason: string, successorId?: string) => {
  const problem = { type: 'key_not_rotatable', loc: ['path', 'id'], msg: `The key cannot be rotated: ${reason}` };
  return keyErrors.key_not_rotatable(
    { id, reason },
    { problems: [problem], body: successorId ? { successor_id: successorId } : {} },
  );
};

/**
 * Locks the row until the end of the transaction: of two concurrent rotations the second one waits and finds the successor of
 * the first.
 */
const lockedKey = async (em: EntityManager, id: string): Promise<KeyRow> => {
  const row = (await em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })) as KeyRow | null;
  if (!row) throw notFound('Key', id);
  const end = endOf(row);
  if (end) throw notRotatable(id, end);
  if (!row.successorId) return row;
  const successor = (await em.findOne(ApiKey, { id: row.successorId })) as KeyRow | null;
  if (successor && !endOf(successor)) throw notRotatable(id, `its successor is ${successor.id}`, successor.id);
  return row;
};

/**
 * Rotates a key in the transaction of `em`.
 * @param graceSeconds how long the key remains valid beside its successor; never past its own expiry
 * @throws key_not_rotatable when it has ended, or has a successor that has not
 */
export const rotateKey = async (
  em: EntityManager,
  id: string,
  { graceSeconds, callerId }: { readonly graceSeconds: number; readonly callerId: string | null },
): Promise<Rotation> => {
  if (callerId && callerId !== id) await holdActive(em, callerId);
  const before = await lockedKey(em, id);
  const key = newKey(kindOf(before.prefix));
  const row: KeyRow = {
    ...(wrap(before).toPOJO() as KeyRow),
    id: newKeyId(),
    hash: key.hash,
    prefix: key.prefix,
    predecessorId: id,
    successorId: null,
    issuerId: callerId,
    endedWith: null,
    createdAt: new Date(),
    expiresAt: before.expiresAt,
    lastUsedAt: null,
    lastUsedIpPrefix: '',
  };
  await em.insert(ApiKey, row);
  const end = new Date(Date.now() + graceSeconds * 1000);
  if (!before.expiresAt || before.expiresAt > end) before.expiresAt = end;
  before.successorId = row.id;
  await recordChanges(em, [
    {
      kind: 'key.created',
      subjectType: 'key',
      subjectId: row.id,
      data: { plan: row.plan, is_admin: row.isAdmin, predecessor_id: id },
    },
    {
      kind: 'key.rotated',
      subjectType: 'key',
      subjectId: id,
      data: { successor_id: row.id, expires_at: before.expiresAt.toISOString() },
    },
  ]);
  return { before, row, raw: key.raw };
};
