/** Serves /developers/sandbox: the form, and the new key, which is shown once. */
import { Type } from 'typebox';
import { invalid } from '#core/http/validate.ts';
import { type Context, definePage, defineRoute, type Page, type Reply, type Route } from '#core/plugin.ts';
import { exampleCallOf } from '../examples/example-call.ts';
import { curlOf } from '../examples/languages.ts';
import { operationOf } from '../examples/views.ts';
import { PlanRow, planRows } from '../plans.ts';
import { portalPage } from '../portal-page.ts';
import { SandboxBody, SandboxKey } from '../schemas.ts';
import { issueSandboxKey, KEYS_A_DAY, SANDBOX_DAYS } from './store.ts';

const PATH = '/developers/sandbox';
/** Limit of attempts, including refused ones; a form filled in by hand needs no more. */
const throttle = { bucket: 'sandbox_form', perMinute: 5, perDay: 30 };
const FIRST_CALL = 'evidence.search';

export const sandboxPage = portalPage({
  id: 'sandbox',
  path: PATH,
  summary: 'The form for a sandbox key',
  title: 'A sandbox key',
  description:
    'A free key to try the API with, made in place: seven days, no account, an e-mail address only if you like.',
  view: Type.Object({ plan: PlanRow, days: Type.Integer(), keysADay: Type.Integer() }),
  viewOf: (context) => ({ plan: planRows(context)[1], days: SANDBOX_DAYS, keysADay: KEYS_A_DAY }),
});

const IssuedView = Type.Object({ issued: SandboxKey, appName: Type.String() });

/** Renders the key in the response to the form. It is shown once and has no URL of its own. */
const issuedPage = definePage({
  id: 'developers.sandbox-issued',
  path: PATH,
  summary: 'The key, shown once',
  template: 'developers/sandbox-issued',
  view: IssuedView,
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async () => ({ redirect: PATH }),
}) as Page;

const firstCall = (context: Context, key: string): string => {
  const call = exampleCallOf(operationOf(context, FIRST_CALL), {});
  return curlOf(call, context.config.text('BASE_URL')).replace('$EKB_KEY', key);
};

const issue = async (context: Context, body: SandboxBody): Promise<SandboxKey> => {
  const { row, raw, ownerSecret, expiresAt } = await issueSandboxKey(context, {
    appName: body.app_name.trim(),
    email: body.email ?? '',
    useCase: (body.use_case ?? '').trim(),
    address: context.principal.kind === 'anonymous' ? context.principal.address : '',
  });
  return {
    key: raw,
    api_key: raw,
    owner_secret: ownerSecret,
    key_prefix: row.prefix,
    plan: 'sandbox',
    rpm_limit: row.rpmLimit,
    daily_limit: row.dailyLimit,
    expires_at: expiresAt.toISOString(),
    docs_url: '/developers/docs',
    example: firstCall(context, raw),
  };
};

const isForm = (type: string | undefined): boolean => /^application\/x-www-form-urlencoded\b/i.test(type ?? '');

const sandboxRoute = defineRoute<unknown, { body: typeof SandboxBody }>({
  id: 'developers.sandbox',
  method: 'POST',
  path: PATH,
  summary: 'Make a sandbox key: free, self-serve, for seven days',
  description: `Takes JSON, and form fields from the page of this address, which are answered with a page that shows the key once. At most ${KEYS_A_DAY} keys a day for one network address, and one live key for one e-mail address; beyond that 429.`,
  tag: 'Developers',
  access: 'public',
  throttle,
  request: { body: SandboxBody },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'The key, shown once', schema: SandboxKey },
    { status: 200, mediaType: 'text/html', description: 'To a form: the same as a page' },
  ],
  raises: ['validation_failed', 'malformed_json', 'quota_exceeded'],
  handle: async (context, { body, headers }): Promise<Reply> => {
    if (body.accept_terms !== true)
      throw invalid('body', 'accept_terms', 'The terms must be accepted: send true', body.accept_terms);
    const issued = await issue(context, body);
    if (!isForm(headers['content-type']))
      return { headers: { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }, body: issued };
    const head = { title: 'Your sandbox key', description: 'It is shown once.', isSecret: true };
    return { page: { page: issuedPage, head, view: { issued, appName: body.app_name } } };
  },
});

export const sandboxRoutes = [sandboxRoute] as readonly Route[];
