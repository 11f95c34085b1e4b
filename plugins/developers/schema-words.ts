/** Describes JSON Schemas in short phrases for tables. */
import type { Schema } from './operations.ts';

const number = new Intl.NumberFormat('en-GB');

const range = (from: number | undefined, to: number | undefined, unit = ''): string => {
  if (from !== undefined && to !== undefined) return `${number.format(from)} to ${number.format(to)}${unit}`;
  if (from !== undefined) return `at least ${number.format(from)}${unit}`;
  return to === undefined ? '' : `at most ${number.format(to)}${unit}`;
};

/** The maximum 32-bit integer, which is no limit in practice and is not shown. */
const LARGEST = 2_147_483_647;

const boundsOf = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string =>
  [
    range(minimum, maximum === LARGEST ? undefined : maximum),
    range(minLength || undefined, maxLength, ' characters'),
    range(minItems || undefined, maxItems, ' items'),
  ]
    .filter(Boolean)
    .join(', ');

const choices = (values: readonly unknown[]): string => {
  const told = values.filter((value) => value !== '' && value !== null);
  return told.length ? `one of ${told.map(String).join(', ')}` : '';
};

const kindOf = (schema: Schema): string => {
  const { type, anyOf, oneOf, const: fixed, enum: values } = schema as Schema & { readonly const?: unknown };
  if (fixed !== undefined) return JSON.stringify(fixed);
  const parts = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (parts) return [...new Set(parts.map(kindOf))].join(' or ');
  if (type === 'array') return `list of ${kindOf((schema as { items?: Schema }).items ?? {})}`;
  if (Array.isArray(type)) return type.join(' or ');
  if (!type && values) return 'value';
  return type ?? 'any value';
};

/** Describes a schema: "string, 1 to 500 characters", "integer, 1 to 50, 15 when left out", "string, one of A, B, C, D". */
export const schemaWords = (schema: Schema): string => {
  const { format, enum: values = [], default: usual } = schema;
  const isEmpty = usual === undefined || usual === '' || usual === null;
  return [
    format ? `${kindOf(schema)} (${format})` : kindOf(schema),
    choices(values),
    boundsOf(schema),
    isEmpty ? '' : `${JSON.stringify(usual)} when left out`,
  ]
    .filter(Boolean)
    .join(', ');
};

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Returns the object schema that a schema is, lists or offers as an alternative; null when there is none. */
const objectIn = (schema: Schema): Schema | null => {
  if (schema.type === 'array') return objectIn((schema as { items?: Schema }).items ?? {});
  const parts = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (parts) return parts.map(objectIn).find((part) => part !== null) ?? null;
  return schema.properties ? schema : null;
};

/** Returns the members of an object or of the items of a list, nested down to `depth`: `results[].year`. */
export const fieldsOf = (schema: Schema | null, depth = 1, before = ''): readonly Field[] => {
  const whole = schema && objectIn(schema);
  return Object.entries((whole?.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const path = `${before}${name}`;
    const row = {
      name: path,
      type: schemaWords(field),
      required: whole?.required?.includes(name) === true,
      description: field.description ?? '',
    };
    const inner = depth > 1 ? fieldsOf(field, depth - 1, field.type === 'array' ? `${path}[].` : `${path}.`) : [];
    return [row, ...inner];
  });
};
