/** Defines /developers/docs, the guide to the API; its numbers and names are read from the routes. */
import { type Static, Type } from 'typebox';
import type { Context } from '#core/plugin.ts';
import { exampleCallOf } from '../examples/example-call.ts';
import { PYTHON_FILE, TYPESCRIPT_FILE } from '../examples/languages.ts';
import { CodeView, codesOf, operationOf } from '../examples/views.ts';
import { type Operation, operationsOf, slugOf } from '../operations.ts';
import { PlanRow, planRows } from '../plans.ts';
import { portalPage } from '../portal-page.ts';
import { SANDBOX_DAYS } from '../sandbox/store.ts';

const Named = Type.Object({ name: Type.String(), words: Type.String() });

const View = Type.Object({
  base: Type.String(),
  sandboxDays: Type.Integer(),
  search: Type.Array(CodeView),
  me: Type.Array(CodeView),
  csv: Type.Array(CodeView),
  tools: Type.Array(CodeView),
  plans: Type.Array(PlanRow),
  throttles: Type.Array(
    Type.Object({
      bucket: Type.String(),
      minute: Type.Integer(),
      day: Type.Integer(),
      paths: Type.Array(Type.String()),
    }),
  ),
  paged: Type.Array(Type.Object({ path: Type.String(), href: Type.String(), by: Type.String() })),
  scopes: Type.Array(Type.String()),
  isIdempotent: Type.Boolean(),
  hasWebhooks: Type.Boolean(),
  events: Type.Array(Named),
  exports: Type.Array(Type.Object({ path: Type.String(), type: Type.String() })),
  hasAgents: Type.Boolean(),
  typescriptFile: Type.String(),
  pythonFile: Type.String(),
});
type View = Static<typeof View>;

const throttlesOf = (operations: readonly Operation[]): View['throttles'] =>
  [...Map.groupBy(operations, ({ throttle }) => throttle?.bucket ?? '')]
    .filter(([bucket, [first]]) => bucket && first?.throttle)
    .map(([bucket, list]) => ({
      bucket,
      minute: list[0]?.throttle?.per_minute ?? 0,
      day: list[0]?.throttle?.per_day ?? 0,
      paths: list.map(({ method, path }) => `${method} ${path}`),
    }))
    .filter(({ paths }) => paths.some((path) => /\/(api|v1|mcp|developers)\b/.test(path)));

const pagedOf = (operations: readonly Operation[]): View['paged'] =>
  operations.flatMap(({ id, tag, path, parameters }) => {
    const by = ['cursor', 'page'].filter((name) => parameters.some((parameter) => parameter.name === name));
    return by.length && /^\/(api|v1)\//.test(path)
      ? [{ path, href: `/developers/reference/${slugOf(tag)}#${slugOf(id)}`, by: by.join(' and ') }]
      : [];
  });

const example = (context: Context, id: string) => codesOf(context, exampleCallOf(operationOf(context, id), {}));

const viewOf = (context: Context): View => {
  const document = context.api.describe();
  const operations = operationsOf(document);
  const events = Object.entries(document.webhooks ?? {}) as [string, { post?: { summary?: string } }][];
  const has = (path: string): boolean => operations.some((operation) => operation.path === path);
  return {
    base: context.config.text('BASE_URL'),
    sandboxDays: SANDBOX_DAYS,
    search: example(context, 'evidence.search'),
    me: example(context, 'keys.me'),
    csv: example(context, 'export.csv'),
    tools: has('/mcp') ? example(context, 'agents.mcp') : [],
    plans: planRows(context),
    throttles: throttlesOf(operations),
    paged: pagedOf(operations),
    scopes: [...new Set(operations.map(({ scope }) => scope).filter(Boolean))].sort(),
    isIdempotent: operations.some(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key')),
    hasWebhooks: has('/api/webhooks'),
    events: events.map(([name, item]) => ({ name, words: item.post?.summary ?? '' })),
    exports: operations
      .filter(({ path }) => path.startsWith('/api/export/'))
      .map(({ path, replies }) => ({ path, type: replies[0]?.mediaType ?? '' })),
    hasAgents: has('/mcp'),
    typescriptFile: TYPESCRIPT_FILE,
    pythonFile: PYTHON_FILE,
  };
};

export const docsPage = portalPage({
  id: 'docs',
  path: '/developers/docs',
  summary: 'The guide: keys, quotas, paging, errors, webhooks, exports, stability',
  title: 'The API, a guide',
  description:
    'Quick start, keys, quotas and their headers, paging, errors, webhooks, exports, clients, agents, and what stays stable within a version.',
  view: View,
  isInFull: true,
  viewOf,
});
