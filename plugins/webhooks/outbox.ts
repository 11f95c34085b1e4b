/**
 * Converts the change log to deliveries. The database records each change in `webhook_outbox` in the transaction of the
 * change (migration 0021). One transaction here removes changes and inserts a delivery for each subscribed endpoint: a server
 * that stops in between has done nothing, and each change is taken by only one of several servers.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { type ChangeRow, type EventParts, eventOf } from './events/from-change.ts';
import { newId } from './ids.ts';

/** Number of changes per transaction. */
const BATCH = 200;

const COLUMNS = `c.id::text as id, c.at, c.kind, c.subject_type as "subjectType", c.subject_id as "subjectId", c.data`;

const TAKE = `with taken as (
    delete from webhook_outbox where change_id in
      (select change_id from webhook_outbox order by change_id limit ${BATCH} for update skip locked)
    returning change_id)
  select ${COLUMNS} from change_log c join taken on taken.change_id = c.id order by c.id`;

/** This lock prevents deletion, but not claims, until the deliveries are inserted. */
const LISTENING = 'select id, events from webhook_endpoint where active for key share';

export interface Listener {
  readonly id: string;
  readonly events: readonly string[];
}

export interface EventSetting {
  readonly baseUrl: string;
  readonly indexVersion: string;
  readonly now: Date;
}

interface MadeEvent extends EventParts {
  readonly change: ChangeRow;
}

export const wants = ({ events }: Listener, type: string): boolean => events.includes('*') || events.includes(type);

export const bodyOf = ({ type, data }: EventParts, at: Date, indexVersion: string): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data, index_version: indexVersion });

const eventsOf = (changes: readonly ChangeRow[], baseUrl: string): MadeEvent[] =>
  changes.flatMap((change) => {
    const parts = eventOf(change, baseUrl);
    return parts ? [{ ...parts, change }] : [];
  });

/** Stores the events of these changes. Returns their ids, including those of events that already existed. */
const keepEvents = async (
  em: EntityManager,
  made: readonly MadeEvent[],
  { indexVersion, now }: EventSetting,
): Promise<ReadonlyMap<string, string>> => {
  const createdAt = now.toISOString();
  const rows = made.map((event) => ({
    id: newId('evt', now.getTime()),
    changeId: event.change.id,
    type: event.type,
    body: bodyOf(event, new Date(event.change.at), indexVersion),
    createdAt,
  }));
  await em.execute(
    `insert into webhook_event (id, change_id, type, body, created_at)
     select id, change_id, type, body, created_at from jsonb_populate_recordset(null::webhook_event, ?::jsonb)
     on conflict (change_id) do nothing`,
    [
      JSON.stringify(
        rows.map(({ changeId, createdAt: at, ...row }) => ({ ...row, change_id: changeId, created_at: at })),
      ),
    ],
  );
  const kept = (await em.execute(
    `select change_id::text as change, id from webhook_event
     where change_id in (select value::bigint from jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify(made.map(({ change }) => change.id))],
  )) as unknown as { change: string; id: string }[];
  return new Map(kept.map(({ change, id }) => [change, id]));
};

/** Queues deliveries of these changes to the subscribed listeners. Returns their number. */
export const queueChanges = async (
  em: EntityManager,
  changes: readonly ChangeRow[],
  { listeners, replayOf, ...setting }: EventSetting & { listeners: readonly Listener[]; replayOf?: string },
): Promise<number> => {
  const made = eventsOf(changes, setting.baseUrl).filter(({ type }) => listeners.some((one) => wants(one, type)));
  if (!made.length) return 0;
  const ids = await keepEvents(em, made, setting);
  const at = setting.now.toISOString();
  const rows = made.flatMap(({ change, type }) =>
    listeners
      .filter((one) => wants(one, type))
      .map((one) => ({
        id: newId('dlv', setting.now.getTime()),
        endpointId: one.id,
        eventId: ids.get(change.id),
        state: 'waiting',
        isTest: false,
        replayOf: replayOf ?? null,
        attempts: 0,
        tries: [],
        nextAt: at,
        createdAt: at,
      })),
  );
  await bulkUpsert(em, 'webhook_delivery', ['id'], rows);
  return rows.length;
};

/** Processes one batch of the outbox. Returns the number of changes. */
export const fanOut = async (em: EntityManager, setting: EventSetting): Promise<number> => {
  const changes = (await em.execute(TAKE)) as unknown as ChangeRow[];
  if (!changes.length) return 0;
  const listeners = (await em.execute(LISTENING)) as unknown as Listener[];
  if (listeners.length) await queueChanges(em, changes, { ...setting, listeners });
  return changes.length;
};

export const isFull = (taken: number): boolean => taken === BATCH;

/** Returns the changes of a time span after a given id, in the order of ids. */
export const changesBetween = async (
  em: EntityManager,
  { since, until, after, limit }: Readonly<Record<'since' | 'until', Date>> & { after: string; limit: number },
): Promise<ChangeRow[]> =>
  (await em.execute(
    `select ${COLUMNS} from change_log c where c.at >= ? and c.at < ? and c.id > ?::bigint order by c.id limit ?`,
    [since, until, after, limit],
  )) as unknown as ChangeRow[];
