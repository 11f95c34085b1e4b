/**
 * The differences between servers in the fields of a chat request. They are detected from refusals and remembered for the life of
 * the process.
 */
import type { EndpointRefusal } from './model-error.ts';
import type { CompletionOptions } from './port.ts';

export interface ChatDialect {
  /** `max_completion_tokens` for newer hosted models, which refuse the older name. */
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /** Whether the model accepts a temperature other than its default. */
  readonly temperature: boolean;
  /** How a JSON schema is requested: with the endpoint's grammar, as any JSON, or in the prompt only. */
  readonly schema: 'json_schema' | 'json_object' | 'words';
  /** Whether a stream is requested to end with its token counts. */
  readonly usage: boolean;
}

export const firstDialect: ChatDialect = {
  limit: 'max_tokens',
  temperature: true,
  schema: 'json_schema',
  usage: true,
};

/** A message on the wire: its content is text, or text and a picture. */
export interface WireMessage {
  readonly role: string;
  readonly content: unknown;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly options: CompletionOptions;
  readonly stream: boolean;
}

interface SchemaNode {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/**
 * Returns whether the schema can be strict: hosted endpoints enforce a schema only when every object lists all its members as
 * required.
 */
const isStrict = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (schema === null || typeof schema !== 'object') return true;
  const { type, properties, required = [], additionalProperties } = schema as SchemaNode;
  if (type === 'object' && additionalProperties !== false) return false;
  if (properties && Object.keys(properties).some((name) => !required.includes(name))) return false;
  return Object.values(schema).every(isStrict);
};

const inWords = (schema: object): WireMessage => ({
  role: 'system',
  content: `Reply with one JSON value that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`,
});

const formatOf = (schema: object, wanted: ChatDialect['schema']): object =>
  wanted === 'json_schema'
    ? { type: 'json_schema', json_schema: { name: 'reply', schema, strict: isStrict(schema) } }
    : { type: 'json_object' };

/** Builds the body of `/chat/completions` in a dialect. */
export const chatBody = ({ model, messages, options, stream }: ChatRequest, dialect: ChatDialect): object => {
  const { schema, maxTokens, temperature = 0 } = options;
  const told = schema && dialect.schema !== 'json_schema' ? [inWords(schema), ...messages] : messages;
  return {
    ...(model && { model }),
    messages: told,
    [dialect.limit]: maxTokens,
    ...(dialect.temperature && { temperature }),
    ...(schema && dialect.schema !== 'words' && { response_format: formatOf(schema, dialect.schema) }),
    ...(stream && { stream, ...(dialect.usage && { stream_options: { include_usage: true } }) }),
  };
};

const looserSchema = { json_schema: 'json_object', json_object: 'words', words: null } as const;

/** Returns the dialect to try after a refusal; null when neither its message nor a schema suggests another one. */
export const afterRefusal = (
  refusal: EndpointRefusal,
  dialect: ChatDialect,
  asked: { schema: boolean; stream: boolean },
): ChatDialect | null => {
  if (refusal.status !== 400 && refusal.status !== 422) return null;
  if (refusal.names(/max_completion_tokens/i) && dialect.limit === 'max_tokens')
    return { ...dialect, limit: 'max_completion_tokens' };
  if (refusal.names(/stream_options/i) && asked.stream && dialect.usage) return { ...dialect, usage: false };
  if (refusal.names(/temperature/i) && dialect.temperature) return { ...dialect, temperature: false };
  const schema = looserSchema[dialect.schema];
  return asked.schema && schema ? { ...dialect, schema } : null;
};
