import assert from 'node:assert/strict';
import {
  countDays,
  eraseDays,
  moveDays,
  putDays,
  readDays,
  replaceDays,
  spanOf,
} from '#plugins/wearables/daily/daily-store.ts';
import type { DailyRow, Vitals } from '#plugins/wearables/vitals.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const row = (day: string, source: string, vitals: Vitals): DailyRow => ({
  day,
  tz: '+01:00',
  source,
  origin: 'phone',
  vitals,
});

describe('stored wearable days', () => {
  let service: SharedService;
  let devices = 0;
  let device: string;
  before(async () => {
    service = await sharedService();
  });
  beforeEach(() => {
    devices += 1;
    device = `wearable-device-${devices}`;
  });
  const within = <T>(work: (shelf: Parameters<typeof putDays>[0]) => Promise<T>, of = device): Promise<T> =>
    service.runtime.db.write((em) => work({ em, secrets: service.runtime.secrets, device: of }));

  it('are read as they were stored, oldest first, without the missing metrics', async () => {
    const rows = [
      row('2026-03-01', 'Watch', { steps: 0, spo2_pct: 97.5 }),
      row('2026-03-02', 'Watch', { weight_kg: 70.25 }),
    ];
    await within((shelf) => putDays(shelf, rows.toReversed()));
    assert.deepEqual(await within((shelf) => readDays(shelf)), rows);
    assert.deepEqual(await within(spanOf), { from: '2026-03-01', to: '2026-03-02' });
    assert.deepEqual(await within((shelf) => readDays(shelf, { from: '2026-03-02', to: '2026-03-09' })), rows.slice(1));
  });

  it('are replaced by a newer export only for its days and sources', async () => {
    await within((shelf) =>
      replaceDays(shelf, [
        row('2026-03-01', 'Watch', { steps: 1 }),
        row('2026-03-02', 'Watch', { steps: 2 }),
        row('2026-03-03', 'Watch', { steps: 3 }),
        row('2026-03-02', 'iPhone', { steps: 9 }),
      ]),
    );
    await within((shelf) =>
      replaceDays(shelf, [row('2026-03-02', 'Watch', { steps: 5 }), row('2026-03-04', 'Watch', { steps: 4 })]),
    );
    const kept = await within((shelf) => readDays(shelf));
    assert.deepEqual(
      new Set(kept.map(({ day, source, vitals }) => `${day} ${source} ${vitals.steps}`)),
      new Set(['2026-03-01 Watch 1', '2026-03-02 Watch 5', '2026-03-02 iPhone 9', '2026-03-04 Watch 4']),
    );
  });

  it('reveal nothing in the database except their dates', async () => {
    await within((shelf) => putDays(shelf, [row('2026-03-01', 'Ada’s Watch', { steps: 12_345 })]));
    const text = JSON.stringify(
      await sql(
        service,
        `select device, day, source, origin, encode(sealed, 'escape') as sealed from wearable_daily where device = '${device}'`,
      ),
    );
    assert.match(text, /2026-0[23]-/);
    assert.doesNotMatch(text, /Ada|Watch|12345|steps/);
  });

  it('move to another device without overwriting its days, and are deleted by origin or entirely', async () => {
    const other = `${device}-other`;
    await within((shelf) =>
      putDays(shelf, [row('2026-03-01', 'Watch', { steps: 1 }), row('2026-03-02', 'Watch', { steps: 2 })]),
    );
    await within((shelf) => putDays(shelf, [row('2026-03-01', 'Watch', { steps: 7 })]), other);
    await within(({ em, secrets }) => moveDays({ em, secrets }, { from: device, to: other }));
    assert.equal(await within(countDays), 0);
    const moved = await within((shelf) => readDays(shelf), other);
    assert.deepEqual(
      moved.map(({ vitals }) => vitals.steps),
      [7, 2],
    );
    await within((shelf) => putDays(shelf, [{ ...row('2026-03-01', 'Oura', { steps: 3 }), origin: 'oura' }]), other);
    assert.equal(await within((shelf) => eraseDays(shelf, 'oura'), other), 1);
    assert.equal(await within((shelf) => eraseDays(shelf), other), 2);
  });

  it('can be stored 3,000 at once', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) =>
      row(new Date(Date.UTC(2018, 0, 1 + at)).toISOString().slice(0, 10), 'Watch', { steps: at }),
    );
    await within((shelf) => replaceDays(shelf, rows));
    assert.deepEqual(
      (await within((shelf) => readDays(shelf))).map(({ vitals }) => vitals.steps),
      rows.map(({ vitals }) => vitals.steps),
    );
  });
});
