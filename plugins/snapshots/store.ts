/** Stores published snapshots in rows that all nodes read. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import type { MadeSnapshot } from './making/write-snapshot.ts';
import type { Manifest, SnapshotFile } from './manifest.ts';

export interface StoredSnapshot {
  readonly id: string;
  readonly digest: string;
  /** Creation time (RFC 3339). */
  readonly madeAt: string;
  /** Last time (RFC 3339) at which the data were found unchanged. */
  readonly checkedAt: string;
  readonly manifest: Manifest;
  readonly files: readonly SnapshotFile[];
}

type Row = Omit<StoredSnapshot, 'madeAt' | 'checkedAt'> & {
  readonly made_at: Date | string;
  readonly checked_at: Date | string;
};

const COLUMNS = 'id, digest, made_at, checked_at, manifest, files';

const toSnapshot = ({ made_at, checked_at, ...rest }: Row): StoredSnapshot => ({
  ...rest,
  madeAt: new Date(made_at).toISOString(),
  checkedAt: new Date(checked_at).toISOString(),
});

/** Returns all snapshots, newest first. */
export const readSnapshots = async (em: EntityManager): Promise<readonly StoredSnapshot[]> => {
  const rows = (await em.execute(`select ${COLUMNS} from snapshot order by made_at desc, id desc`)) as unknown as Row[];
  return rows.map(toSnapshot);
};

export const findSnapshot = async (em: EntityManager, id: string): Promise<StoredSnapshot | null> => {
  const rows = (await em.execute(`select ${COLUMNS} from snapshot where id = ?`, [id])) as unknown as Row[];
  return rows[0] ? toSnapshot(rows[0]) : null;
};

export const newestSnapshot = async (em: EntityManager): Promise<StoredSnapshot | null> => {
  const sql = `select ${COLUMNS} from snapshot order by made_at desc, id desc limit 1`;
  const rows = (await em.execute(sql)) as unknown as Row[];
  return rows[0] ? toSnapshot(rows[0]) : null;
};

export const addSnapshot = async (em: EntityManager, { manifest, files }: MadeSnapshot): Promise<void> => {
  const { id, digest, made_at } = manifest;
  await em.execute(
    `insert into snapshot (id, digest, made_at, checked_at, manifest, files)
     values (?, ?, ?, ?, ?::jsonb, ?::jsonb)`,
    [id, digest, made_at, made_at, JSON.stringify(manifest), JSON.stringify(files)],
  );
  await recordChanges(em, [{ kind: 'snapshot.published', subjectType: 'snapshot', subjectId: id }]);
};

export const markChecked = (em: EntityManager, id: string): Promise<unknown> =>
  em.execute('update snapshot set checked_at = now() where id = ?', [id]);

/** Deletes all but the newest `keep` snapshots and returns the deleted ids. */
export const forgetOldest = async (em: EntityManager, keep: number): Promise<readonly string[]> => {
  const rows = (await em.execute(
    `delete from snapshot where id not in (select id from snapshot order by made_at desc, id desc limit ?)
     returning id`,
    [keep],
  )) as unknown as { id: string }[];
  return rows.map(({ id }) => id);
};

/** Returns whether a run failed within the last hour, in which case an immediate retry would not help. */
export const failedLately = async (em: EntityManager, job: string): Promise<boolean> => {
  const rows = (await em.execute(
    `select 1 from job_run where job = ? and status = 'failed' and started_at > now() - interval '1 hour' limit 1`,
    [job],
  )) as unknown as unknown[];
  return rows.length > 0;
};
