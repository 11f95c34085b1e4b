/**
 * Describes the public contract of /v1 and /api in a comparable form: an entry for each parameter, member and status.
 * openapi-v1.json contains the promised contract; `npm run api:accept` adds new parts.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPIV3_1 } from 'openapi-types';
import { routedPlugins } from '../../core/http/core-routes.ts';
import { describeApi } from '../../core/http/openapi.ts';
import type { Runtime } from '../../core/runtime.ts';
import { plugins } from '../../plugins/index.ts';

type Schema = OpenAPIV3_1.SchemaObject & { readonly const?: unknown; readonly nullable?: boolean };

/** Describes one value: whether it is required or always present, its types, its permitted values and its bounds. */
export interface Entry {
  readonly required: boolean;
  readonly types: readonly string[];
  readonly values: readonly string[] | null;
  readonly bounds: Readonly<Record<string, number | string>>;
}

/** Entries by path, for example `results[].year`. */
type Entries = Readonly<Record<string, Entry>>;

export interface Operation {
  readonly access: string;
  readonly takes: Entries;
  /** The response entries by status and media type. */
  readonly answers: Readonly<Record<string, Entries>>;
  readonly statuses: readonly string[];
}

export type ApiPromise = Readonly<Record<string, Operation>>;

const FILE = join(import.meta.dirname, 'openapi-v1.json');
const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'format'] as const;

const alternatives = ({ anyOf, oneOf }: Schema): readonly Schema[] | null =>
  ((anyOf ?? oneOf) as readonly Schema[] | undefined) ?? null;

const typesOf = (schema: Schema): readonly string[] => {
  const parts = alternatives(schema);
  if (parts) return parts.flatMap(typesOf);
  const own = [schema.type ?? 'any'].flat();
  return schema.nullable ? [...own, 'null'] : own;
};

const valuesOf = (schema: Schema): readonly string[] | null => {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  const parts = alternatives(schema)
    ?.map(valuesOf)
    .filter((values) => values !== null);
  return parts?.length ? parts.flat() : null;
};

const boundsOf = (schema: Schema): Entry['bounds'] =>
  Object.fromEntries(BOUNDS.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));

const entryOf = (schema: Schema, required: boolean): Entry => ({
  required,
  types: [...new Set(typesOf(schema))].sort(),
  values: valuesOf(schema)?.toSorted() ?? null,
  bounds: boundsOf(schema),
});

type Entered = readonly [path: string, entry: Entry];

const below = (schema: Schema, path: string): readonly Entered[] => {
  const { items, additionalProperties, patternProperties } = schema as Schema & {
    readonly items?: Schema;
    readonly patternProperties?: Record<string, Schema>;
  };
  const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const any = [...Object.values(patternProperties ?? {}), additionalProperties].find(
    (one) => typeof one === 'object',
  ) as Schema | undefined;
  return [
    ...members.flatMap(([name, member]) =>
      flatten(member, path ? `${path}.${name}` : name, schema.required?.includes(name) === true),
    ),
    ...(items ? flatten(items, `${path}[]`, true) : []),
    ...(any ? flatten(any, `${path}{}`, true) : []),
  ];
};

/** Merges the entries of a member over all alternatives of an object; it is required only if every alternative requires it. */
const merged = (list: readonly Entry[], forms: number): Entry => ({
  required: list.length === forms && list.every(({ required }) => required),
  types: [...new Set(list.flatMap(({ types }) => types))].sort(),
  values: list.every(({ values }) => values) ? [...new Set(list.flatMap(({ values }) => values ?? []))].sort() : null,
  bounds: list.length === 1 ? (list[0]?.bounds ?? {}) : {},
});

/** Returns the entries of a value and of all values nested in it. */
const flatten = (schema: Schema, path: string, required: boolean): readonly Entered[] => {
  const forms = (alternatives(schema) ?? [schema]).map((part) => below(part, path)).filter((part) => part.length > 0);
  const byPath = Map.groupBy(forms.flat(), ([inner]) => inner);
  const inner = [...byPath].map(
    ([name, list]) =>
      [
        name,
        merged(
          list.map(([, entry]) => entry),
          forms.length,
        ),
      ] as const,
  );
  return [[path || '(whole)', entryOf(schema, required)], ...inner];
};

const takesOf = ({ parameters = [], requestBody }: OpenAPIV3_1.OperationObject): Entries => {
  const sent = (parameters as readonly OpenAPIV3_1.ParameterObject[]).map(
    ({ name, in: place, required, schema }) =>
      [`${place} ${name}`, entryOf(schema as Schema, required === true)] as const,
  );
  const { content = {}, required: isNeeded = false } = (requestBody ?? {}) as Partial<OpenAPIV3_1.RequestBodyObject>;
  const bodies = Object.entries(content).flatMap(([type, { schema }]) =>
    flatten((schema ?? {}) as Schema, '', isNeeded).map(([path, entry]) => [`${type} ${path}`, entry] as const),
  );
  return Object.fromEntries([...sent, ...bodies]);
};

const answersOf = ({ responses = {} }: OpenAPIV3_1.OperationObject): Operation['answers'] =>
  Object.fromEntries(
    Object.entries(responses as Record<string, OpenAPIV3_1.ResponseObject>)
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, { schema }]) => [
          `${status} ${type}`,
          schema ? Object.fromEntries(flatten(schema as Schema, '', true)) : {},
        ]),
      ),
  );

/** Returns the contract that the plugins of this working tree declare. */
export const currentPromise = (): ApiPromise => {
  const document = describeApi(routedPlugins({ plugins } as unknown as Runtime), 'http://evidence.test');
  const all = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => {
      const found = operation as OpenAPIV3_1.OperationObject & { readonly 'x-access': string };
      return [
        `${method.toUpperCase()} ${path}`,
        {
          access: found['x-access'],
          takes: takesOf(found),
          answers: answersOf(found),
          statuses: Object.keys(found.responses ?? {}).sort(),
        },
      ] as const;
    }),
  );
  return Object.fromEntries(all.filter(([name]) => / \/(v1|api)\/|\/graph-data$/.test(name)).sort());
};

const bound = ([name, value]: readonly [string, number | string]): string => `${name}=${JSON.stringify(value)}`;

/** Formats an entry as required flag, types, bounds and values, for example `! integer null minimum=1`. */
const written = ({ required, types, values, bounds }: Entry): string =>
  [
    required ? '!' : '?',
    ...types,
    ...Object.entries(bounds).map(bound),
    ...(values ? [`values=[${values.join(',')}]`] : []),
  ].join(' ');

const read = (text: string): Entry => {
  const { 1: mark, 2: types = '', 3: rest = '' } = /^([!?])((?: [a-z]+(?![=a-zA-Z]))*)(.*)$/.exec(text) ?? [];
  const fields = [...rest.matchAll(/ (\w+)=("(?:[^"\\]|\\.)*"|\[.*\]|[-\d.e+]+)/g)].map(
    ([, name = '', value = '']) => [name, JSON.parse(value)] as const,
  );
  const { values = null, ...bounds } = Object.fromEntries(fields);
  const told = (values as readonly unknown[] | null)?.map((value) => JSON.stringify(value)).sort() ?? null;
  return { required: mark === '!', types: types.trim().split(' ').filter(Boolean), values: told, bounds };
};

const mapped = <A, B>(whole: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, change(value)]));

const changed = <A, B>(operation: OperationOf<A>, change: (value: A) => B): OperationOf<B> => ({
  ...operation,
  takes: mapped(operation.takes, change),
  answers: mapped(operation.answers, (entries) => mapped(entries, change)),
});

interface OperationOf<T> {
  readonly access: string;
  readonly takes: Readonly<Record<string, T>>;
  readonly answers: Readonly<Record<string, Readonly<Record<string, T>>>>;
  readonly statuses: readonly string[];
}

export const asText = (promise: ApiPromise): string =>
  `${JSON.stringify(
    mapped(promise, (operation) => changed(operation, written)),
    null,
    1,
  )}\n`;

export const promisedPath = FILE;

/** Reads the promised contract from openapi-v1.json. */
export const readPromise = async (): Promise<ApiPromise> => {
  const kept = JSON.parse(await readFile(FILE, 'utf8')) as Record<string, OperationOf<string>>;
  return mapped(kept, (operation) => changed(operation, read));
};
