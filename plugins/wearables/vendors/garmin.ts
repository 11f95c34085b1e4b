/**
 * Adapter for Garmin (Health API), which delivers days by push only. Garmin's programme permits only data requests that a
 * notification asks for, so nothing is fetched: this module reads what Garmin posts. A backfill is requested in Garmin's
 * developer tools.
 */
import type { DailyRow } from '../vitals.ts';
import { addSleep, createDayBook, type DayBook } from './days.ts';
import { dayAt, type Json, listOf, numberOf, objectOf, offsetOf, plusDays, textOf } from './reading.ts';
import type { Vendor } from './vendor.ts';

/** Returns the mean of the day's samples. Garmin's `averageHeartRateInBeatsPerMinute` covers the last seven days instead. */
const meanOf = (samples: unknown): number | null => {
  const rates = Object.values(objectOf(samples))
    .map(numberOf)
    .filter((rate) => rate !== null);
  return rates.length ? rates.reduce((sum, rate) => sum + rate, 0) / rates.length : null;
};

const zoneOf = (offset: unknown): string => {
  const seconds = numberOf(offset);
  return seconds === null ? '' : offsetOf(seconds);
};

/**
 * Shape: a daily summary of the Health API 1.2.2: `{calendarDate, steps, distanceInMeters, activeKilocalories,
 * restingHeartRateInBeatsPerMinute, timeOffsetHeartRateSamples: {"15": 75}, startTimeOffsetInSeconds}`.
 */
const readDaily = (book: DayBook, daily: Json): void => {
  const day = textOf(daily.calendarDate);
  book.set(day, 'steps', numberOf(daily.steps));
  book.set(day, 'distance_m', numberOf(daily.distanceInMeters));
  book.set(day, 'active_kcal', numberOf(daily.activeKilocalories));
  book.set(day, 'resting_hr_bpm', numberOf(daily.restingHeartRateInBeatsPerMinute));
  book.set(day, 'avg_hr_bpm', meanOf(daily.timeOffsetHeartRateSamples));
  book.zone(day, zoneOf(daily.startTimeOffsetInSeconds));
};

/** Validation values of nights that were not measured: entered by hand, or the watch was off the wrist. */
const UNMEASURED = ['MANUAL', 'OFF_WRIST'];

/**
 * Shape: a sleep summary of the same API: `{startTimeInSeconds, startTimeOffsetInSeconds, durationInSeconds (asleep, without
 * awake time), unmeasurableSleepInSeconds, deepSleepDurationInSeconds, lightSleepDurationInSeconds, remSleepInSeconds,
 * awakeDurationInSeconds, validation}`. Only ENHANCED_… includes REM; elsewhere a REM of zero means that it is unknown.
 */
const readSleep = (book: DayBook, sleep: Json): void => {
  const validation = textOf(sleep.validation);
  const [start, duration] = [numberOf(sleep.startTimeInSeconds), numberOf(sleep.durationInSeconds)];
  const offset = numberOf(sleep.startTimeOffsetInSeconds);
  if (start === null || duration === null || offset === null || UNMEASURED.includes(validation)) return;
  const awake = numberOf(sleep.awakeDurationInSeconds);
  const whole = duration + (awake ?? 0) + (numberOf(sleep.unmeasurableSleepInSeconds) ?? 0);
  const day = dayAt((start + whole) * 1_000, offset);
  if (day === null) return;
  const rem = numberOf(sleep.remSleepInSeconds);
  addSleep(book, day, {
    deep: numberOf(sleep.deepSleepDurationInSeconds),
    light: numberOf(sleep.lightSleepDurationInSeconds),
    rem: rem || validation.startsWith('ENHANCED') ? rem : null,
    awake,
    total: duration,
  });
  book.zone(day, offsetOf(offset));
};

/** Shape: `{weightInGrams, measurementTimeInSeconds, measurementTimeOffsetInSeconds}` of the same API. */
const readBody = (book: DayBook, body: Json): void => {
  const [time, offset] = [numberOf(body.measurementTimeInSeconds), numberOf(body.measurementTimeOffsetInSeconds)];
  const grams = numberOf(body.weightInGrams);
  const day = time === null || offset === null ? null : dayAt(time * 1_000, offset);
  if (day === null || offset === null || grams === null) return;
  book.set(day, 'weight_kg', grams / 1_000);
  book.zone(day, offsetOf(offset));
};

/** Each kind is a separate source, so that later data of one kind replaces only that kind. */
const KINDS: Readonly<
  Record<string, { readonly source: string; readonly time: string; readonly read: typeof readDaily }>
> = {
  dailies: { source: 'Garmin', time: 'startTimeInSeconds', read: readDaily },
  sleeps: { source: 'Garmin (sleep)', time: 'startTimeInSeconds', read: readSleep },
  bodyComps: { source: 'Garmin (scale)', time: 'measurementTimeInSeconds', read: readBody },
};

/** Removes repeated summaries: Garmin sends a night twice, first tentative and then final, and the last one counts. */
const withoutRepeats = (items: readonly Json[], time: string): readonly Json[] => [
  ...new Map(items.map((item) => [`${item.userId}/${item[time]}`, item])).values(),
];

/**
 * Shape: `{dailies: [{userId, ...}], sleeps: [...]}`: the content of the corresponding responses, with the user (Health API, push
 * service).
 */
const readPush = (body: unknown): ReadonlyMap<string, readonly DailyRow[]> => {
  const rows = new Map<string, readonly DailyRow[]>();
  // Excludes days of a watch whose clock was never set.
  const span = { from: '2000-01-01', to: plusDays(new Date().toISOString().slice(0, 10), 1) };
  for (const [kind, { source, time, read }] of Object.entries(KINDS)) {
    const items = withoutRepeats(listOf(objectOf(body)[kind]), time);
    for (const [user, own] of Map.groupBy(items, ({ userId }) => textOf(userId))) {
      const book = createDayBook('garmin', source);
      for (const item of own) read(book, item);
      if (user) rows.set(user, [...(rows.get(user) ?? []), ...book.rows(span)]);
    }
  }
  return rows;
};

/** Shape: `{deregistrations: [{userId}]}`, as in other implementations (pc2e garminworker, DeregistrationPushNotificationDto). */
const readLeavers = (body: unknown): readonly string[] =>
  listOf(objectOf(body).deregistrations)
    .map(({ userId }) => textOf(userId))
    .filter(Boolean);

export const garmin: Vendor = {
  slug: 'garmin',
  name: 'Garmin',
  what: 'Steps, distance, energy, heart rate, weight and sleep that Garmin sends after your watch was synchronised, as one row a day.',
  settingPrefix: 'GARMIN',
  endpoints: {
    issuer: 'https://connect.garmin.com',
    authorize: 'https://connect.garmin.com/oauth2Confirm',
    token: 'https://diauth.garmin.com/di-oauth2-service/oauth/token',
    revoke: '',
    data: 'https://apis.garmin.com',
  },
  // The data types are configured in Garmin's developer portal, and the person grants them there.
  scopes: [],
  clientAuth: 'body',
  sendsChallenge: true,
  isPushed: true,
  metrics: [
    'steps',
    'distance_m',
    'active_kcal',
    'resting_hr_bpm',
    'avg_hr_bpm',
    'weight_kg',
    'sleep_total_min',
    'sleep_deep_min',
    'sleep_rem_min',
    'sleep_light_min',
    'sleep_awake_min',
  ],
  // `{userId}`: open-wearables, garmin/oauth.py.
  register: async (api) => textOf(objectOf(await api.ask({ path: '/partner-gateway/rest/user/id' })).userId) || null,
  fetchDays: async () => [],
  readPush,
  readLeavers,
  revoke: async (api) => {
    await api.ask({ path: '/partner-gateway/rest/user/registration', method: 'DELETE', isBodyOfNoUse: true });
  },
};
