/** Builds hostile requests from an OpenAPI document. Most of a request is valid, so that it passes the first checks. */
import { BODIES, HEADERS, JSON_VALUES, type Random, TEXTS } from './hostile-values.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The body schemas by media type. */
  readonly bodies: Readonly<Record<string, Schema>>;
}

export interface HostileRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

export const operationsIn = (paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { parameters = [], requestBody } = item[method] as Described;
      const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema ?? {}]);
      return { method: method.toUpperCase(), path, parameters, bodies: Object.fromEntries(bodies) };
    }),
  );

const firstType = ({ type }: Schema): string => (typeof type === 'string' ? type : (type?.[0] ?? 'string'));

/** Returns JSON text: a value that usually matches the schema, or a hostile value. */
const jsonFor = (random: Random, schema: Schema, hostile: number, depth = 0): string => {
  if (random.isLucky(hostile))
    return random.isLucky(0.5) ? JSON.stringify(random.oneOf(TEXTS)) : random.oneOf(JSON_VALUES);
  if (schema.enum?.length) return JSON.stringify(random.oneOf(schema.enum));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf?.length && depth < 8) return jsonFor(random, random.oneOf(schema.anyOf), hostile, depth + 1);
  const type = schema.properties ? 'object' : firstType(schema);
  if (type === 'object' && depth < 8) {
    const members = Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name) || random.isLucky(0.6))
      .map(([name, member]) => `${JSON.stringify(name)}:${jsonFor(random, member, hostile, depth + 1)}`);
    if (random.isLucky(hostile)) members.push(`${JSON.stringify(random.oneOf(TEXTS))}:${random.oneOf(JSON_VALUES)}`);
    return `{${members.join(',')}}`;
  }
  if (type === 'array' && depth < 8)
    return `[${Array.from({ length: random.below(4) }, () => jsonFor(random, schema.items ?? {}, hostile, depth + 1)).join(',')}]`;
  if (type === 'integer' || type === 'number') return String(schema.minimum ?? random.below(100));
  if (type === 'boolean') return String(random.isLucky(0.5));
  if (schema.format === 'date') return '"2026-11-23"';
  return JSON.stringify('magnesium'.padEnd(schema.minLength ?? 0, 'x'));
};

/** Returns text for a path or query, which is not always encoded correctly. */
const textFor = (random: Random, schema: Schema, hostile: number): string => {
  const text = random.isLucky(hostile) ? random.oneOf(TEXTS) : String(JSON.parse(jsonFor(random, schema, 0)) ?? '');
  // A lone surrogate cannot be encoded, so the replacement character is sent instead.
  const encoded = encodeURIComponent(text.toWellFormed() === text ? text : '\ufffd').replaceAll("'", '%27');
  return random.isLucky(0.1) ? text.replace(/[^!-~]|[#?]/g, '') : encoded;
};

const partOf = (random: Random, name: string, boundary: string): string => {
  const quoted = (text: string): string => text.replace(/["\r\n]/g, '').slice(0, 2_000);
  const file = random.isLucky(0.5) ? `; filename="${quoted(random.oneOf(TEXTS))}"` : '';
  const field = random.isLucky(0.8) ? name : quoted(random.oneOf(TEXTS));
  const extra = random.isLucky(0.1) ? `X-Long: ${'a'.repeat(9_000)}\r\n` : '';
  const type = random.isLucky(0.5)
    ? `Content-Type: ${random.oneOf(['application/pdf', 'image/png', 'a', ''])}\r\n`
    : '';
  const content = random.oneOf([
    '%PDF-1.7\n%%EOF',
    '\x89PNG\r\n\x1a\n',
    '<?xml version="1.0"?><a/>',
    '',
    'true',
    'PK\x03\x04',
  ]);
  const body = random.isLucky(0.3) ? String(random.oneOf(BODIES)) : content;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${file}\r\n${type}${extra}\r\n${body}\r\n`;
};

const multipartFor = (random: Random, schema: Schema): [type: string, body: Buffer] => {
  const boundary = 'fuzz';
  const names = Object.keys(schema.properties ?? {}).filter(() => random.isLucky(0.7));
  const parts = names.map((name) => partOf(random, name, boundary));
  if (random.isLucky(0.05)) parts.push(...Array<string>(500).fill(partOf(random, 'file', boundary)));
  const end = random.isLucky(0.9) ? `--${boundary}--\r\n` : '';
  return [`multipart/form-data; boundary=${boundary}`, Buffer.from(parts.join('') + end, 'utf8')];
};

const formFor = (random: Random, schema: Schema, hostile: number): string =>
  Object.entries(schema.properties ?? {})
    .filter(() => random.isLucky(0.7))
    .map(([name, member]) => `${name}${random.isLucky(0.1) ? '[]' : ''}=${textFor(random, member, hostile)}`)
    .join('&');

const bodyFor = (random: Random, { bodies }: Operation, hostile: number): readonly [string, string | Buffer] | null => {
  const [[type, schema] = []] = Object.entries(bodies);
  if (!type || !schema) return random.isLucky(0.1) ? ['application/json', random.oneOf(BODIES)] : null;
  if (random.isLucky(0.15)) return [type.startsWith('multipart') ? `${type}; boundary=x` : type, random.oneOf(BODIES)];
  if (type.startsWith('multipart')) return multipartFor(random, schema);
  if (random.isLucky(0.15)) return ['application/x-www-form-urlencoded', formFor(random, schema, hostile)];
  return [type, jsonFor(random, schema, hostile)];
};

export const requestFor = (random: Random, operation: Operation): HostileRequest => {
  const hostile = random.oneOf([0.05, 0.2, 0.6]);
  const path = operation.path.replace(/\{\+?(\w+)\}/g, (_, name: string) => {
    const schema = operation.parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
    return textFor(random, schema ?? {}, hostile);
  });
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || random.isLucky(0.5)))
    .flatMap(({ name, schema = {} }) =>
      Array.from({ length: random.isLucky(0.05) ? 50 : 1 }, () => `${name}=${textFor(random, schema, hostile)}`),
    );
  if (random.isLucky(0.1)) query.push(`${textFor(random, {}, 1)}=${textFor(random, {}, 1)}`);
  if (random.isLucky(0.02)) query.push('a=1&'.repeat(2_500));
  const [type, body] = bodyFor(random, operation, hostile) ?? [];
  const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
  for (let more = random.isLucky(0.3) ? 1 + random.below(3) : 0; more > 0; more -= 1) {
    const [name, value] = random.oneOf(HEADERS);
    headers[name] = value;
  }
  const address = query.length ? `${path}?${query.join('&')}` : path;
  return {
    operation,
    method: operation.method,
    // The HTTP parser refuses longer request lines.
    path: address.slice(0, 12_000),
    headers,
    body: body ?? null,
  };
};
