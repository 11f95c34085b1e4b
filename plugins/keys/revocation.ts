/** Deactivates a key with everything created by it, and restores it for an administrator. */
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import { coreErrors, notFound } from '#core/errors.ts';
import { ApiKey } from './entities.ts';
import { keyErrors } from './errors.ts';
import type { KeyRow } from './key-store.ts';

/** Parts that an administrator may keep when a key ends without having leaked. */
export const KEPT_PARTS = ['successors', 'admin_keys', 'webhooks'] as const;
export type KeptPart = (typeof KEPT_PARTS)[number];

export interface RevocationRequest {
  readonly keep?: readonly KeptPart[];
  /** Everything done with the key from this time on is distrusted. */
  readonly since?: Date | null;
  /** The calling key. It is trusted: neither it nor anything created by it ends. */
  readonly callerId?: string | null;
}

/** The keys that end in this transaction, as reported to plugins. */
export interface EndedKeys {
  readonly ids: readonly string[];
  /** Holders without any remaining working key. */
  readonly holderIds: readonly string[];
  readonly keep: readonly KeptPart[];
  readonly since: Date | null;
}

/** Data of a plugin that was created with a key and would outlive it. */
export interface KeyTrace {
  /** Name such as `webhooks`: the member in the reply to the administrator. */
  readonly name: string;
  /** Ends the data in the transaction of the deactivation and returns the ids of what ended. */
  end(em: EntityManager, ended: EndedKeys): Promise<readonly string[]>;
}

export interface Revocation {
  readonly row: KeyRow;
  /** Ids of what ended with the key, by kind; `keys` first. */
  readonly ended: Readonly<Record<string, readonly string[]>>;
  /** Number of working keys that this one issued and that remain. */
  readonly issuedLeft: number;
}

/**
 * Finds the keys that end with a key. Successors have the same rights as the key. Administrator keys that it issued would
 * give access again; ordinary keys belong to their holders and end only when they were created after the time from which the
 * key is distrusted.
 */
const CAME_OF_IT = `with recursive gone as (
    select id from api_key where id = ?
    union
    select k.id from api_key k join gone on k.predecessor_id = gone.id and ?
      or k.issuer_id = gone.id and k.predecessor_id is distinct from gone.id
        and (k.is_admin and ? or k.created_at >= ?::timestamptz)
    where k.id <> ?)
  select id from gone order by id`;

const END = `update api_key set active = false, deactivated_at = now(), ended_with = case when id = ? then null else ? end
  where id = any(?::text[]) and active returning id`;

const HOLDERS = `select distinct holder_id as id from api_key k where id = any(?::text[]) and not exists (
    select 1 from api_key o where o.holder_id = k.holder_id and o.active and (o.expires_at is null or o.expires_at > now()))`;

/** Stored replies to repeated requests may contain keys and secrets. */
const FORGET_ANSWERS = 'delete from idempotent_request where key_id = any(?::text[])';

const ISSUED_LEFT = `select count(*)::int as n from api_key where issuer_id = ? and active
  and (expires_at is null or expires_at > now())`;

const idsOf = async (em: EntityManager, text: string, values: readonly unknown[]): Promise<string[]> =>
  ((await em.execute(text, [...values])) as unknown as { id: string }[]).map(({ id }) => id);

const textArray = (ids: readonly string[]): string => `{${ids.join(',')}}`;

const lockKeys = (em: EntityManager, ids: readonly string[]) =>
  em.execute('select id from api_key where id = any(?::text[]) order by id for update', [textArray(ids)]);

/**
 * Finds and locks the keys. A rotation that was in progress during the search has created a successor, so the search is
 * repeated until nothing new is found.
 */
const findAndLock = async (em: EntityManager, id: string, request: RevocationRequest): Promise<readonly string[]> => {
  const { keep = [], since = null, callerId = null } = request;
  const spared = callerId && callerId !== id ? callerId : '';
  const parameters = [id, !keep.includes('successors'), !keep.includes('admin_keys'), since, spared];
  for (let known: readonly string[] = [id]; ; ) {
    await lockKeys(em, known);
    const found = await idsOf(em, CAME_OF_IT, parameters);
    if (found.length === known.length) return found;
    known = found;
  }
};

/**
 * Deactivates a key in the transaction of `em`. The operation is idempotent, and everything created by an inactive key ends
 * all the same.
 * @throws not_found
 */
export const revokeKey = async (
  em: EntityManager,
  { id, ...request }: RevocationRequest & { readonly id: string },
  traces: readonly KeyTrace[],
): Promise<Revocation> => {
  if (!(await em.count(ApiKey, { id }))) throw notFound('Key', id);
  const ids = await findAndLock(em, id, request);
  const ended = await idsOf(em, END, [id, id, textArray(ids)]);
  await recordChanges(
    em,
    ended.map((one) => ({
      kind: 'key.deactivated' as const,
      subjectType: 'key',
      subjectId: one,
      ...(one !== id && { data: { ended_with: id } }),
    })),
  );
  await em.execute(FORGET_ANSWERS, [textArray(ids)]);
  const holderIds = await idsOf(em, HOLDERS, [textArray(ids)]);
  const told: EndedKeys = { ids, holderIds, keep: request.keep ?? [], since: request.since ?? null };
  const parts: Record<string, readonly string[]> = { keys: ended };
  for (const trace of traces) parts[trace.name] = await trace.end(em, told);
  const row = (await em.findOneOrFail(ApiKey, { id }, { refresh: true })) as KeyRow;
  const [left] = (await em.execute(ISSUED_LEFT, [id])) as unknown as { n: number }[];
  return { row, ended: parts, issuedLeft: left?.n ?? 0 };
};

const notRestorable = (id: string, reason: string) => {
  const problem = { type: 'key_not_restorable', loc: ['path', 'id'], msg: `The key cannot be activated: ${reason}` };
  return keyErrors.key_not_restorable({ id, reason }, { problems: [problem] });
};

/** Returns the expiry that the key would have without its rotations; its last successor still has it. */
const ownExpiry = async (em: EntityManager, row: KeyRow): Promise<Date | null> => {
  let last = row;
  for (let next = row.successorId; next; next = last.successorId) {
    const found = (await em.findOne(ApiKey, { id: next })) as KeyRow | null;
    if (!found) break;
    last = found;
  }
  return last.expiresAt;
};

/**
 * Undoes a deactivation, for the key and the keys that ended with it, and the expiry that a rotation set. Its successors
 * remain active.
 * @throws not_found, key_not_restorable
 */
export const restoreKey = async (em: EntityManager, id: string): Promise<KeyRow> => {
  const row = (await em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })) as KeyRow | null;
  if (!row) throw notFound('Key', id);
  const expiresAt = await ownExpiry(em, row);
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw notRestorable(id, 'it has expired');
  if (row.active && row.expiresAt?.getTime() === expiresAt?.getTime()) throw notRestorable(id, 'it works');
  row.expiresAt = expiresAt;
  row.active = true;
  row.deactivatedAt = null;
  row.endedWith = null;
  await em.flush();
  const others = await idsOf(
    em,
    `update api_key set active = true, deactivated_at = null, ended_with = null
     where ended_with = ? and not active returning id`,
    [id],
  );
  await recordChanges(
    em,
    [id, ...others].map((one) => ({ kind: 'key.activated' as const, subjectType: 'key', subjectId: one })),
  );
  return row;
};

/**
 * Verifies that the key works and locks it until the end of the transaction, so that everything it creates exists before the
 * key ends.
 * @throws key_deactivated
 */
export const holdActive = async (em: EntityManager, id: string): Promise<void> => {
  const rows = await idsOf(
    em,
    `select id from api_key where id = ? and active and (expires_at is null or expires_at > now()) for share`,
    [id],
  );
  if (!rows.length) throw coreErrors.key_deactivated();
};

/** Returns those of the keys that no longer work. */
export const endedAmong = async (em: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const works = await idsOf(
    em,
    'select id from api_key where id = any(?::text[]) and active and (expires_at is null or expires_at > now())',
    [textArray(ids)],
  );
  return new Set(ids.filter((id) => !works.includes(id)));
};
