/** Pages of wearables: the landing page, the upload form for an export, its progress, and its outcome. */
import { Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { dayInWords } from '#plugins/evidence/index.ts';
import { dataPage } from './data-page.ts';
import { type Import, readImports } from './imports/import-store.ts';
import { placeAfter } from './imports/upload-route.ts';
import { EXPORT_PATHS, idOf, PARTS_PATH } from './route-parts.ts';
import type { WearableServices } from './services.ts';
import { vendors } from './vendors/index.ts';
import { VENDOR_SLUGS } from './vitals.ts';
import {
  NOTICE_WORDS,
  type Notice,
  noticeInWords,
  OUTCOME_WORDS,
  REASONS,
  type Reason,
  STAGE_WORDS,
} from './wearable-messages.ts';

const NoticeQuery = Type.Object({
  notice: Type.String({ enum: ['', ...Object.keys(NOTICE_WORDS)], default: '' }),
});

/** Query after a return from a vendor: which vendor, and why the connection failed. */
const LandingQuery = Type.Object({
  ...NoticeQuery.properties,
  vendor: Type.String({ enum: ['', ...VENDOR_SLUGS], default: '' }),
  why: Type.String({ enum: ['', ...REASONS], default: '' }),
});

const VendorView = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  what: Type.String(),
  asks: Type.Array(Type.Object({ scope: Type.String(), why: Type.String() })),
  isConfigured: Type.Boolean(),
});

/**
 * Returns the vendors without any device's state, because the page is the same for everyone; /wearables/data shows the
 * connections.
 */
const vendorsOf = async ({ services }: Context<WearableServices>) =>
  (await services.connections.list(null)).map(({ vendor, name, what, asks, status }) => ({
    slug: vendor,
    name,
    what,
    asks: asks.map((one) => ({ ...one })),
    isConfigured: status !== 'not_configured',
  }));

const goOn = ({ notice, vendor }: { readonly notice: string; readonly vendor: string }) => {
  const found = vendors.find(({ slug }) => slug === vendor);
  return notice === 'agreed' && found ? { name: found.name, href: `/wearables/connect/${found.slug}` } : null;
};

const landingPage: Page<WearableServices> = definePage({
  id: 'wearables.landing',
  path: '/wearables',
  summary: 'What can be brought here from a phone or a wearable, and how',
  template: 'wearables/landing',
  query: LandingQuery,
  view: Type.Object({
    notice: Type.String(),
    /** Link to the vendor to which this device has just consented; null if there is none. */
    goOn: Type.Union([Type.Null(), Type.Object({ name: Type.String(), href: Type.String() })]),
    vendors: Type.Array(VendorView),
  }),
  scope: 'public',
  sitemap: 'static',
  revision: 2,
  list: async function* (context: Context<WearableServices>) {
    const configured = (await vendorsOf(context)).filter(({ isConfigured }) => isConfigured).map(({ slug }) => slug);
    yield { params: {}, version: `1 ${configured.join(' ')}`, changedAt: null };
  },
  load: async (context: Context<WearableServices>, { query }) => ({
    head: {
      title: 'Wearables: your own days beside the evidence',
      description:
        'Upload the health export of your phone: steps, sleep, heart and more by day, each from one source, beside your laboratory values. On your device only.',
    },
    view: {
      notice: noticeInWords({
        notice: query.notice as Notice,
        vendor: vendors.find(({ slug }) => slug === query.vendor)?.name ?? '',
        why: query.why as Reason,
      }),
      goOn: goOn(query),
      vendors: await vendorsOf(context),
    },
  }),
});

const formPage = (path: (typeof EXPORT_PATHS)[number]): Page =>
  definePage({
    id: `wearables.${idOf(path)}.form`,
    path,
    summary: 'The upload form for a phone’s health export',
    template: 'wearables/phone-export',
    view: Type.Object({ action: Type.String(), canonical: Type.String(), parts: Type.String() }),
    scope: 'public',
    sitemap: null,
    revision: 2,
    list: () => [{ params: {}, version: '1', changedAt: null }],
    load: async () => ({
      head: {
        title: 'Upload a phone’s health export',
        description:
          'The ZIP file that the Health app of an iPhone makes: days of steps, sleep, heart and weight, and laboratory values of clinical records.',
      },
      view: { action: path, canonical: EXPORT_PATHS[1], parts: PARTS_PATH },
    }),
  });

const visited = async (context: Context<WearableServices>): Promise<readonly Import[]> => {
  const { db, secrets, device } = context;
  if (device === null) return [];
  await context.use(devicesPlugin).visit(device);
  return db.read((em) => readImports({ em, secrets, device }));
};

const progressPage: Page<WearableServices> = definePage({
  id: 'wearables.progress',
  path: '/wearables/progress',
  summary: 'How far the reading of a phone’s health export is; leads on to what was read',
  template: 'wearables/progress',
  view: Type.Object({ stage: Type.String(), percent: Type.Integer(), records: Type.Integer() }),
  scope: 'device',
  sitemap: null,
  revision: 1,
  load: async (context: Context<WearableServices>) => {
    const [latest] = await visited(context);
    if (!latest) return { redirect: EXPORT_PATHS[1] };
    if (latest.state === 'ready') return { redirect: placeAfter(latest) };
    const progress = context.services.imports.progressOf(latest.importId);
    return {
      head: { title: 'Reading your export', description: 'The export is being read.', noindex: true },
      view: {
        stage: STAGE_WORDS[progress?.stage ?? 'waiting'] ?? '',
        percent: Math.round((progress?.share ?? 0) * 100),
        records: progress?.records ?? 0,
      },
    };
  },
});

const ImportView = Type.Object({
  name: Type.String(),
  words: Type.String(),
  isRead: Type.Boolean(),
  /** "" if unknown. */
  exportedOn: Type.String(),
  /** Formatted counts; an optional count is "" if it is zero. */
  records: Type.String(),
  days: Type.String(),
  workouts: Type.String(),
  reportHref: Type.String(),
  isEmpty: Type.Boolean(),
  clinical: Type.Array(Type.String()),
  tally: Type.Array(
    Type.Object({
      type: Type.String(),
      read: Type.Integer(),
      used: Type.Integer(),
      left: Type.Integer(),
      why: Type.String(),
    }),
  ),
});

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en-GB')} ${what}${count === 1 ? '' : 's'}`;

const clinicalWords = ({ report }: Import): readonly string[] => {
  if (!report?.clinical.found) return [];
  const { found, kept, reports, known, words } = report.clinical;
  return [
    `${found} clinical ${found === 1 ? 'record was' : 'records were'} found.`,
    ...(kept
      ? [
          `${kept} laboratory values became ${reports} ${reports === 1 ? 'report' : 'reports'}: look at them before they count.`,
        ]
      : []),
    ...(known ? [`${known} were known from an earlier export and are as they were.`] : []),
    ...words,
  ];
};

export const importView = (one: Import) => ({
  name: one.name,
  words: one.outcome ? OUTCOME_WORDS[one.outcome] : (STAGE_WORDS.waiting ?? ''),
  isRead: one.outcome === 'read',
  exportedOn: one.report?.exportedAt ? dayInWords(one.report.exportedAt.slice(0, 10)) : '',
  records: counted(one.report?.records ?? 0, 'record'),
  days: counted(one.report?.days ?? 0, 'day'),
  workouts: one.report?.workouts ? counted(one.report.workouts, 'workout') : '',
  reportHref: one.reportId ? placeAfter(one) : '',
  isEmpty: !one.report?.days && !one.report?.clinical.found,
  clinical: [...clinicalWords(one)],
  tally: (one.report?.tally ?? []).map((line) => ({ ...line })),
});

const successPage: Page<WearableServices> = definePage({
  id: 'wearables.success',
  path: '/wearables/success',
  summary: 'What was read and mapped from the last export, and what was ignored and why',
  template: 'wearables/success',
  query: NoticeQuery,
  view: Type.Object({ notice: Type.String(), last: Type.Union([Type.Null(), ImportView]) }),
  scope: 'device',
  sitemap: null,
  revision: 1,
  load: async (context: Context<WearableServices>, { query }) => {
    const [latest] = await visited(context);
    if (latest && latest.state !== 'ready') return { redirect: '/wearables/progress' };
    return {
      head: { title: 'Your export', description: 'What was read of your export, for this device only.', noindex: true },
      view: {
        notice: query.notice ? NOTICE_WORDS[query.notice as Exclude<Notice, ''>] : '',
        last: latest ? importView(latest) : null,
      },
    };
  },
});

export const wearablePages: readonly Page<WearableServices>[] = [
  landingPage,
  ...(EXPORT_PATHS.map(formPage) as Page<WearableServices>[]),
  progressPage,
  successPage,
  dataPage,
];
