/** Adapter for Polar (AccessLink v3): watches and bands. It provides nights and activity of the last four weeks. */
import { randomUUID } from 'node:crypto';
import { addSleep, createDayBook, type DayBook } from './days.ts';
import { type Json, listOf, localOf, numberOf, objectOf, piecesOf, textOf } from './reading.ts';
import type { Vendor, VendorApi } from './vendor.ts';

/** Polar's own limit for one request, in days. */
const LONGEST_DAYS = 28;
/** Statuses that mean that there are no data. */
const NOTHING = [404];

const ask = (api: VendorApi, path: string, query: Record<string, string> = {}) =>
  api.ask({ path, query, emptyAt: NOTHING });

/**
 * Shape: `[{start_time: "2026-05-25T00:00", steps, active_calories, distance_from_steps}]` (open-wearables,
 * schemas/polar/daily_activity.py; one client has them under `activities`): metres, kcal. Times have no zone: the day is the
 * watch's own.
 */
const readActivity = (book: DayBook, answer: unknown): void => {
  for (const activity of Array.isArray(answer) ? listOf(answer) : listOf(objectOf(answer).activities)) {
    const day = textOf(activity.start_time).slice(0, 10);
    book.set(day, 'steps', numberOf(activity.steps));
    book.set(day, 'distance_m', numberOf(activity.distance_from_steps));
    book.set(day, 'active_kcal', numberOf(activity.active_calories));
  }
};

/**
 * Shape: `{nights: [{date, sleep_end_time, light_sleep, deep_sleep, rem_sleep, total_interruption_duration}]}` in seconds
 * (open-wearables, schemas/polar/sleep_import.py, after polar.com/accesslink-api/#sleep).
 */
const readSleep = (book: DayBook, nights: readonly Json[]): void => {
  for (const night of nights) {
    const end = localOf(night.sleep_end_time);
    const day = end?.day ?? textOf(night.date);
    addSleep(book, day, {
      deep: numberOf(night.deep_sleep),
      rem: numberOf(night.rem_sleep),
      light: numberOf(night.light_sleep),
      awake: numberOf(night.total_interruption_duration),
    });
    book.zone(day, end?.tz ?? null);
  }
};

/**
 * Shape: `{recharges: [{date, heart_rate_variability_avg, breathing_rate_avg}]}` (NightlyRecharge of the
 * polar-accesslink-api-gem: variation between successive beats, so RMSSD, in ms; breaths per minute; both over four hours of the
 * night). `heart_rate_avg` covers the same four hours and is neither the resting heart rate nor a mean of the day, so it is
 * excluded.
 */
const readRecharge = (book: DayBook, recharges: readonly Json[]): void => {
  for (const recharge of recharges) {
    const day = textOf(recharge.date);
    book.set(day, 'hrv_rmssd_ms', numberOf(recharge.heart_rate_variability_avg));
    book.set(day, 'resp_rate', numberOf(recharge.breathing_rate_avg));
  }
};

/** Shape: `{heart_rates: [{date, heart_rate_samples: [{heart_rate, sample_time}]}]}` (open-wearables, polar/data_247.py). */
const readHeartRate = (book: DayBook, days: readonly Json[]): void => {
  for (const { date, heart_rate_samples } of days) {
    for (const { heart_rate } of listOf(heart_rate_samples))
      book.sample(textOf(date), 'avg_hr_bpm', numberOf(heart_rate));
  }
};

/** Adapter for Polar. Blood oxygen tests and temperatures are excluded, because we have not seen complete responses. */
export const polar: Vendor = {
  slug: 'polar',
  name: 'Polar',
  what: 'Steps, distance, energy, heart rate, its variability in the night, and sleep of your Polar device, as one row a day.',
  settingPrefix: 'POLAR',
  endpoints: {
    issuer: 'https://flow.polar.com',
    authorize: 'https://flow.polar.com/oauth2/authorization',
    token: 'https://polarremote.com/v2/oauth2/token',
    revoke: '',
    data: 'https://www.polaraccesslink.com',
  },
  scopes: [
    {
      scope: 'accesslink.read_all',
      why: 'Polar has one permission for all of its data; only what is named above is read',
    },
  ],
  clientAuth: 'basic',
  sendsChallenge: false,
  reachesBackDays: LONGEST_DAYS,
  metrics: [
    'steps',
    'distance_m',
    'active_kcal',
    'avg_hr_bpm',
    'hrv_rmssd_ms',
    'resp_rate',
    'sleep_total_min',
    'sleep_deep_min',
    'sleep_rem_min',
    'sleep_light_min',
    'sleep_awake_min',
  ],
  userOf: ({ x_user_id }) => numberOf(x_user_id)?.toString() ?? null,
  // 409 means that the user is already registered. The identifier given to Polar is random and reveals nothing about the person.
  register: async (api) => {
    await api.ask({
      path: '/v3/users',
      method: 'POST',
      json: { 'member-id': randomUUID() },
      emptyAt: [409],
      isBodyOfNoUse: true,
    });
    return api.user;
  },
  fetchDays: async (api, span) => {
    const book = createDayBook('polar', 'Polar');
    for (const piece of piecesOf(span, LONGEST_DAYS)) {
      readActivity(book, await ask(api, '/v3/users/activities', { ...piece, steps: 'false' }));
      readHeartRate(
        book,
        listOf(objectOf(await ask(api, '/v3/users/continuous-heart-rate', { ...piece })).heart_rates),
      );
    }
    readSleep(book, listOf(objectOf(await ask(api, '/v3/users/sleep')).nights));
    readRecharge(book, listOf(objectOf(await ask(api, '/v3/users/nightly-recharge')).recharges));
    return book.rows(span);
  },
  revoke: async (api) => {
    await api.ask({
      path: `/v3/users/${encodeURIComponent(api.user ?? '')}`,
      method: 'DELETE',
      emptyAt: NOTHING,
      isBodyOfNoUse: true,
    });
  },
};
