/** Adapter for WHOOP: nights and the measurements during them. */
import { addSleep, createDayBook, type DayBook } from './days.ts';
import { allPages } from './paging.ts';
import { dayAt, type Json, listOf, numberOf, objectOf, plusDays, secondsOf, textOf } from './reading.ts';
import type { Span, Vendor, VendorApi } from './vendor.ts';

/** WHOOP's own limit of records per page. */
const PER_PAGE = 25;

/** Fetches all pages. WHOOP responds with `{records: [...], next_token}`, newest first (developer.whoop.com/api). */
const collect = (api: VendorApi, path: string, { from, to }: Span): Promise<readonly Json[]> =>
  allPages(async (token) => {
    const times = { start: `${plusDays(from, -1)}T00:00:00.000Z`, end: `${plusDays(to, 2)}T00:00:00.000Z` };
    const query = { ...times, limit: PER_PAGE, nextToken: token };
    const { records, next_token } = objectOf(await api.ask({ path, query }));
    return { items: listOf(records), next: textOf(next_token) };
  });

const seconds = (milliseconds: unknown): number | null => {
  const value = numberOf(milliseconds);
  return value === null ? null : value / 1_000;
};

/**
 * Reads nights and returns the day of each.
 * Shape: apis.io, "Whoop List Sleep Example", and developer.whoop.com/api: `end` in UTC with `timezone_offset` beside it, stages
 * in ms under `score.stage_summary`, present once `score_state` is SCORED.
 */
const readSleep = (book: DayBook, sleeps: readonly Json[]): ReadonlyMap<string, string> => {
  const nights = new Map<string, string>();
  for (const sleep of sleeps) {
    const tz = textOf(sleep.timezone_offset);
    const offset = secondsOf(tz);
    const day = offset === null ? null : dayAt(Date.parse(textOf(sleep.end)), offset);
    if (day === null || sleep.score_state !== 'SCORED') continue;
    const score = objectOf(sleep.score);
    const stages = objectOf(score.stage_summary);
    addSleep(book, day, {
      deep: seconds(stages.total_slow_wave_sleep_time_milli),
      rem: seconds(stages.total_rem_sleep_time_milli),
      light: seconds(stages.total_light_sleep_time_milli),
      awake: seconds(stages.total_awake_time_milli),
    });
    book.zone(day, tz === 'Z' ? '+00:00' : tz);
    if (sleep.nap === true) continue;
    nights.set(textOf(sleep.id), day);
    book.set(day, 'resp_rate', numberOf(score.respiratory_rate));
  }
  return nights;
};

/**
 * Shape: developer.whoop.com/docs/developing/user-data/recovery: `hrv_rmssd_milli` in ms. A recovery has no day of its own, only
 * the id of its night. `skin_temp_celsius` is the skin temperature and not the body temperature, so it is excluded.
 */
const readRecovery = (book: DayBook, recoveries: readonly Json[], nights: ReadonlyMap<string, string>): void => {
  for (const recovery of recoveries) {
    const day = nights.get(textOf(recovery.sleep_id));
    if (day === undefined || recovery.score_state !== 'SCORED') continue;
    const score = objectOf(recovery.score);
    book.set(day, 'resting_hr_bpm', numberOf(score.resting_heart_rate));
    book.set(day, 'hrv_rmssd_ms', numberOf(score.hrv_rmssd_milli));
    book.set(day, 'spo2_pct', numberOf(score.spo2_percentage));
  }
};

/**
 * Adapter for WHOOP. Excluded are a cycle's `kilojoule` (it includes energy at rest) and `average_heart_rate` (from waking to
 * waking, not a day), and the body measurement's weight (without a date).
 */
export const whoop: Vendor = {
  slug: 'whoop',
  name: 'WHOOP',
  what: 'Sleep, resting heart rate, heart rate variability, breathing and blood oxygen of your nights, as one row a day.',
  settingPrefix: 'WHOOP',
  endpoints: {
    issuer: 'https://api.prod.whoop.com',
    authorize: 'https://api.prod.whoop.com/oauth/oauth2/auth',
    token: 'https://api.prod.whoop.com/oauth/oauth2/token',
    revoke: '',
    data: 'https://api.prod.whoop.com/developer',
  },
  scopes: [
    { scope: 'offline', why: 'To fetch new days without asking you again' },
    { scope: 'read:sleep', why: 'Sleep and breathing of your nights' },
    { scope: 'read:recovery', why: 'Resting heart rate, its variability, blood oxygen' },
  ],
  clientAuth: 'body',
  sendsChallenge: false,
  metrics: [
    'resting_hr_bpm',
    'hrv_rmssd_ms',
    'spo2_pct',
    'resp_rate',
    'sleep_total_min',
    'sleep_deep_min',
    'sleep_rem_min',
    'sleep_light_min',
    'sleep_awake_min',
  ],
  fetchDays: async (api, span) => {
    const book = createDayBook('whoop', 'WHOOP');
    if (!api.has('read:sleep')) return [];
    const nights = readSleep(book, await collect(api, '/v2/activity/sleep', span));
    if (api.has('read:recovery')) readRecovery(book, await collect(api, '/v2/recovery', span), nights);
    return book.rows(span);
  },
  revoke: async (api) => {
    await api.ask({ path: '/v2/user/access', method: 'DELETE', isBodyOfNoUse: true });
  },
};
