/** Rows of devices: their last visit, and their consents. */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface Consent {
  /** RFC 3339. */
  readonly at: string;
  /** The purpose of the consent, such as `lab_upload`. */
  readonly subject: string;
  /** The version of the text that was accepted. */
  readonly wording: string;
  readonly isGiven: boolean;
}

/** Records a visit today. Days are precise enough, so a row is written at most once a day. */
export const touch = (em: EntityManager, device: string): Promise<unknown> =>
  em.execute(
    `insert into device (hash, seen_on) values (?, current_date)
     on conflict (hash) do update set seen_on = excluded.seen_on where device.seen_on < excluded.seen_on`,
    [device],
  );

export const keepConsent = async (
  em: EntityManager,
  device: string,
  { subject, wording, isGiven }: Omit<Consent, 'at'>,
): Promise<void> => {
  await touch(em, device);
  await em.execute('insert into device_consent (device, subject, wording, is_given) values (?, ?, ?, ?)', [
    device,
    subject,
    wording,
    isGiven,
  ]);
};

export const readConsents = async (em: EntityManager, device: string): Promise<readonly Consent[]> => {
  const rows = (await em.execute(
    'select at, subject, wording, is_given from device_consent where device = ? order by id desc limit 200',
    [device],
  )) as unknown as { at: Date | string; subject: string; wording: string; is_given: boolean }[];
  return rows.map(({ at, subject, wording, is_given }) => ({
    at: new Date(at).toISOString(),
    subject,
    wording,
    isGiven: is_given,
  }));
};

/** Returns whether the device's last decision on a subject was yes. */
export const hasConsented = async (em: EntityManager, device: string, subject: string): Promise<boolean> => {
  const [row] = (await em.execute(
    'select is_given from device_consent where device = ? and subject = ? order by id desc limit 1',
    [device, subject],
  )) as unknown as { is_given: boolean }[];
  return row?.is_given === true;
};

export const isKnown = async (em: EntityManager, device: string): Promise<boolean> =>
  (await em.execute('select 1 from device where hash = ?', [device])).length > 0;

/** Name of a fact: something was erased since the space of deleted rows was last cleared. */
const ERASED = 'erased_since_cleared';

/** Records an erasure in its transaction: a job, possibly in another process, then clears the space of the deleted rows. */
export const noteErased = (em: EntityManager): Promise<unknown> =>
  em.execute("insert into fact (name, value) values (?, '1') on conflict (name) do nothing", [ERASED]);

export const wasErased = async (em: EntityManager): Promise<boolean> =>
  (await em.execute('select 1 from fact where name = ?', [ERASED])).length > 0;

export const forgetErased = (em: EntityManager): Promise<unknown> =>
  em.execute('delete from fact where name = ?', [ERASED]);

/** Returns devices whose last visit is more than the given number of days ago. */
export const forgotten = async (em: EntityManager, days: number, limit: number): Promise<readonly string[]> => {
  const rows = (await em.execute(
    'select hash from device where seen_on < current_date - ?::int order by hash limit ?',
    [days, limit],
  )) as unknown as { hash: string }[];
  return rows.map(({ hash }) => hash);
};

export const eraseDevice = async (em: EntityManager, device: string): Promise<void> => {
  await em.execute('delete from device where hash = ?', [device]);
};
