/**
 * Converts conditions to Qdrant filters. Every value is stored under `values.<field>` as a keyword that starts with its
 * type (`s:trial`, `n:1996`, `b:false`), so that 1 and "1" differ and every field can be counted; numbers are also stored
 * under `numbers.<field>`, for ranges.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import type { Condition, FilterValue, SearchDocument } from '../port.ts';

type Scalar = string | number | boolean;
export type Filter = Schemas['Filter'];

/** The filter values of a point. */
export interface FilterPayload {
  readonly values: Record<string, string[]>;
  readonly numbers: Record<string, number>;
}

/** Payload keys are paths in a syntax of Qdrant; other field names would have to be quoted in it. */
const FIELD = /^[a-z][a-z0-9_]*$/i;
const PREFIX = { string: 's:', number: 'n:', boolean: 'b:' } as const;

export const valuesKey = (field: string): string => `values.${field}`;
export const numbersKey = (field: string): string => `numbers.${field}`;

const encode = (value: Scalar): string => `${PREFIX[typeof value as keyof typeof PREFIX]}${value}`;

/** Returns a value without its type prefix, for facets. */
export const decode = (value: string): string => value.slice(2);

/** Returns whether a name is valid for a filter field. */
export const isField = (field: string): boolean => FIELD.test(field);

/** Returns the values of a document as they are stored; an empty list counts as a missing field. */
export function filterPayload(filters: SearchDocument['filters']): FilterPayload {
  const values: Record<string, string[]> = {};
  const numbers: Record<string, number> = {};
  for (const [field, value] of Object.entries(filters)) {
    if (!isField(field)) throw new Error(`the filter field "${field}" has a name that is not supported`);
    const members = membersOf(value);
    if (members.length > 0) values[field] = members.map(encode);
    if (typeof value === 'number') numbers[field] = value;
  }
  return { values, numbers };
}

function membersOf(value: FilterValue | undefined | null): readonly Scalar[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? [...new Set(value as readonly string[])] : [value as Scalar];
}

/** Builds the filter that requires all conditions; null when no document can meet them. */
export function filterFor(where: readonly Condition[]): { must: Clause[]; must_not: Clause[] } | null {
  const must: Clause[] = [];
  const must_not: Clause[] = [];
  for (const condition of where) {
    if (!isField(condition.field) || ('in' in condition && condition.in.length === 0)) return null;
    const key = valuesKey(condition.field);
    if ('in' in condition) {
      must.push(anyOf(key, condition.in));
    } else if ('notIn' in condition) {
      // Qdrant's `except` matches if one member of a list is different; here all members must be different.
      must_not.push({ is_empty: { key } });
      if (condition.notIn.length > 0) must_not.push(anyOf(key, condition.notIn));
    } else {
      must.push({
        key: numbersKey(condition.field),
        range: { gte: condition.from ?? null, lte: condition.to ?? null },
      });
      if (condition.from === undefined && condition.to === undefined) {
        must.pop();
        must_not.push({ is_empty: { key: numbersKey(condition.field) } });
      }
    }
  }
  return { must, must_not };
}

type Clause = Schemas['Condition'];

const anyOf = (key: string, values: readonly Scalar[]): Clause => ({
  key,
  match: { any: [...new Set(values.map(encode))] },
});

/** Returns the payload indexes that conditions on these documents and facets of them need, by payload key. */
export function indexesFor(payloads: readonly FilterPayload[]): Map<string, Schemas['PayloadFieldSchema']> {
  const indexes = new Map<string, Schemas['PayloadFieldSchema']>();
  for (const { values, numbers } of payloads) {
    for (const field of Object.keys(values)) indexes.set(valuesKey(field), { type: 'keyword' });
    for (const field of Object.keys(numbers)) indexes.set(numbersKey(field), { type: 'float' });
  }
  return indexes;
}
