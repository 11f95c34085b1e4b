/**
 * Builds a sensible call of each route that is counted: routes come from the OpenAPI description of the running service, values
 * from the source of the portal's examples, ids from responses of the service.
 */
import type { OpenAPIV3_1 } from 'openapi-types';
import { exampleCallOf } from '#plugins/developers/examples/example-call.ts';
import { addressOf } from '#plugins/developers/examples/languages.ts';
import { readSamples, type Samples } from '#plugins/developers/examples/samples.ts';
import { answerOf, type Operation, operationsOf, type Schema } from '#plugins/developers/operations.ts';
import { type Answered, ask, type Call, get, post } from './calls.ts';
import { BENCH_PATH } from './made.ts';

export interface Example {
  readonly id: string;
  /** For example `GET /api/supplements/{slug}`. */
  readonly name: string;
  readonly isRead: boolean;
  /** Whether the route has its own limit per address, which no setting raises. */
  readonly isThrottled: boolean;
  /** Members of the response, of which at least one must not be empty. */
  readonly lists: readonly string[];
  readonly call: Call;
}

const JSON_TYPE = 'application/json';

/** Returns whether an operation takes and returns JSON: an upload needs a file, and a stream has no end to measure. */
const isJson = ({ body, replies, path }: Operation): boolean =>
  !path.startsWith(BENCH_PATH) &&
  (body === null || body.mediaType === JSON_TYPE) &&
  replies.some(({ status, mediaType }) => status === 200 && mediaType === JSON_TYPE);

/** Returns whether an operation is counted: all public ones, and those that a key may read. */
const isCounted = ({ access, method }: Operation): boolean =>
  access === 'limited' || (access === 'key' && method === 'GET');

const queryOf = (query: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();

/** Creates an answer that can be repeated, read and voted on, because no answer id is known beforehand. */
const madeSamples = async (url: string, key: string): Promise<Samples> => {
  const authorization = { Authorization: `Bearer ${key}` };
  const question = { question: 'Does magnesium help people sleep?' };
  const { answer_id } = await ask<{ answer_id: string }>(url, post('/api/ask', question, authorization));
  return { answer_id };
};

/** Inserts the known ids into an example's body. */
const bodyWith = (body: unknown, samples: Samples): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, /_id$/.test(name) ? (samples[name] ?? value) : value]),
      )
    : body;

/** Builds an example; public operations are called without a key. */
const exampleOf = (operation: Operation, samples: Samples, key: string): Example => {
  const { id, method, path, access, throttle, body } = operation;
  const made = exampleCallOf(operation, samples);
  const name = `${method} ${path}`;
  if (made.placeholders.length)
    throw new Error(`${name} has no usable request: nothing here knows a value for ${made.placeholders.join(', ')}`);
  const headers = {
    // The Model Context Protocol requires that clients accept both types.
    Accept: `${JSON_TYPE}, text/event-stream;q=0.5`,
    ...(access === 'key' && { Authorization: `Bearer ${key}` }),
  };
  const address = addressOf(made);
  const call = body ? post(address, bodyWith(made.body, samples), headers) : { ...get(address, headers), method };
  return { id, name, isRead: method === 'GET', isThrottled: throttle !== null, lists: listsOf(operation), call };
};

/** Returns the members of the response that hold records, according to the description. */
const listsOf = (operation: Operation): readonly string[] =>
  Object.entries((answerOf(operation)?.schema?.properties ?? {}) as Record<string, Schema & { items?: Schema }>)
    .filter(([, { type, items }]) => type === 'array' && items?.type === 'object')
    .map(([name]) => name);

const holds = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/**
 * Returns whether a response holds no data. One whose lists are all empty may still hold a record, such as the meaning of a name.
 */
const isEmpty = (value: unknown, lists: readonly string[]): boolean => {
  if (!holds(value)) return true;
  return lists.length > 0 && !Object.values(value as object).some(holds);
};

/** Returns why a response is unsuitable for measurement, or "" for a 200 with content. */
export const wrongWith = ({ name, call, lists }: Example, { status, text, error }: Answered): string => {
  const { body = '' } = call;
  const said = `${name} has no usable request: ${call.path}${body && ` ${body}`}`;
  if (status !== 200) return `${said} is answered ${error || status} ${text.slice(0, 300)}`;
  // An MCP response may be sent as a single event.
  const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  return isEmpty(JSON.parse(json), lists) ? `${said} finds nothing` : '';
};

/**
 * Returns an example for each counted route that returns JSON.
 * @param key an admin key
 * @throws Error with a sentence for a route without a usable request
 */
export const countedExamples = async (url: string, key: string): Promise<readonly Example[]> => {
  const document = await ask<OpenAPIV3_1.Document>(url, get('/openapi.json'));
  const operations = operationsOf(document);
  const pathOf = (id: string): string => operations.find((operation) => operation.id === id)?.path ?? '';
  const listed = await readSamples((id, query) => ask(url, get(`${pathOf(id)}?${queryOf(query)}`)));
  const samples = { ...listed, ...(await madeSamples(url, key)) };
  return operations
    .filter((operation) => isCounted(operation) && isJson(operation))
    .map((operation) => exampleOf(operation, samples, key));
};
