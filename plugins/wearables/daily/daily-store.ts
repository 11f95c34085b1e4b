/** Stores days. Every statement is restricted to a device; everything about a person is sealed, except the day. */
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Secrets } from '#core/secrets.ts';
import { touch } from '#plugins/devices/index.ts';
import type { DailyRow, MetricId } from '../vitals.ts';
import { METRICS } from '../vitals.ts';

/** Parameters of a statement: the device and the secrets. */
export interface Shelf {
  readonly em: EntityManager;
  readonly secrets: Secrets;
  readonly device: string;
}

export interface DaySpan {
  /** `YYYY-MM-DD`, both days inclusive. */
  readonly from: string;
  readonly to: string;
}

interface Row {
  readonly day: string;
  readonly source: string;
  readonly origin: DailyRow['origin'];
  readonly sealed: Uint8Array;
}

const PURPOSE = 'wearable_day';
/** Rows per statement; the protocol limits the parameter count to 16 bits. */
const BATCH = 1_000;
const METRIC_IDS: readonly MetricId[] = METRICS.map(({ id }) => id);

const COLUMNS = `to_char(day, 'YYYY-MM-DD') as day, source, origin, sealed`;

const boundTo = (device: string, day: string, source: string) => ({
  purpose: PURPOSE,
  id: `${device}/${day}/${source}`,
});

/** Serializes the values without their names: one number per metric, `null` if missing. */
const packed = ({ tz, source, vitals }: DailyRow): Buffer =>
  Buffer.from(JSON.stringify([tz, source, ...METRIC_IDS.map((id) => vitals[id] ?? null)]));

const unpacked = ({ day, origin }: Pick<Row, 'day' | 'origin'>, bytes: Buffer): DailyRow => {
  const [tz, source, ...values] = JSON.parse(bytes.toString()) as [string, string, ...(number | null)[]];
  const vitals: Partial<Record<MetricId, number>> = {};
  for (const [at, id] of METRIC_IDS.entries()) {
    const value = values[at];
    if (typeof value === 'number') vitals[id] = value;
  }
  return { day, tz, source, origin, vitals };
};

const opened = (secrets: Secrets, device: string, row: Row): DailyRow =>
  unpacked(row, secrets.open(boundTo(device, row.day, row.source), Buffer.from(row.sealed)));

type SourceKeys = (row: Pick<DailyRow, 'origin' | 'source'>) => string;

/**
 * Returns a function that maps a source to its random key, which reveals nothing about the source. Keys of known sources are read
 * from the existing rows. The row of the device is locked, so that two concurrent imports do not assign two keys to one source.
 */
const sourceKeys = async ({ em, secrets, device }: Shelf): Promise<SourceKeys> => {
  await touch(em, device);
  await em.execute('select 1 from device where hash = ? for update', [device]);
  const rows = (await em.execute(
    `select distinct on (source) ${COLUMNS} from wearable_daily where device = ? order by source, day`,
    [device],
  )) as unknown as Row[];
  const nameOf = ({ origin, source }: Pick<DailyRow, 'origin' | 'source'>): string => `${origin}\0${source}`;
  const keys = new Map(rows.map((row) => [nameOf(opened(secrets, device, row)), row.source]));
  return (row) => {
    const name = nameOf(row);
    const key = keys.get(name) ?? randomBytes(8).toString('hex');
    keys.set(name, key);
    return key;
  };
};

/** Inserts the rows, or replaces those of the same day and source. */
export const putDays = async (shelf: Shelf, rows: readonly DailyRow[], given?: SourceKeys): Promise<void> => {
  if (!rows.length) return;
  const { em, secrets, device } = shelf;
  const keyOf = given ?? (await sourceKeys(shelf));
  for (let from = 0; from < rows.length; from += BATCH) {
    const some = rows.slice(from, from + BATCH).map((row) => ({ row, source: keyOf(row) }));
    await em.execute(
      `insert into wearable_daily (device, day, source, origin, sealed) values ${some.map(() => '(?, ?, ?, ?, ?)').join(', ')}
       on conflict (device, day, source) do update set origin = excluded.origin, sealed = excluded.sealed, updated_at = now()`,
      some.flatMap(({ row, source }) => [
        device,
        row.day,
        source,
        row.origin,
        secrets.seal(boundTo(device, row.day, source), packed(row)),
      ]),
    );
  }
};

/** Replaces all days of a source within the span of the rows: days that are not among the rows are deleted. */
export const replaceDays = async (shelf: Shelf, rows: readonly DailyRow[]): Promise<void> => {
  if (!rows.length) return;
  const { em, device } = shelf;
  const keyOf = await sourceKeys(shelf);
  for (const [source, own] of Map.groupBy(rows, keyOf)) {
    const days = own.map(({ day }) => day).sort();
    await em.execute('delete from wearable_daily where device = ? and source = ? and day between ? and ?', [
      device,
      source,
      days[0],
      days.at(-1),
    ]);
  }
  await putDays(shelf, rows, keyOf);
};

/** Returns the days of a span, oldest first. */
export const readDays = async (
  { em, secrets, device }: Shelf,
  { from, to }: DaySpan = { from: '0001-01-01', to: '9999-12-31' },
): Promise<readonly DailyRow[]> => {
  const rows = (await em.execute(
    `select ${COLUMNS} from wearable_daily where device = ? and day between ? and ? order by day, source`,
    [device, from, to],
  )) as unknown as Row[];
  return rows.map((row) => opened(secrets, device, row));
};

/** Returns the span of all stored days; null if there are none. */
export const spanOf = async ({ em, device }: Pick<Shelf, 'em' | 'device'>): Promise<DaySpan | null> => {
  const [row] = (await em.execute(
    `select to_char(min(day), 'YYYY-MM-DD') as from, to_char(max(day), 'YYYY-MM-DD') as to from wearable_daily where device = ?`,
    [device],
  )) as unknown as { from: string | null; to: string | null }[];
  return row?.from && row.to ? { from: row.from, to: row.to } : null;
};

export const countDays = async ({ em, device }: Pick<Shelf, 'em' | 'device'>): Promise<number> => {
  const [row] = (await em.execute('select count(*)::int as n from wearable_daily where device = ?', [
    device,
  ])) as unknown as { n: number }[];
  return row?.n ?? 0;
};

/** Deletes the days of one origin, or of all origins. Returns how many. */
export const eraseDays = async (
  { em, device }: Pick<Shelf, 'em' | 'device'>,
  origin: DailyRow['origin'] | null = null,
): Promise<number> => {
  const rows = (await em.execute(
    'delete from wearable_daily where device = ? and (?::text is null or origin = ?) returning 1',
    [device, origin, origin],
  )) as unknown as unknown[];
  return rows.length;
};

const sameDay = ({ day, origin, source }: DailyRow): string => `${day}\0${origin}\0${source}`;

/**
 * Moves the days to another device and seals them anew, because they are bound to their device. Days that the target device
 * already has from the same source are preserved.
 */
export const moveDays = async (
  { em, secrets }: Omit<Shelf, 'device'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const [theirs, own] = [
    await readDays({ em, secrets, device: from }),
    new Set((await readDays({ em, secrets, device: to })).map(sameDay)),
  ];
  await putDays(
    { em, secrets, device: to },
    theirs.filter((row) => !own.has(sameDay(row))),
  );
  await em.execute('delete from wearable_daily where device = ?', [from]);
};
