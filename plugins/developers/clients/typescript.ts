/** Generates the TypeScript client: types and methods from the OpenAPI description, after the hand-written runtime. */
import { camelName, type Schema, typeName } from '../operations.ts';
import { alternativesOf, type ClientMethod, takesIdempotencyKey } from './methods.ts';

const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
/** Returns the text on one line, with the end marker of a comment escaped. */
const comment = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();

const objectType = ({ properties = {}, required = [], additionalProperties }: Schema, pad: string): string => {
  const entries = Object.entries(properties as Record<string, Schema>);
  if (!entries.length) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties as Schema, pad) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const lines = entries.map(([name, schema]) => {
    const note = schema.description ? `${pad}  /** ${comment(schema.description)} */\n` : '';
    return `${note}${pad}  ${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, `${pad}  `)};`;
  });
  return `{\n${lines.join('\n')}\n${pad}}`;
};

const typeOf = (schema: Schema, pad = ''): string => {
  const { enum: values, const: fixed } = schema as Schema & { readonly const?: unknown };
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (values) return [...new Set(values.map((value) => JSON.stringify(value)))].join(' | ');
  const alternatives = alternativesOf(schema);
  if (alternatives) return [...new Set(alternatives.map((one) => typeOf(one, pad)))].join(' | ');
  const { type, patternProperties } = schema as Schema & { readonly patternProperties?: Record<string, Schema> };
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `Array<${typeOf((schema as { items?: Schema }).items ?? {}, pad)}>`;
    case 'object': {
      const [anyName] = Object.values(patternProperties ?? {});
      return anyName ? `Record<string, ${typeOf(anyName, pad)}>` : objectType(schema, pad);
    }
    default:
      return 'unknown';
  }
};

const REPLY_TYPES = { text: 'string', events: 'StreamEvent', json: '' } as const;

const typesOf = ({ operation, given, body, reply }: ClientMethod): string => {
  const name = typeName(operation.id);
  const properties = Object.fromEntries(
    given.map(({ name: parameter, schema, description }) => [parameter, { ...schema, description }]),
  );
  const required = given.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return [
    ...(given.length
      ? [`export type ${name}Given = ${typeOf({ type: 'object', properties, required } as Schema)};`]
      : []),
    ...(body ? [`export type ${name}Body = ${typeOf(body)};`] : []),
    ...(reply ? [`export type ${name}Reply = ${typeOf(reply)};`] : []),
  ].join('\n');
};

const RUNS = { json: 'json', text: 'text', events: 'events' } as const;

const methodText = (method: ClientMethod): string => {
  const { operation, given, body, kind, reply } = method;
  const name = typeName(operation.id);
  const isOptional = given.every(({ required }) => !required);
  const parameters = [
    ...(given.length ? [`given: ${name}Given${isOptional ? ' = {}' : ''}`] : []),
    ...(body ? [`body: ${name}Body`] : []),
    `options${takesIdempotencyKey(method) ? '?: CallOptions' : '?: Pick<CallOptions, "signal">'}`,
  ];
  // Optional parameters cannot precede required ones.
  const shown = body && isOptional && given.length ? [parameters[1], parameters[0], parameters[2]] : parameters;
  const answer = kind === 'json' ? (reply ? `${name}Reply` : 'unknown') : REPLY_TYPES[kind];
  const result = kind === 'events' ? `AsyncGenerator<${answer}>` : `Promise<${answer}>`;
  const sent = [
    `method: '${operation.method}', path: '${operation.path}'`,
    ...(given.length ? ['given'] : []),
    ...(body ? ['body'] : []),
    'options',
  ].join(', ');
  const about = [operation.summary, `${operation.method} ${operation.path}, ${operation.access}.`].join('. ');
  return [
    `  /** ${comment(about)} */`,
    `  ${camelName(operation.id)}(${shown.join(', ')}): ${result} {`,
    `    return this.${RUNS[kind]}({ ${sent} });`,
    '  }',
  ].join('\n');
};

export interface ClientFacts {
  readonly baseUrl: string;
  readonly version: string;
  /** Source text of the hand-written runtime. */
  readonly runtime: string;
}

export const typescriptClient = (
  methods: readonly ClientMethod[],
  { baseUrl, version, runtime }: ClientFacts,
): string =>
  [
    `/** Client of the Supplement Evidence Base, API ${version}. Made from ${baseUrl}/openapi.json; MIT. No dependencies. */`,
    runtime.trim(),
    methods.map(typesOf).filter(Boolean).join('\n\n'),
    '/** Every operation as a method. Clients must ignore unknown fields, because new ones may be added. */',
    'export class EvidenceBase extends ApiClient {',
    '  constructor(options: ClientOptions = {}) {',
    `    super({ ...options, baseUrl: (options.baseUrl ?? ${JSON.stringify(baseUrl)}).replace(/\\/+$/, '') });`,
    '  }',
    '',
    methods.map(methodText).join('\n\n'),
    '}',
    '',
  ].join('\n\n');
