/**
 * A stand-in for a Qdrant server, written from its documentation: the part of the REST API that the search index uses,
 * computed by brute force. It validates each request against Qdrant's published schema (test/fixtures/qdrant) and refuses
 * invalid ones. It tests our requests and our reading of the documentation, not Qdrant itself.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  facet,
  type Json,
  matches,
  type Point,
  type QueryBody,
  query,
  type StandInCollection,
  storedPoint,
} from './qdrant-points.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** The query string. */
  readonly search: string;
  readonly body: Json | null;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** The definition of the body in the published schema; null for requests without a body. */
  readonly schema: string | null;
  readonly answer: (names: readonly string[], body: Json) => unknown;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const ajv = new Ajv2020({ strict: false, allErrors: false });
ajv.addSchema(
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/qdrant/requests-1.19.json'), 'utf8')) as object,
  'qdrant',
);

/** A stand-in server on its own port. */
export class QdrantStandIn {
  readonly requests: RecordedRequest[] = [];
  /** The total size of all response bodies. */
  bytesSent = 0;
  /** The version that the server reports. */
  version = '1.19.0';
  apiKey = '';
  /** Called before each request is handled: returns a status to respond with, or `hang` for no response. */
  fault: (request: { method: string; path: string }) => number | 'hang' | null = () => null;
  readonly collections = new Map<string, StandInCollection>();
  readonly aliases = new Map<string, string>();
  private server: Server | null = null;

  get url(): string {
    if (!this.server) throw new Error('the stand-in is not started');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(port = 0): Promise<void> {
    this.server = createServer((request, response) => {
      void this.handle(request).then(([status, body]) => {
        if (status === 0) return;
        const text = JSON.stringify(body);
        this.bytesSent += Buffer.byteLength(text);
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      });
    });
    await new Promise<void>((resolve) => this.server?.listen(port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async handle(request: IncomingMessage): Promise<[status: number, body: unknown]> {
    const method = request.method ?? 'GET';
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://stand-in');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const fault = this.fault({ method, path });
    if (fault === 'hang') return [0, null];
    if (fault !== null) return [fault, { status: { error: 'as the test asked' }, time: 0 }];
    if (this.apiKey && path !== '/' && request.headers['api-key'] !== this.apiKey)
      return [401, 'Must provide an API key'];
    try {
      const body = text === '' ? null : (JSON.parse(text) as Json);
      this.requests.push({ method, path, search, body });
      return [200, this.answer(method, path, body)];
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      return [status, { status: { error: (error as Error).message }, time: 0 }];
    }
  }

  private answer(method: string, path: string, body: Json | null): unknown {
    if (method === 'GET' && path === '/') return { title: 'a stand-in for Qdrant', version: this.version };
    for (const route of this.routes) {
      const match = route.method === method ? route.path.exec(path) : null;
      if (!match) continue;
      if (route.schema) this.validate(route.schema, body);
      const result = route.answer(match.slice(1).map(decodeURIComponent), body ?? {});
      return { result, status: 'ok', time: 0 };
    }
    throw new Refusal(404, `no route for ${method} ${path}`);
  }

  private validate(schema: string, body: Json | null): void {
    const check = ajv.getSchema(`qdrant#/$defs/${schema}`);
    if (!check) throw new Error(`the published schema has no ${schema}`);
    if (!check(body)) throw new Refusal(400, `Format error in JSON body: ${schema}: ${ajv.errorsText(check.errors)}`);
  }

  private of(name: string): StandInCollection {
    const collection = this.collections.get(this.aliases.get(name) ?? name);
    if (!collection) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
    return collection;
  }

  private readonly routes: readonly Route[] = [
    on('GET', '/collections', null, () => ({ collections: [...this.collections.keys()].map((name) => ({ name })) })),
    on('GET', '/collections/:c/exists', null, ([name = '']) => ({ exists: this.collections.has(name) })),
    on('GET', '/collections/:c', null, ([name = '']) => {
      const { indexes, points } = this.of(name);
      const payload_schema = Object.fromEntries(
        [...indexes].map(([key, type]) => [key, { data_type: type, points: 0 }]),
      );
      return { status: 'green', points_count: points.size, payload_schema };
    }),
    on('PUT', '/collections/:c', 'CreateCollection', ([name = ''], body) => this.create(name, body)),
    on('DELETE', '/collections/:c', null, ([name = '']) => this.collections.delete(name)),
    on('PUT', '/collections/:c/index', 'CreateFieldIndex', ([name = ''], body) => {
      const schema = body.field_schema as string | { type: string };
      this.of(name).indexes.set(String(body.field_name), typeof schema === 'string' ? schema : schema.type);
      return { operation_id: 0, status: 'completed' };
    }),
    on('GET', '/aliases', null, () => ({
      aliases: [...this.aliases].map(([alias_name, collection_name]) => ({ alias_name, collection_name })),
    })),
    on('POST', '/collections/aliases', 'ChangeAliasesOperation', (_, body) => this.changeAliases(body)),
    on('PUT', '/collections/:c/points', 'PointInsertOperations', ([name = ''], body) => this.upsert(name, body)),
    on('POST', '/collections/:c/points', 'PointRequest', ([name = ''], body) => {
      const { points } = this.of(name);
      const found = (body.ids as (string | number)[])
        .map((id) => points.get(id))
        .filter((point) => point !== undefined);
      return found.map((point) => shown(point, body));
    }),
    on('POST', '/collections/:c/points/delete', 'PointsSelector', ([name = ''], body) => {
      const { points } = this.of(name);
      for (const id of (body.points as (string | number)[] | undefined) ?? []) points.delete(id);
      if (body.filter)
        for (const point of [...points.values()]) if (matches(point, body.filter)) points.delete(point.id);
      return { operation_id: 0, status: 'completed' };
    }),
    on('POST', '/collections/:c/points/scroll', 'ScrollRequest', ([name = ''], body) => this.scroll(name, body)),
    on('POST', '/collections/:c/points/count', 'CountRequest', ([name = ''], body) => ({
      count: [...this.of(name).points.values()].filter((point) => matches(point, body.filter)).length,
    })),
    on('POST', '/collections/:c/facet', 'FacetRequest', ([name = ''], body) => {
      const collection = this.of(name);
      if (!collection.indexes.has(String(body.key)))
        throw new Refusal(400, `no appropriate index for faceting: ${body.key}`);
      return { hits: facet(collection, body) };
    }),
    on('POST', '/collections/:c/points/query', 'QueryRequest', ([name = ''], body) => this.query(name, body)),
    on('POST', '/collections/:c/points/query/batch', 'QueryRequestBatch', ([name = ''], body) =>
      (body.searches as Json[]).map((search) => this.query(name, search)),
    ),
  ];

  private create(name: string, body: Json): boolean {
    if (this.collections.has(name)) throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
    this.collections.set(name, { settings: body, points: new Map(), indexes: new Map() });
    return true;
  }

  /** Applies all alias actions or none. */
  private changeAliases(body: Json): boolean {
    const aliases = new Map(this.aliases);
    for (const action of body.actions as Record<string, { alias_name: string; collection_name: string }>[]) {
      if (action.delete_alias) aliases.delete(action.delete_alias.alias_name);
      if (!action.create_alias) continue;
      this.of(action.create_alias.collection_name);
      aliases.set(action.create_alias.alias_name, action.create_alias.collection_name);
    }
    this.aliases.clear();
    for (const [alias, collection] of aliases) this.aliases.set(alias, collection);
    return true;
  }

  private upsert(name: string, body: Json): unknown {
    const { points, settings } = this.of(name);
    for (const point of body.points as Json[]) {
      const known = points.get(point.id as string);
      if (known && body.update_filter && !matches(known, body.update_filter)) continue;
      const problem = storedPoint(point, settings);
      if (typeof problem === 'string') throw new Refusal(400, problem);
      points.set(problem.id, problem);
    }
    return { operation_id: 0, status: 'completed' };
  }

  private scroll(name: string, body: Json): unknown {
    const limit = Number(body.limit ?? 10);
    const all = [...this.of(name).points.values()]
      .filter((point) => matches(point, body.filter))
      .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
      .filter((point) => body.offset === undefined || body.offset === null || String(point.id) >= String(body.offset));
    return { points: all.slice(0, limit).map((point) => shown(point, body)), next_page_offset: all[limit]?.id ?? null };
  }

  private query(name: string, body: Json): unknown {
    const found = query(this.of(name), body as QueryBody);
    if (typeof found === 'string') throw new Refusal(404, found);
    return { points: found.map(({ point, score }) => ({ ...shown(point, body), version: 0, score })) };
  }
}

function on(method: string, path: string, schema: string | null, answer: Route['answer']): Route {
  return { method, path: new RegExp(`^${path.replace(':c', '([^/]+)')}$`), schema, answer };
}

/** Returns a point with the requested parts of its payload and vectors. */
function shown(point: Point, { with_payload, with_vector }: Json): Json {
  const keys = Array.isArray(with_payload) ? (with_payload as string[]) : null;
  const payload = keys ? Object.fromEntries(keys.map((key) => [key, point.payload[key]])) : point.payload;
  const names = Array.isArray(with_vector) ? (with_vector as string[]) : Object.keys(point.vector);
  const vector = Object.fromEntries(names.flatMap((name) => (point.vector[name] ? [[name, point.vector[name]]] : [])));
  return { id: point.id, ...(with_payload ? { payload } : {}), ...(with_vector ? { vector } : {}) };
}
