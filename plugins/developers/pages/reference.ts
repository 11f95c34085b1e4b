/** Defines /developers/reference, the list of all operations. Details are on one page per tag, so that no page is too large. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type Page } from '#core/plugin.ts';
import { versionOf } from '#plugins/evidence/index.ts';
import { exampleCallOf } from '../examples/example-call.ts';
import { readSamples, type Samples } from '../examples/samples.ts';
import { CodeView, codesOf } from '../examples/views.ts';
import { answerOf, isForClients, type Operation, operationsOf, slugOf } from '../operations.ts';
import { portalPage } from '../portal-page.ts';
import { fieldsOf, schemaWords } from '../schema-words.ts';

const Line = Type.Object({
  id: Type.String(),
  href: Type.String(),
  method: Type.String(),
  path: Type.String(),
  summary: Type.String(),
  access: Type.String(),
});

const IndexView = Type.Object({
  tags: Type.Array(
    Type.Object({ name: Type.String(), slug: Type.String(), href: Type.String(), operations: Type.Array(Line) }),
  ),
  total: Type.Integer(),
});

const FieldRow = Type.Object({
  name: Type.String(),
  place: Type.String(),
  type: Type.String(),
  required: Type.Boolean(),
  description: Type.String(),
});

const OperationView = Type.Object({
  id: Type.String(),
  anchor: Type.String(),
  method: Type.String(),
  path: Type.String(),
  summary: Type.String(),
  description: Type.String(),
  access: Type.String(),
  throttle: Type.String(),
  scope: Type.String(),
  parameters: Type.Array(FieldRow),
  bodyType: Type.String(),
  body: Type.Array(FieldRow),
  replies: Type.Array(Type.Object({ status: Type.Integer(), type: Type.String(), description: Type.String() })),
  answer: Type.Array(FieldRow),
  codes: Type.Array(Type.Object({ code: Type.String(), anchor: Type.String() })),
  placeholders: Type.Array(Type.String()),
  examples: Type.Array(CodeView),
  playground: Type.String(),
});

const TagView = Type.Object({
  name: Type.String(),
  operations: Type.Array(OperationView),
  previous: Type.Union([Type.Null(), Type.Object({ name: Type.String(), href: Type.String() })]),
  next: Type.Union([Type.Null(), Type.Object({ name: Type.String(), href: Type.String() })]),
});

const ACCESS_WORDS: Readonly<Record<Operation['access'], string>> = {
  public: 'public',
  limited: 'open, limited',
  key: 'key',
  admin: 'admin key',
};

/** Depth of the members shown for a response: callers mostly read the items of a list. */
const ANSWER_DEPTH = 2;

const hrefOf = (tag: string): string => `/developers/reference/${slugOf(tag)}`;

const byTag = (context: Context): ReadonlyMap<string, readonly Operation[]> =>
  Map.groupBy(operationsOf(context.api.describe()), ({ tag }) => tag);

const indexView = (context: Context): Static<typeof IndexView> => {
  const tags = [...byTag(context)].map(([name, operations]) => ({
    name,
    slug: slugOf(name),
    href: hrefOf(name),
    operations: operations.map(({ id, method, path, summary, access }) => ({
      id,
      href: `${hrefOf(name)}#${slugOf(id)}`,
      method,
      path,
      summary,
      access: ACCESS_WORDS[access],
    })),
  }));
  return { tags, total: tags.reduce((sum, { operations }) => sum + operations.length, 0) };
};

const throttleWords = ({ throttle }: Operation): string =>
  throttle
    ? `${throttle.per_minute} a minute${throttle.per_day ? ` and ${throttle.per_day} a day` : ''} (bucket ${throttle.bucket})`
    : '';

/** Returns whether programs call the operation, with or without a key, rather than browsers with a cookie. */
const hasExamples = (operation: Operation): boolean =>
  isForClients(operation) || operation.path === '/mcp' || operation.id === 'label-images.upload';

const operationView = (context: Context, operation: Operation, samples: Samples): Static<typeof OperationView> => {
  const call = exampleCallOf(operation, samples);
  const { id, method, path, summary, description, access, scope, body } = operation;
  const fields = (schema: Parameters<typeof fieldsOf>[0], depth: number) =>
    fieldsOf(schema, depth).map((field) => ({ ...field, place: 'body' }));
  return {
    id,
    anchor: slugOf(id),
    method,
    path,
    summary,
    description,
    access: ACCESS_WORDS[access],
    throttle: throttleWords(operation),
    scope,
    parameters: operation.parameters.map(({ schema, ...rest }) => ({ ...rest, type: schemaWords(schema) })),
    bodyType: body?.mediaType ?? '',
    body: fields(body?.schema ?? null, 1),
    replies: operation.replies.map(({ status, mediaType, description: words }) => ({
      status,
      type: mediaType,
      description: words,
    })),
    answer: fields(answerOf(operation)?.schema ?? null, ANSWER_DEPTH),
    codes: operation.codes.map((code) => ({ code, anchor: code.replaceAll('_', '-') })),
    placeholders: [...call.placeholders],
    examples: hasExamples(operation) ? codesOf(context, call) : [],
    playground: isForClients(operation) ? `/developers/playground?operation=${encodeURIComponent(id)}` : '',
  };
};

export const referencePage = portalPage({
  id: 'reference',
  path: '/developers/reference',
  summary: 'Every operation of the API',
  title: 'API reference',
  description:
    'Every operation of the API by subject, with its class of access. Parameters, answers, error codes and examples stand one step further.',
  view: IndexView,
  viewOf: indexView,
});

const Params = Type.Object({ tag: Type.String({ maxLength: 60 }) });

const tagView = async (context: Context, tag: string): Promise<Static<typeof TagView> | null> => {
  const tags = [...byTag(context)];
  const at = tags.findIndex(([name]) => slugOf(name) === tag);
  const found = tags[at];
  if (!found) return null;
  const samples = await readSamples(async (id, query) => (await context.api.call(null, id, { query })).body);
  const beside = (other: (typeof tags)[number] | undefined) =>
    other ? { name: other[0], href: hrefOf(other[0]) } : null;
  return {
    name: found[0],
    operations: found[1].map((operation) => operationView(context, operation, samples)),
    previous: at > 0 ? beside(tags[at - 1]) : null,
    next: beside(tags[at + 1]),
  };
};

export const referenceTagPage = definePage({
  id: 'developers.reference-tag',
  path: '/developers/reference/{tag}',
  summary: 'The operations of one subject, with parameters, answers, errors and examples',
  template: 'developers/reference-tag',
  params: Params,
  view: TagView,
  scope: 'public',
  sitemap: 'static',
  llms: { section: 'For developers', isInFull: false },
  revision: 1,
  list: async function* (context: Context) {
    for (const name of byTag(context).keys())
      yield {
        params: { tag: slugOf(name) },
        version: versionOf(await tagView(context, slugOf(name))),
        changedAt: null,
      };
  },
  load: async (context: Context, { params }) => {
    const view = await tagView(context, params.tag);
    if (!view) return { missing: { resource: 'Part of the reference', id: params.tag } };
    const paths = view.operations.map(({ path }) => path);
    const head = {
      title: `API reference: ${view.name}`,
      description:
        `Parameters, answers, errors and examples of ${paths.length} operations: ${[...new Set(paths)].join(', ')}`.slice(
          0,
          165,
        ),
    };
    return { head, view };
  },
}) as Page;
