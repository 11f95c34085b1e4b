/** Generates the Python client: typed dictionaries and methods from the OpenAPI description, after the hand-written runtime. */
import { type Schema, snakeName, typeName } from '../operations.ts';
import { alternativesOf, type ClientMethod, takesIdempotencyKey } from './methods.ts';
import type { ClientFacts } from './typescript.ts';

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self body'.split(
    ' ',
  ),
);
const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);
const literalOf = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);
const comment = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('\\', '').replaceAll('"', "'").trim();
const capital = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, char) => char.toUpperCase());

/** Source text of the typed dictionaries by name, in the order in which they must be defined. */
type Made = Map<string, string>;

const dictionary = (name: string, { properties = {} }: Schema, made: Made): string => {
  const fields = Object.entries(properties as Record<string, Schema>).map(
    ([field, schema]) => [field, typeOf(schema, `${name}${capital(field)}`, made)] as const,
  );
  const isPlain = fields.every(([field]) => isName(field));
  const text = isPlain
    ? `class ${name}(TypedDict, total=False):\n${fields.map(([field, type]) => `    ${field}: ${type}`).join('\n')}`
    : `${name} = TypedDict("${name}", {${fields.map(([field, type]) => `${JSON.stringify(field)}: ${type}`).join(', ')}}, total=False)`;
  made.set(name, text);
  return name;
};

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  const known = distinct.filter((type) => type !== 'None');
  const whole = known.length > 1 ? `Union[${known.join(', ')}]` : (known[0] ?? 'None');
  return known.length < distinct.length && known.length ? `Optional[${whole}]` : whole;
};

const objectType = (schema: Schema, name: string, made: Made): string => {
  const {
    properties = {},
    additionalProperties,
    patternProperties,
  } = schema as Schema & {
    readonly patternProperties?: Record<string, Schema>;
  };
  if (Object.keys(properties).length) return dictionary(name, schema, made);
  const [anyName] = Object.values(patternProperties ?? {});
  const values = anyName ?? (typeof additionalProperties === 'object' ? (additionalProperties as Schema) : null);
  return `Dict[str, ${values ? typeOf(values, `${name}Value`, made) : 'Any'}]`;
};

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const typeOf = (schema: Schema, name: string, made: Made): string => {
  const { enum: values, const: fixed } = schema as Schema & { readonly const?: unknown };
  if (fixed !== undefined) return `Literal[${literalOf(fixed)}]`;
  if (values) return `Literal[${[...new Set(values.map(literalOf))].join(', ')}]`;
  const alternatives = alternativesOf(schema);
  if (alternatives) return union(alternatives.map((one, at) => typeOf(one, at ? `${name}${at + 1}` : name, made)));
  const type = String(schema.type ?? '');
  if (type === 'array') return `List[${typeOf((schema as { items?: Schema }).items ?? {}, `${name}Item`, made)}]`;
  return type === 'object' ? objectType(schema, name, made) : (SIMPLE[type] ?? 'Any');
};

const RUNS = { json: '_json', text: '_text', events: '_events' } as const;

const methodText = (method: ClientMethod, made: Made): string => {
  const { operation, given, body, kind, reply } = method;
  const name = typeName(operation.id);
  const taken = given.filter((parameter) => isName(parameter.name));
  const typed = taken.map(({ name: parameter, required, schema }) => {
    const type = typeOf(schema, `${name}${capital(parameter)}`, made);
    return required
      ? `${parameter}: ${type}`
      : `${parameter}: Optional[${type.replace(/^Optional\[(.*)\]$/, '$1')}] = None`;
  });
  const needed = typed.filter((_, at) => taken[at]?.required);
  const parameters = [
    'self',
    '*',
    ...needed,
    ...(body ? [`body: ${typeOf(body, `${name}Body`, made)}`] : []),
    ...typed.filter((text) => !needed.includes(text)),
    ...(takesIdempotencyKey(method) ? ['idempotency_key: Optional[str] = None'] : []),
  ];
  const answer = kind === 'json' ? (reply ? typeOf(reply, `${name}Reply`, made) : 'Any') : 'str';
  const result = kind === 'events' ? 'Iterator[Dict[str, Any]]' : answer;
  const values = taken.map(({ name: parameter }) => `"${parameter}": ${parameter}`).join(', ');
  const sent = [
    `"${operation.method}", "${operation.path}", {${values}}`,
    ...(body ? ['body=body'] : []),
    ...(takesIdempotencyKey(method) ? ['idempotency_key=idempotency_key'] : []),
  ].join(', ');
  const heads = parameters.length > 2 ? parameters.join(', ') : 'self';
  return [
    `    def ${snakeName(operation.id)}(${heads}) -> ${result}:`,
    `        """${comment(`${operation.summary}. ${operation.method} ${operation.path}, ${operation.access}.`)}"""`,
    kind === 'json'
      ? `        answer: ${answer} = self._json(${sent})\n        return answer`
      : `        return self.${RUNS[kind]}(${sent})`,
  ].join('\n');
};

export const pythonClient = (methods: readonly ClientMethod[], { baseUrl, version, runtime }: ClientFacts): string => {
  const made: Made = new Map();
  const texts = methods.map((method) => methodText(method, made));
  return [
    `"""Client of the Supplement Evidence Base, API ${version}. Made from ${baseUrl}/openapi.json; MIT. No dependencies."""`,
    `from __future__ import annotations\n\nBASE_URL = ${JSON.stringify(baseUrl)}`,
    runtime.trim(),
    ...made.values(),
    `class EvidenceBase(ApiClient):\n    """Every operation as a method. Clients must ignore unknown fields, because new ones may be added."""\n\n${texts.join('\n\n')}\n`,
  ].join('\n\n\n');
};
