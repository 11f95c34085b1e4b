/**
 * Audits changes of images. Entries are appended in the transaction of the change and never updated, except to erase
 * identities (forget.ts).
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf } from './rows.ts';

export type AuditedWhat = 'created' | 'vote' | 'report' | 'primary' | 'status' | 'revert';
/** The change of an image from `before` to `after`; their content depends on `what`. */
export interface AuditEntry {
  readonly imageId: number;
  readonly dsldId: number;
  /** `key:` with the id of the key, or `voter:` with the hash of a device, or `voter:gone` after erasure. */
  readonly who: string;
  readonly what: AuditedWhat;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** The entry that this one undoes. */
  readonly undoes?: number;
}

export const appendAudit = async (em: EntityManager, entry: AuditEntry): Promise<void> => {
  await em.execute(
    `insert into label_image_audit (image_id, dsld_id, who, what, before, after, undoes, at)
     values (?, ?, ?, ?, ?::jsonb, ?::jsonb, ?, now())`,
    [
      entry.imageId,
      entry.dsldId,
      entry.who,
      entry.what,
      JSON.stringify(entry.before),
      JSON.stringify(entry.after),
      entry.undoes ?? null,
    ],
  );
};

export interface AuditRow {
  readonly id: number;
  readonly who: string;
  readonly what: 'vote' | 'primary' | 'status';
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly at: Date | string;
}

const LAST = `select a.id::int as id, a.who, a.what, a.before, a.after, a.at from label_image_audit a
  where a.image_id = ? and a.what in ('vote', 'primary', 'status') and (? = 'any' or a.what = ?)
    and not exists (select 1 from label_image_audit u where u.undoes = a.id)
  order by a.id desc limit 1`;

/** Returns the last change that was not undone; `what` restricts its kind, `any` accepts all. */
export const lastChange = async (em: EntityManager, imageId: number, what: string): Promise<AuditRow | null> =>
  (await rowsOf<AuditRow>(em, LAST, [imageId, what, what]))[0] ?? null;
