/** Serves /developers/dashboard: the usage and the remaining quota of a key. The key is only checked, never stored. */
import { type Static, Type } from 'typebox';
import { AppError } from '#core/errors.ts';
import type { Principal } from '#core/http/gatekeeper.ts';
import { type Context, definePage, defineRoute, type Page, type Reply, type Route } from '#core/plugin.ts';
import { BarsView, bars } from '#core/render/charts/bars.ts';
import { type CallsOfDay, keysPlugin, readKeyUsage } from '#plugins/keys/index.ts';
import { operationsOf } from '../operations.ts';

const PATH = '/developers/dashboard';
const DAYS = 30;
const throttle = { bucket: 'dashboard', perMinute: 20, perDay: 500 };

const Bucket = Type.Object({
  name: Type.String(),
  used: Type.Integer(),
  limit: Type.Integer(),
  resets: Type.String(),
});

const Usage = Type.Object({
  name: Type.String(),
  prefix: Type.String(),
  plan: Type.String(),
  expires: Type.String(),
  isEnforced: Type.Boolean(),
  /** Notices that the key was replaced by another key or replaces one; the owner should know about both. */
  rotations: Type.Array(Type.String()),
  buckets: Type.Array(Bucket),
  total: Type.Integer(),
  days: Type.Integer(),
  byDay: Type.Union([BarsView, Type.Null()]),
  byOperation: Type.Union([BarsView, Type.Null()]),
  rows: Type.Array(Type.Object({ day: Type.String(), operation: Type.String(), calls: Type.Integer() })),
});

const View = Type.Object({
  usage: Type.Union([Usage, Type.Null()]),
  /** Why no usage is shown, as a sentence; "" when no key was submitted. */
  problem: Type.String(),
  code: Type.String(),
});
type View = Static<typeof View>;

/** Renders the dashboard. The routes below show this page, because `load` only redirects. */
const dashboardPage = definePage({
  id: 'developers.dashboard',
  path: PATH,
  summary: 'Use of one key',
  template: 'developers/dashboard',
  view: View,
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async () => ({ redirect: PATH }),
}) as Page;

const head = {
  title: 'Use of a key',
  description: 'What an API key has used by day and operation, what is left of its quota, and when that begins anew.',
  isSecret: true,
};

const sumBy = (rows: readonly CallsOfDay[], name: (row: CallsOfDay) => string) =>
  [...Map.groupBy(rows, name)].map(([key, list]) => ({
    name: key,
    count: list.reduce((sum, { calls }) => sum + calls, 0),
    href: '',
  }));

interface Rotation {
  readonly at: string;
  readonly by: 'owner' | 'administrator';
  readonly key_prefix: string;
}

/** Response of `/api/keys/me`. */
interface OwnKey {
  readonly name: string;
  readonly key_prefix: string;
  readonly plan: string;
  readonly expires_at: string | null;
  readonly is_admin: boolean;
  readonly replaced: Rotation | null;
  readonly replaces: Rotation | null;
  readonly usage: Readonly<
    Record<string, { readonly used: number; readonly limit: number; readonly resets_at: string }>
  >;
}

const inWords = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

const BY = { owner: 'with the secret of its owner', administrator: 'by an administrator' } as const;

const rotationSentences = ({ replaced, replaces }: OwnKey): string[] => [
  ...(replaced ? [`${replaced.key_prefix}… replaced this key on ${inWords(replaced.at)}, ${BY[replaced.by]}.`] : []),
  ...(replaces ? [`This key replaced ${replaces.key_prefix}… on ${inWords(replaces.at)}, ${BY[replaces.by]}.`] : []),
];

const usageOf = async (context: Context, principal: Principal): Promise<View['usage']> => {
  if (principal.kind !== 'key') return null;
  // Recent counts are still in memory.
  await context.use(keysPlugin).usage.flush();
  const { body } = await context.api.call(principal, 'keys.me', {});
  const me = body as OwnKey;
  const calls = await context.db.read((em) => readKeyUsage(em, principal.keyId, DAYS));
  const paths = new Map(operationsOf(context.api.describe()).map(({ id, method, path }) => [id, `${method} ${path}`]));
  const rows = calls.map(({ route, ...rest }) => ({ ...rest, route: paths.get(route) ?? route }));
  const byOperation = sumBy(rows, ({ route }) => route).toSorted((a, b) => b.count - a.count);
  return {
    name: me.name,
    prefix: me.key_prefix,
    plan: me.plan,
    expires: me.expires_at ? inWords(me.expires_at) : '',
    isEnforced: !me.is_admin,
    rotations: rotationSentences(me),
    buckets: Object.entries(me.usage).map(([name, { used, limit, resets_at }]) => ({
      name,
      used,
      limit,
      resets: inWords(resets_at),
    })),
    total: rows.reduce((sum, row) => sum + row.calls, 0),
    days: DAYS,
    byDay: bars(
      sumBy(rows, ({ day }) => day),
      { id: 'by-day', title: 'Calls by day', most: DAYS },
    ),
    byOperation: bars(byOperation, { id: 'by-operation', title: 'Calls by operation' }),
    rows: rows.map(({ day, route, calls: count }) => ({ day, operation: route, calls: count })),
  };
};

const PROBLEMS: Readonly<Record<string, string>> = {
  invalid_api_key: 'This key is unknown here. Check that the whole key was copied.',
  key_deactivated: 'This key was switched off. Ask the operator for a new one.',
  key_expired: 'This key has expired. A new sandbox key is made in a minute.',
};

const shown = (view: View, status = 200): Reply => ({ status, page: { page: dashboardPage, head, view } });

/** Returns the empty form, the usage of a key, or the reason why there is none. */
const answerFor = async (context: Context, key: string): Promise<Reply> => {
  if (!key) return shown({ usage: null, problem: '', code: '' });
  const address = context.principal.kind === 'key' ? '' : context.principal.address;
  try {
    const principal = await context.use(keysPlugin).gatekeeper.identify(key, address);
    return shown({ usage: await usageOf(context, principal), problem: '', code: '' });
  } catch (error) {
    const problem = error instanceof AppError ? PROBLEMS[error.code] : undefined;
    if (!(error instanceof AppError) || !problem) throw error;
    return shown({ usage: null, problem, code: error.code.replaceAll('_', '-') }, error.status);
  }
};

const replies = [
  { status: 200, mediaType: 'text/html', description: 'The use of the key; without a key, a form for it' },
  {
    status: 401,
    mediaType: 'text/html',
    description: 'The key is unknown, expired or switched off: the form, and why',
  },
];
const tag = 'Developers';
const key = Type.String({ maxLength: 500, default: '' });
const Query = Type.Object({ key });
const Body = Type.Object({ key });

const bearerOf = (header = ''): string => /^Bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? '';

const dashboard = defineRoute<unknown, { query: typeof Query }>({
  id: 'developers.dashboard',
  method: 'GET',
  path: PATH,
  summary: 'Use of one key, as a page',
  description:
    'The key comes in the Authorization header. In the query it works too, and is taken off the address at once; addresses are kept in more places than headers.',
  tag,
  access: 'public',
  throttle,
  request: { query: Query },
  replies,
  raises: ['validation_failed', 'quota_exceeded'],
  handle: (context, { query, headers }) => answerFor(context, bearerOf(headers.authorization) || query.key),
});

const dashboardForm = defineRoute<unknown, { body: typeof Body }>({
  id: 'developers.dashboard_form',
  method: 'POST',
  path: PATH,
  summary: 'The same, with the key in a form',
  tag,
  access: 'public',
  throttle,
  request: { body: Body },
  replies,
  raises: ['validation_failed', 'malformed_json', 'quota_exceeded'],
  handle: (context, { body }) => answerFor(context, body.key.trim()),
});

export const dashboardRoutes = [dashboard, dashboardForm] as readonly Route[];
