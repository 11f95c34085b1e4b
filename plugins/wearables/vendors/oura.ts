/** Adapter for Oura: days, nights, blood oxygen and the VO₂ max estimate of a ring. */
import { addSleep, createDayBook, type DayBook } from './days.ts';
import { allPages } from './paging.ts';
import { type Json, listOf, localOf, numberOf, objectOf, textOf } from './reading.ts';
import type { Span, Vendor, VendorApi } from './vendor.ts';

/**
 * Fetches all pages. Oura responds with `{data: [...], next_token}` (its OpenAPI; the-momentum/open-wearables, oura/data_247.py).
 */
const collect = (api: VendorApi, name: string, { from, to }: Span): Promise<readonly Json[]> =>
  allPages(async (token) => {
    const query = { start_date: from, end_date: to, next_token: token };
    const { data, next_token } = objectOf(await api.ask({ path: `/v2/usercollection/${name}`, query, emptyAt: [404] }));
    return { items: listOf(data), next: textOf(next_token) };
  });

/** Oura's types of sleep to read; `rest` is lying still and `deleted` was removed by the user. */
const KINDS_OF_SLEEP = ['long_sleep', 'sleep', 'late_nap'];

/**
 * Shape: PublicModifiedSleepModel (Oura's OpenAPI as in the oura-toolkit-api crate, and a real response with `average_breath:
 * 15.125`, `average_hrv: 66`, gist CraigglesO/8b22ed92): durations in seconds, HRV as RMSSD in ms, breaths per minute. HRV and
 * breath are those of the longest stretch of the day. `lowest_heart_rate` is a minimum and not the resting heart rate, so it is
 * excluded.
 */
const readSleep = (book: DayBook, sleeps: readonly Json[]): void => {
  const longest = new Map<string, number>();
  for (const sleep of sleeps) {
    const end = localOf(sleep.bedtime_end);
    if (!end || !KINDS_OF_SLEEP.includes(textOf(sleep.type))) continue;
    const total = numberOf(sleep.total_sleep_duration);
    addSleep(book, end.day, {
      deep: numberOf(sleep.deep_sleep_duration),
      rem: numberOf(sleep.rem_sleep_duration),
      light: numberOf(sleep.light_sleep_duration),
      awake: numberOf(sleep.awake_time),
      total,
    });
    book.zone(end.day, end.tz);
    if ((total ?? 0) <= (longest.get(end.day) ?? 0)) continue;
    longest.set(end.day, total ?? 0);
    book.set(end.day, 'hrv_rmssd_ms', numberOf(sleep.average_hrv));
    book.set(end.day, 'resp_rate', numberOf(sleep.average_breath));
  }
};

/**
 * Shape: PublicDailyActivity (as in the oura-toolkit-api crate): a day from 4 to 4 o'clock. `equivalent_walking_distance` is
 * energy expressed as a distance and not a walked distance, so it is excluded, as is a day on which the ring was not worn at all.
 */
const readActivity = (book: DayBook, activities: readonly Json[]): void => {
  for (const activity of activities) {
    const day = textOf(activity.day);
    if ((numberOf(activity.non_wear_time) ?? 0) >= 86_400) continue;
    book.set(day, 'steps', numberOf(activity.steps));
    book.set(day, 'active_kcal', numberOf(activity.active_calories));
    book.zone(day, localOf(activity.timestamp)?.tz ?? null);
  }
};

/** Shapes: PublicDailySpO2 `{day, spo2_percentage: {average}}`, PublicVO2Max `{day, vo2_max}` (Oura's OpenAPI). */
const readRest = (book: DayBook, spo2: readonly Json[], vo2max: readonly Json[]): void => {
  for (const item of spo2) book.set(textOf(item.day), 'spo2_pct', numberOf(objectOf(item.spo2_percentage).average));
  for (const item of vo2max) book.set(textOf(item.day), 'vo2max', numberOf(item.vo2_max));
};

export const oura: Vendor = {
  slug: 'oura',
  name: 'Oura',
  what: 'Sleep, steps, energy, heart rate variability, breathing and blood oxygen of your ring, as one row a day.',
  settingPrefix: 'OURA',
  endpoints: {
    issuer: 'https://cloud.ouraring.com',
    authorize: 'https://cloud.ouraring.com/oauth/authorize',
    token: 'https://api.ouraring.com/oauth/token',
    revoke: 'https://api.ouraring.com/oauth/revoke',
    data: 'https://api.ouraring.com',
  },
  scopes: [
    { scope: 'daily', why: 'Sleep, steps and energy of each day' },
    { scope: 'spo2', why: 'Mean blood oxygen of the night' },
    { scope: 'heart_health', why: 'The estimate of VO₂ max' },
  ],
  clientAuth: 'body',
  sendsChallenge: false,
  metrics: [
    'steps',
    'active_kcal',
    'vo2max',
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
    const book = createDayBook('oura', 'Oura');
    const of = (scope: string, name: string) => (api.has(scope) ? collect(api, name, span) : []);
    readSleep(book, await of('daily', 'sleep'));
    readActivity(book, await of('daily', 'daily_activity'));
    readRest(book, await of('spo2', 'daily_spo2'), await of('heart_health', 'vO2_max'));
    return book.rows(span);
  },
  // Oura requires the token in the URL (open-wearables, oura/oauth.py).
  revoke: async (api) => {
    await api.ask({
      base: 'revoke',
      path: '',
      method: 'POST',
      query: { access_token: api.accessToken },
      isAnonymous: true,
      isBodyOfNoUse: true,
    });
  },
};
