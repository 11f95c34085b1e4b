/** Compiles a route's schemas into validators and reports failures in the error format of Pydantic. */
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { coreErrors, type FieldProblem } from '../errors.ts';
import { requireOnce } from '../lazy.ts';
import type { RequestSchemas } from '../plugin.ts';
import { MAX_DEPTH } from './json-limits.ts';

/** Creates a validator. The library is loaded on first use, because most commands compile no schema. */
const newAjv = (options: Options): Ajv2020 => {
  const { Ajv2020: Ajv } = requireOnce<typeof import('ajv/dist/2020.js')>('ajv/dist/2020.js');
  const ajv = new Ajv({ strict: false, ...options });
  requireOnce<(ajv: Ajv2020) => void>('ajv-formats')(ajv);
  return ajv;
};

/** Creates the validator for requests. Schemas are checked by the compiler and by tests, so not again at runtime. */
export const createAjv = (): Ajv2020 => newAjv({ allErrors: true, useDefaults: true, validateSchema: false });

/** Creates the validator for values that the program itself built: it stops at the first error. */
export const createViewAjv = (): Ajv2020 => newAjv({ validateSchema: false });

type Place = 'path' | 'query' | 'body';
type Plain = Record<string, unknown>;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const quotedList = (values: readonly unknown[]): string => {
  // "" and null mean "not given", so they are not listed as allowed values.
  const told = values.filter((value) => value !== '' && value !== null);
  const words = [...new Set(told.map((value) => `'${String(value)}'`))];
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
};

const typeProblem = (expected: string, data: unknown): [string, string] => {
  const fromText = typeof data === 'string';
  if (expected === 'integer') {
    return fromText
      ? ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer']
      : ['int_type', 'Input should be a valid integer'];
  }
  if (expected === 'number') return ['float_parsing', 'Input should be a valid number'];
  if (expected === 'boolean') return ['bool_parsing', 'Input should be a valid boolean'];
  if (expected === 'array') return ['list_type', 'Input should be a valid list'];
  if (expected === 'object') return ['dict_type', 'Input should be a valid dictionary'];
  return ['string_type', 'Input should be a valid string'];
};

/** The parameters of ajv errors that the messages below use. */
interface RuleParams {
  readonly limit: number;
  readonly pattern: string;
  readonly format: string;
  readonly allowedValues: readonly unknown[];
  readonly allowedValue: unknown;
  readonly type: string | readonly string[];
}

const wordOf = (error: ErrorObject, data: unknown): [string, string] => {
  const { keyword } = error;
  const params = error.params as RuleParams;
  switch (keyword) {
    case 'required':
      return ['missing', 'Field required'];
    case 'minLength':
      return ['string_too_short', `String should have at least ${plural(params.limit, 'character')}`];
    case 'maxLength':
      return ['string_too_long', `String should have at most ${plural(params.limit, 'character')}`];
    case 'minimum':
      return ['greater_than_equal', `Input should be greater than or equal to ${params.limit}`];
    case 'maximum':
      return ['less_than_equal', `Input should be less than or equal to ${params.limit}`];
    case 'pattern':
      return ['string_pattern_mismatch', `String should match pattern '${params.pattern}'`];
    case 'enum':
      return ['literal_error', `Input should be ${quotedList(params.allowedValues)}`];
    case 'const':
      return ['literal_error', `Input should be ${quotedList([params.allowedValue])}`];
    case 'format':
      return ['value_error', `Value is not a valid ${params.format}`];
    case 'maxItems':
      return ['too_long', `List should have at most ${plural(params.limit, 'item')}`];
    case 'type':
      return typeProblem([params.type].flat()[0] ?? 'string', data);
    default:
      return ['value_error', error.message ?? 'Invalid value'];
  }
};

/** Returns the input, at most 200 characters of it; undefined for objects and for fields that may contain a secret. */
const shown = (loc: readonly (string | number)[], input: unknown): unknown => {
  if (loc.some((part) => /key|secret|token|password|email/i.test(String(part)))) return undefined;
  if (typeof input === 'string') return input.slice(0, 200);
  return typeof input === 'object' && input !== null ? undefined : input;
};

/** Returns the value that an error refers to. ajv's `verbose` option would store it for every error, reported or not. */
const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Plain | null | undefined)?.[name], root);

const problemOf = (place: Place, error: ErrorObject, root: unknown, isPrivate: boolean): FieldProblem => {
  const names = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const data = valueAt(root, names);
  const path = names.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  const missing =
    error.keyword === 'required' ? [String((error.params as { missingProperty: string }).missingProperty)] : [];
  const loc = [place, ...path, ...missing];
  const [type, msg] = wordOf(error, data);
  if (isPrivate) return { type, loc, msg };
  return { type, loc, msg, input: error.keyword === 'required' ? null : shown(loc, data) };
};

const TRUE = /^(true|1|on|yes|t|y)$/i;
const FALSE = /^(false|0|off|no|f|n)$/i;

/** Converts the texts of a query or path to the types of the schema; a text that cannot be converted fails validation. */
const convert = (schema: TSchema | undefined, values: Plain): Plain => {
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  const result: Plain = {};
  for (const [name, value] of Object.entries(values)) {
    const type = properties[name]?.type;
    const text = String(value);
    if (type === 'integer' && /^[+-]?\d{1,15}$/.test(text)) result[name] = Number(text);
    else if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) result[name] = Number(text);
    else if (type === 'boolean' && TRUE.test(text)) result[name] = true;
    else if (type === 'boolean' && FALSE.test(text)) result[name] = false;
    else result[name] = value;
  }
  return result;
};

/** Maximum number of problems in one response. */
const MAX_PROBLEMS = 100;

type Loc = readonly (string | number)[];

/** Finds what schemas cannot express and PostgreSQL rejects: NUL characters, lone surrogates and excessive nesting. */
const textProblems = (root: unknown, place: Place): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const path: (string | number)[] = [place];
  const note = (msg: string, loc: Loc = [...path]): void => void problems.push({ type: 'value_error', loc, msg });
  const look = (value: unknown): void => {
    if (problems.length >= MAX_PROBLEMS) return;
    if (typeof value === 'string') {
      if (value.includes('\0')) note('String should not contain NUL characters');
      else if (!value.isWellFormed()) note('String should be valid Unicode');
    } else if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      if (path.length > MAX_DEPTH) note('Input is nested too deeply', path.slice(0, 2));
      else
        for (const name of Object.keys(value)) {
          path.push(isList ? Number(name) : name);
          look((value as Plain)[name]);
          path.pop();
        }
    }
  };
  look(root);
  return problems;
};

/** Drops errors that do not help the caller: those about `if`, about null in nullable fields, and the `anyOf` wrapper. */
const helpfulOnly = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const plain = errors.filter(
    ({ keyword, params }) => keyword !== 'if' && !(keyword === 'type' && (params as RuleParams).type === 'null'),
  );
  const told = plain.filter(({ keyword }) => keyword !== 'anyOf');
  return told.length ? told : plain;
};

export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Whether the body consists of form fields: texts that are converted like those of a query. */
  readonly isForm?: boolean;
}

export interface CheckedRequest {
  readonly params: Plain;
  readonly query: Plain;
  readonly body: Plain;
}

/** Returns one value per parameter: the last one that is not empty. An empty string means "not given". */
const flattenQuery = (query: RawRequest['query']): Plain => {
  const entries = Object.entries(query).map(([name, value]) => [name, [value].flat().findLast(Boolean)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

/** Drops parameters that the schema does not name, so that links to other pages do not repeat them. */
const knownOnly = (schema: TSchema | undefined, query: Plain): Plain => {
  const { properties } = (schema ?? {}) as { properties?: Readonly<Record<string, unknown>> };
  return properties
    ? Object.fromEntries(Object.entries(query).filter(([name]) => Object.hasOwn(properties, name)))
    : query;
};

/** Returns the default value of a body that may be omitted. */
export const defaultOf = (schema: TSchema | undefined): unknown =>
  (schema as { readonly default?: unknown } | undefined)?.default;

/** Returns all values of the form fields that the schema declares as arrays; other fields use their last value. */
const listsIn = (schema: TSchema | undefined, values: RawRequest['query']): Plain => {
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  const lists = Object.entries(values).filter(([name, value]) => value && properties[name]?.type === 'array');
  return Object.fromEntries(lists.map(([name, value]) => [name, [value].flat().filter(Boolean)]));
};

const formBody = (schema: TSchema | undefined, body: unknown): Plain => {
  const fields = (body ?? {}) as RawRequest['query'];
  return convert(schema, { ...flattenQuery(fields), ...listsIn(schema, fields) });
};

/** The validator shared by all routes and pages, so that each schema is compiled once per process. */
let shared: Ajv2020 | null = null;

/** Returns a function that compiles the schema on first use: about 200 schemas at startup would delay it for little use. */
const checkOf = (schema: TSchema | undefined) => {
  let compiled: ValidateFunction | null = null;
  return (): ValidateFunction | null => {
    if (schema && !compiled) {
      shared ??= createAjv();
      compiled = shared.compile(schema);
    }
    return compiled;
  };
};

/**
 * Builds the validator of one route or page.
 * @param isPrivate whether the request contains personal data, which problems must not repeat
 * @returns a function that returns the converted request, or throws `validation_failed` with every problem.
 */
export const requestChecker = (schemas: RequestSchemas, isPrivate = false) => {
  const checks = { path: checkOf(schemas.params), query: checkOf(schemas.query), body: checkOf(schemas.body) };
  const check = (place: Place, value: unknown): readonly FieldProblem[] => {
    const validate = checks[place]();
    const unusable = textProblems(value, place);
    if (unusable.length || !validate || validate(value)) return unusable;
    return helpfulOnly(validate.errors ?? [])
      .slice(0, MAX_PROBLEMS)
      .map((error) => problemOf(place, error, value, isPrivate));
  };
  return (raw: RawRequest): CheckedRequest => {
    const params = convert(schemas.params, { ...raw.params });
    const query = convert(schemas.query, flattenQuery(raw.query));
    const given = raw.body ?? structuredClone(defaultOf(schemas.body));
    const body = raw.isForm ? formBody(schemas.body, raw.body) : (given as Plain);
    const problems = [
      ...check('path', params),
      ...check('query', query),
      ...(schemas.body ? check('body', body ?? null) : []),
    ];
    if (problems.length) throw coreErrors.validation_failed({}, { problems: problems.slice(0, MAX_PROBLEMS) });
    return { params, query: knownOnly(schemas.query, query), body: body ?? {} };
  };
};

/** Builds the `validation_failed` error for a rule that no schema expresses, such as one that spans several fields. */
export const invalid = (place: Place, name: string, msg: string, input?: unknown) =>
  coreErrors.validation_failed({}, { problems: [{ type: 'value_error', loc: [place, name], msg, input }] });
