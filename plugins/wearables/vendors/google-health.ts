/** Adapter for Google Health (v4): data from Fitbit and Pixel devices and from apps, merged by Google into one stream. */
import { addSleep, createDayBook, type DayBook } from './days.ts';
import { ACTIVITY, DAILIES, MEASUREMENTS, SLEEP, TOTALS, type Total } from './google-types.ts';
import { allPages } from './paging.ts';
import { dayAt, type Json, listOf, numberOf, objectOf, offsetOf, piecesOf, plusDays, textOf } from './reading.ts';
import type { Span, Vendor, VendorApi } from './vendor.ts';

/** Google's own limits for one request, in days. */
const HEART_RATE_DAYS = 14;
const OTHER_DAYS = 90;

/** Converts `{year, month, day}` to a day; "" for anything else. */
const dayOf = (date: unknown): string => {
  const { year, month, day } = objectOf(date);
  const two = (value: unknown) => String(numberOf(value) ?? '').padStart(2, '0');
  return numberOf(year) && numberOf(month) && numberOf(day) ? `${year}-${two(month)}-${two(day)}` : '';
};
const civil = (day: string) => {
  const [year, month, date] = day.split('-').map(Number);
  return { date: { year, month, day: date } };
};

const pathOf = (type: string): string => `/v4/users/me/dataTypes/${type}/dataPoints`;

const readTotal = async (api: VendorApi, book: DayBook, total: Total, span: Span): Promise<void> => {
  const longest = total.type === 'heart-rate' ? HEART_RATE_DAYS : OTHER_DAYS;
  for (const { from, to } of piecesOf(span, longest)) {
    const json = { range: { start: civil(from), end: civil(plusDays(to, 1)) }, windowSizeDays: 1 };
    const answer = objectOf(await api.ask({ path: `${pathOf(total.type)}:dailyRollUp`, method: 'POST', json }));
    for (const point of listOf(answer.rollupDataPoints)) {
      const value = numberOf(objectOf(point[total.member])[total.field]);
      if (value === null || (value === 0 && !total.hasTrueZeros)) continue;
      book.set(dayOf(objectOf(point.civilStartTime).date), total.metric, value * total.factor);
    }
  }
};

/** Lists the data points of a type. Filters use the type's name with underscores, and support only `>=` and `<`. */
const list = (
  api: VendorApi,
  type: string,
  { filter, pageSize }: { readonly filter: string; readonly pageSize: number },
): Promise<readonly Json[]> =>
  allPages(async (pageToken) => {
    const answer = objectOf(await api.ask({ path: pathOf(type), query: { filter, pageSize, pageToken } }));
    return { items: listOf(answer.dataPoints), next: textOf(answer.nextPageToken) };
  });

const between = (member: string, { from, to }: Span): string =>
  `${member} >= "${from}" AND ${member} < "${plusDays(to, 1)}"`;

const secondsOfDuration = (duration: unknown): number | null => {
  const match = /^(-?\d+)s$/.exec(textOf(duration));
  return match ? Number(match[1]) : null;
};

/**
 * Shape: `sleep: {interval: {endTime, endUtcOffset: "7200s"}, metadata: {nap}, summary: {minutesAsleep: "410", minutesAwake,
 * stagesSummary: [{type: "DEEP", minutes: "60"}]}}` (open-wearables, google/health_api/sleep.py; tests of several clients).
 * Minutes are strings. The night belongs to the day on which it ends, by its own offset.
 */
const readSleep = (book: DayBook, points: readonly Json[]): void => {
  for (const point of points) {
    const { interval, summary } = objectOf(point.sleep);
    const { endTime, endUtcOffset } = objectOf(interval);
    const offset = secondsOfDuration(endUtcOffset);
    const day = offset === null ? null : dayAt(Date.parse(textOf(endTime)), offset);
    if (day === null || offset === null) continue;
    const { stagesSummary, minutesAsleep, minutesAwake } = objectOf(summary);
    const stages = new Map(listOf(stagesSummary).map(({ type, minutes }) => [textOf(type), numberOf(minutes)]));
    const inSeconds = (minutes: number | null | undefined) => (typeof minutes === 'number' ? minutes * 60 : null);
    addSleep(book, day, {
      deep: inSeconds(stages.get('DEEP')),
      rem: inSeconds(stages.get('REM')),
      light: inSeconds(stages.get('LIGHT')),
      awake: inSeconds(stages.get('AWAKE') ?? numberOf(minutesAwake)),
      total: inSeconds(numberOf(minutesAsleep)),
    });
    book.zone(day, offsetOf(offset));
  }
};

export const googleHealth: Vendor = {
  slug: 'google-health',
  name: 'Google Health',
  what: 'Steps, distance, energy, heart rate, breathing, blood oxygen, weight and sleep that Google Health holds, as one row a day.',
  settingPrefix: 'GOOGLE_HEALTH',
  endpoints: {
    issuer: 'https://accounts.google.com',
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    revoke: 'https://oauth2.googleapis.com/revoke',
    data: 'https://health.googleapis.com',
  },
  scopes: [
    { scope: ACTIVITY, why: 'Steps, distance, energy and the estimate of VO₂ max' },
    { scope: MEASUREMENTS, why: 'Heart rate and its variability, breathing, blood oxygen, weight' },
    { scope: SLEEP, why: 'Sleep and its stages' },
  ],
  clientAuth: 'body',
  sendsChallenge: true,
  authorizeParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  metrics: [
    ...TOTALS.map(({ metric }) => metric),
    ...DAILIES.map(({ metric }) => metric),
    'sleep_total_min',
    'sleep_deep_min',
    'sleep_rem_min',
    'sleep_light_min',
    'sleep_awake_min',
  ],
  fetchDays: async (api, span) => {
    const book = createDayBook('google-health', 'Google Health');
    for (const total of TOTALS) if (api.has(total.scope)) await readTotal(api, book, total, span);
    for (const { type, member, field, metric, scope } of DAILIES) {
      if (!api.has(scope)) continue;
      const filter = between(`${type.replaceAll('-', '_')}.date`, span);
      const points = await list(api, type, { filter, pageSize: 1_000 });
      for (const point of points) {
        const daily = objectOf(point[member]);
        book.set(dayOf(daily.date), metric, numberOf(daily[field]));
      }
    }
    // Google returns at most 25 nights per page.
    const nights = { filter: between('sleep.interval.civil_end_time', span), pageSize: 25 };
    if (api.has(SLEEP)) readSleep(book, await list(api, 'sleep', nights));
    return book.rows(span);
  },
  revoke: async (api) => {
    const form = { token: api.refreshToken ?? api.accessToken };
    await api.ask({ base: 'revoke', path: '', method: 'POST', form, isAnonymous: true, isBodyOfNoUse: true });
  },
};
