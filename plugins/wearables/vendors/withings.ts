/** Adapter for Withings: scales, blood pressure monitors, watches and sleep mats. */
import type { MetricId } from '../vitals.ts';
import { addSleep, createDayBook, type DayBook } from './days.ts';
import { allPages } from './paging.ts';
import { dayIn, type Json, listOf, numberOf, objectOf, plusDays, textOf } from './reading.ts';
import type { Vendor, VendorApi } from './vendor.ts';
import { opened, signed, withingsDialect } from './withings-dialect.ts';

interface Call {
  readonly path: string;
  readonly action: string;
  /** Member of the body that holds the items. */
  readonly list: string;
  readonly form: Readonly<Record<string, string>>;
}

/**
 * Fetches the items of all pages, and the time zone of the account if given. There is another page while `more` is set
 * (rpc_client.py).
 */
const collect = async (api: VendorApi, { path, action, list, form }: Call) => {
  let zone = '';
  const items = await allPages(async (offset) => {
    const paged: Record<string, string> = offset ? { offset } : {};
    const body = opened(await api.ask({ path, method: 'POST', form: { action, ...form, ...paged } }));
    zone ||= textOf(body.timezone);
    return { items: listOf(body[list]), next: body.more ? String(numberOf(body.offset) ?? '') : '' };
  });
  return { items, zone };
};

/** Measure types that correspond to one of our metrics and its unit (Withings' list of measures; open-wearables, coverage.py). */
const MEASURES: ReadonlyMap<number, { readonly metric: MetricId; readonly how: 'last' | 'mean' }> = new Map([
  [1, { metric: 'weight_kg', how: 'last' }],
  [9, { metric: 'diastolic', how: 'mean' }],
  [10, { metric: 'systolic', how: 'mean' }],
  [54, { metric: 'spo2_pct', how: 'mean' }],
  [71, { metric: 'body_temp_c', how: 'last' }],
  [123, { metric: 'vo2max', how: 'last' }],
]);
/** Value of `attrib` for a measurement of an uncertain person. */
const DOUBTFUL = 1;

/**
 * Shape: a real response of `getmeas` (ba-thesis README, git.skyforest.net): `measuregrps: [{attrib, date, measures: [{value:
 * 109, type: 10, unit: 0}]}]` with `timezone` beside them; the value is `value` × 10^`unit`. Excluded: 11, a momentary pulse; 12,
 * a temperature without a body site; 119, glucose, which Withings' own list of measures does not contain.
 */
const readMeasures = (book: DayBook, groups: readonly Json[], zone: string): void => {
  const inOrder = [...groups].sort((one, other) => (numberOf(one.date) ?? 0) - (numberOf(other.date) ?? 0));
  for (const group of inOrder) {
    const tz = textOf(group.timezone) || zone;
    const time = numberOf(group.date);
    const day = time === null || !tz ? null : dayIn(time * 1_000, tz);
    if (day === null || group.attrib === DOUBTFUL) continue;
    for (const measure of listOf(group.measures)) {
      const [value, unit] = [numberOf(measure.value), numberOf(measure.unit)];
      const known = MEASURES.get(numberOf(measure.type) ?? 0);
      if (!known || value === null || unit === null) continue;
      const real = Number(`${value}e${unit}`);
      if (known.how === 'last') book.set(day, known.metric, real);
      else book.sample(day, known.metric, real);
      book.zone(day, tz);
    }
  }
};

/**
 * Shape: `activities: [{date, timezone, deviceid, steps, distance, calories, hr_average}]` (open-wearables,
 * schemas/withings/imports.py): metres, active kcal. A day without a device comes from another app through Withings.
 */
const readActivity = (book: DayBook, activities: readonly Json[]): void => {
  for (const activity of activities) {
    if (!activity.deviceid) continue;
    const day = textOf(activity.date);
    book.set(day, 'steps', numberOf(activity.steps));
    book.set(day, 'distance_m', numberOf(activity.distance));
    book.set(day, 'active_kcal', numberOf(activity.calories));
    book.set(day, 'avg_hr_bpm', numberOf(activity.hr_average));
    book.zone(day, textOf(activity.timezone));
  }
};

/**
 * Shape: `series: [{startdate, enddate, timezone, data: {deepsleepduration, lightsleepduration, remsleepduration, wakeupduration,
 * rr_average}}]` (same file): seconds; stages are null for nights of another source.
 */
const readSleep = (book: DayBook, nights: readonly Json[]): void => {
  for (const night of nights) {
    const tz = textOf(night.timezone);
    const end = numberOf(night.enddate);
    const day = end === null || !tz ? null : dayIn(end * 1_000, tz);
    if (day === null) continue;
    const data = objectOf(night.data);
    addSleep(book, day, {
      deep: numberOf(data.deepsleepduration),
      rem: numberOf(data.remsleepduration),
      light: numberOf(data.lightsleepduration),
      awake: numberOf(data.wakeupduration),
    });
    book.set(day, 'resp_rate', numberOf(data.rr_average));
    book.zone(day, tz);
  }
};

export const withings: Vendor = {
  slug: 'withings',
  name: 'Withings',
  what: 'Weight, blood pressure, blood oxygen, temperature, steps, energy and sleep of your Withings devices, as one row a day.',
  settingPrefix: 'WITHINGS',
  endpoints: {
    issuer: 'https://account.withings.com',
    authorize: 'https://account.withings.com/oauth2_user/authorize2',
    token: 'https://wbsapi.withings.net/v2/oauth2',
    revoke: '',
    data: 'https://wbsapi.withings.net',
  },
  scopes: [
    { scope: 'user.metrics', why: 'Weight, blood pressure, blood oxygen and temperature' },
    { scope: 'user.activity', why: 'Steps, distance, energy and sleep of each day' },
    { scope: 'user.sleepevents', why: 'Stages of sleep' },
  ],
  scopeSeparator: ',',
  clientAuth: 'body',
  sendsChallenge: false,
  dialect: withingsDialect,
  metrics: [
    ...[...MEASURES.values()].map(({ metric }) => metric),
    'steps',
    'distance_m',
    'active_kcal',
    'avg_hr_bpm',
    'resp_rate',
    'sleep_total_min',
    'sleep_deep_min',
    'sleep_rem_min',
    'sleep_light_min',
    'sleep_awake_min',
  ],
  userOf: ({ userid }) => textOf(userid) || (numberOf(userid)?.toString() ?? null),
  fetchDays: async (api, { from, to }) => {
    const book = createDayBook('withings', 'Withings');
    const days = { startdateymd: from, enddateymd: to };
    const call = (path: string, action: string, list: string) => (form: Record<string, string>) =>
      collect(api, { path, action, list, form });
    if (api.has('user.metrics')) {
      // The span has an extra day at both ends, because the time zone determines the day of a measurement.
      const at = (day: string) => String(Date.parse(`${day}T00:00:00Z`) / 1_000);
      const moments = { startdate: at(plusDays(from, -1)), enddate: at(plusDays(to, 2)), category: '1' };
      const types = [...MEASURES.keys()].join(',');
      const { items, zone } = await call('/measure', 'getmeas', 'measuregrps')({ ...moments, meastypes: types });
      readMeasures(book, items, zone);
    }
    if (api.has('user.activity')) {
      const fields = 'steps,distance,calories,hr_average';
      readActivity(
        book,
        (await call('/v2/measure', 'getactivity', 'activities')({ ...days, data_fields: fields })).items,
      );
      const stages = 'deepsleepduration,lightsleepduration,remsleepduration,wakeupduration,rr_average';
      readSleep(book, (await call('/v2/sleep', 'getsummary', 'series')({ ...days, data_fields: stages })).items);
    }
    return book.rows({ from, to });
  },
  // General endpoint: a signed `action=revoke` for the user.
  revoke: async (api) => {
    const form = { ...(await signed('revoke', api.client, api.ask)), userid: api.user ?? '' };
    opened(await api.ask({ base: 'token', path: '', method: 'POST', form, isAnonymous: true }));
  },
};
