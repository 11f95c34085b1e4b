/** Selects the operations that the generated clients offer and describes their parameters and replies, for all languages. */
import { answerOf, isForClients, type Operation, type Parameter, type Schema } from '../operations.ts';

export type ReplyKind = 'json' | 'text' | 'events';

export interface ClientMethod {
  readonly operation: Operation;
  /** Parameters: those in the path first, then the required ones, then the optional ones. */
  readonly given: readonly Parameter[];
  readonly body: Schema | null;
  readonly reply: Schema | null;
  readonly kind: ReplyKind;
}

const kindOf = (operation: Operation): ReplyKind => {
  const type = answerOf(operation)?.mediaType ?? '';
  if (type === 'text/event-stream') return 'events';
  return type === 'application/json' ? 'json' : 'text';
};

const order = ({ place, required }: Parameter): number => (place === 'path' ? 0 : required ? 1 : 2);

const methodOf = (operation: Operation): ClientMethod => {
  const kind = kindOf(operation);
  return {
    operation,
    given: operation.parameters.filter(({ place }) => place !== 'header').toSorted((a, b) => order(a) - order(b)),
    body: operation.body?.schema ?? null,
    reply: kind === 'json' ? (answerOf(operation)?.schema ?? null) : null,
    kind,
  };
};

export const clientMethods = (operations: readonly Operation[]): readonly ClientMethod[] =>
  operations.filter(isForClients).map(methodOf);

/** Returns whether a method accepts an idempotency key: its description has the header. */
export const takesIdempotencyKey = ({ operation }: ClientMethod): boolean =>
  operation.parameters.some(({ name }) => name === 'Idempotency-Key');

/** Returns the alternatives of a schema (`anyOf`, `oneOf` or a list of types), or null when it has only one type. */
export const alternativesOf = (schema: Schema): readonly Schema[] | null => {
  const { anyOf, oneOf, type } = schema;
  const list = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (list) return list;
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one }) as Schema) : null;
};
