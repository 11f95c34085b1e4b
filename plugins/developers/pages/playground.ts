/** Defines /developers/playground, a form that sends one operation. The key stays in the script's memory. */
import { type Static, Type } from 'typebox';
import { definePage, type Page } from '#core/plugin.ts';
import { exampleCallOf } from '../examples/example-call.ts';
import { CodeView, codesOf } from '../examples/views.ts';
import {
  camelName,
  isForClients,
  type Operation,
  operationsOf,
  type Schema,
  slugOf,
  snakeName,
} from '../operations.ts';
import { schemaWords } from '../schema-words.ts';

const FIRST = 'evidence.search';

const PlaygroundField = Type.Object({
  name: Type.String(),
  place: Type.String(),
  required: Type.Boolean(),
  words: Type.String(),
  description: Type.String(),
  value: Type.String(),
  /** Allowed values; empty when the value is free text. */
  choices: Type.Array(Type.String()),
  /** Type of the value (number or boolean), for the literals in the examples. */
  type: Type.String(),
});

const View = Type.Object({
  operations: Type.Array(
    Type.Object({
      tag: Type.String(),
      items: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), chosen: Type.Boolean() })),
    }),
  ),
  chosen: Type.Object({
    id: Type.String(),
    method: Type.String(),
    path: Type.String(),
    summary: Type.String(),
    access: Type.String(),
    href: Type.String(),
    camel: Type.String(),
    snake: Type.String(),
    isStream: Type.Boolean(),
    fields: Type.Array(PlaygroundField),
    /** Initial JSON body; "" when the operation has none. */
    body: Type.String(),
    hasBody: Type.Boolean(),
  }),
  examples: Type.Array(CodeView),
  base: Type.String(),
});
type View = Static<typeof View>;

const Query = Type.Object({
  operation: Type.String({ maxLength: 100, default: '' }),
  /** Removed from the URL by the script, and never read here. */
  key: Type.String({ maxLength: 500, default: '' }),
});

const choicesOf = ({ type, enum: values = [] }: Schema): string[] =>
  type === 'boolean'
    ? ['true', 'false']
    : values.filter((value) => value !== '' && value !== null).map((value) => String(value));

const fieldsOf = ({ operation, given }: ReturnType<typeof exampleCallOf>): View['chosen']['fields'] =>
  operation.parameters
    .filter(({ place }) => place !== 'header')
    .map(({ name, place, required, description, schema }) => ({
      name,
      place,
      required,
      words: schemaWords(schema),
      description,
      value: String(given[name] ?? ''),
      choices: choicesOf(schema),
      type: String(schema.type ?? 'string'),
    }));

const chosenView = (operation: Operation): View['chosen'] => {
  const call = exampleCallOf(operation, {});
  const { id, method, path, summary, access, tag, replies } = operation;
  return {
    id,
    method,
    path,
    summary,
    access,
    href: `/developers/reference/${slugOf(tag)}#${slugOf(id)}`,
    camel: camelName(id),
    snake: snakeName(id),
    isStream: replies.some(({ mediaType }) => mediaType === 'text/event-stream'),
    fields: fieldsOf(call),
    hasBody: operation.body !== null,
    body: operation.body ? JSON.stringify(call.body, null, 2) : '',
  };
};

const head = {
  title: 'Playground',
  description:
    'Fill in an operation of the API, send it, and see status, headers and answer, with the same call in three languages.',
  isSecret: true,
};

export const playgroundPage = definePage({
  id: 'developers.playground',
  path: '/developers/playground',
  summary: 'Operations of the API to fill in and send',
  template: 'developers/playground',
  query: Query,
  view: View,
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async (context, { query }) => {
    const callable = operationsOf(context.api.describe()).filter(isForClients);
    const operation =
      callable.find(({ id }) => id === query.operation) ?? callable.find(({ id }) => id === FIRST) ?? callable[0];
    if (!operation) return { missing: { resource: 'Operation', id: query.operation } };
    const operations = [...Map.groupBy(callable, ({ tag }) => tag)].map(([tag, items]) => ({
      tag,
      items: items.map(({ id, method, path }) => ({
        id,
        name: `${method} ${path}`,
        chosen: id === operation.id,
      })),
    }));
    const examples = codesOf(context, exampleCallOf(operation, {}));
    return {
      head,
      view: { operations, chosen: chosenView(operation), examples, base: context.config.text('BASE_URL') },
    };
  },
}) as Page;
