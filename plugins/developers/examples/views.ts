/** Builds the view models of examples. */
import { type Static, Type } from 'typebox';
import { AppError } from '#core/errors.ts';
import type { Context } from '#core/plugin.ts';
import { type Operation, operationsOf } from '../operations.ts';
import type { ExampleCall } from './example-call.ts';
import { codeExamples, curlOf } from './languages.ts';

export const CodeView = Type.Object({
  language: Type.String(),
  name: Type.String(),
  code: Type.String(),
});

/** A call and the response it returned when the page was rendered. */
export const ExchangeView = Type.Object({
  title: Type.String(),
  text: Type.String(),
  operation: Type.String(),
  curl: Type.String(),
  /** Response as JSON, shortened; "" when this instance could not respond at that time. */
  answer: Type.String(),
});
export type ExchangeView = Static<typeof ExchangeView>;

export const codesOf = (context: Context, call: ExampleCall): Static<typeof CodeView>[] => [
  ...codeExamples(call, context.config.text('BASE_URL')),
];

/**
 * Returns the operation with an id.
 * @throws Error when no route has the id, so that a page cannot describe a removed route.
 */
export const operationOf = (context: Context, id: string): Operation => {
  const found = operationsOf(context.api.describe()).find((operation) => operation.id === id);
  if (!found) throw new Error(`No operation has the id ${id}`);
  return found;
};

const LONGEST_TEXT = 180;
const LONGEST_LIST = 2;

/** Shortens long texts and lists, because the page shows the structure of a response, not all of it. */
const shortened = (value: unknown, most: number): unknown => {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, most).map((item) => shortened(item, LONGEST_LIST));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, LONGEST_LIST)]));
};

type Members = readonly (string | readonly [name: string, members: Members])[];

/** Selects members by name, in the given order; for a list, members of each item. */
const pick = (value: unknown, members: Members): unknown => {
  if (Array.isArray(value)) return value.map((item) => pick(item, members));
  if (typeof value !== 'object' || value === null) return value;
  const whole = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    members.flatMap((member) => {
      const [name, inner] = typeof member === 'string' ? [member, null] : member;
      if (!(name in whole)) return [];
      return [[name, inner ? pick(whole[name], inner) : whole[name]]];
    }),
  );
};

export interface Exchange {
  readonly title: string;
  readonly text: string;
  readonly operation: string;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Members of the response to show. Members that change with each call, such as the duration, are left out. */
  readonly members: Members;
  readonly most?: number;
}

const pathNames = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Calls the route in process; the response is left out while an index is not ready. */
const answerTo = async (
  context: Context,
  { operation, given = {}, body, members, most }: Exchange,
): Promise<string> => {
  const inPath = pathNames(operationOf(context, operation).path);
  const isPath = ([name]: [string, unknown]): boolean => inPath.includes(name);
  const entries = Object.entries(given);
  const request = {
    params: Object.fromEntries(entries.filter(isPath)),
    query: Object.fromEntries(entries.filter((entry) => !isPath(entry))),
    body,
  };
  try {
    const reply = await context.api.call(null, operation, request);
    return JSON.stringify(shortened(pick(reply.body, members), most ?? LONGEST_LIST), null, 2);
  } catch (error) {
    if (error instanceof AppError) return '';
    throw error;
  }
};

export const exchangeView = async (context: Context, exchange: Exchange): Promise<ExchangeView> => {
  const { title, text, operation: id, given = {}, body } = exchange;
  const call = { operation: operationOf(context, id), given, body, placeholders: [] };
  return {
    title,
    text,
    operation: id,
    curl: curlOf(call, context.config.text('BASE_URL')),
    answer: await answerTo(context, exchange),
  };
};
