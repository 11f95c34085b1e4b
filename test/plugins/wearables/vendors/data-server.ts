/**
 * A local server in place of a vendor's data API: returns the responses that a test sets, and records the
 * requests.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vendorFetch } from '#plugins/wearables/oauth/fetching.ts';
import { vendorApi } from '#plugins/wearables/oauth/vendor-api.ts';
import type { Vendor, VendorApi, VendorEndpoints } from '#plugins/wearables/vendors/vendor.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string;
  /** The fields of a form or the members of a JSON body. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged. */
  readonly body?: unknown;
  readonly afterMs?: number;
}

export type Answering = (asked: Asked) => Answer | Promise<Answer>;

export interface DataServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /**
   * Sets the response for a request such as `GET /v2/recovery`; a later rule replaces an earlier one, and paths
   * without a rule return 404.
   */
  on(what: string, answering: Answering | Answer): void;
  /** Deletes all rules and all recorded requests. */
  forget(): void;
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  if (request.headers['content-type']?.startsWith('application/json'))
    return JSON.parse(text) as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(text));
};

export const startDataServer = async (): Promise<DataServer> => {
  const rules = new Map<string, Answering>();
  const asked: Asked[] = [];
  const server = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://data.test');
    const one: Asked = {
      method: request.method ?? '',
      path: decodeURIComponent(pathname),
      query: Object.fromEntries(searchParams),
      authorization: request.headers.authorization ?? '',
      body: await bodyOf(request),
    };
    asked.push(one);
    const answering: Answering = rules.get(`${one.method} ${one.path}`) ?? (() => ({ status: 404, body: {} }));
    const { status = 200, headers = {}, body, afterMs = 0 } = await answering(one);
    setTimeout(() => {
      reply.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      reply.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
    }, afterMs);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    on: (what, answering) => rules.set(what, typeof answering === 'function' ? answering : () => answering),
    forget: () => {
      rules.clear();
      asked.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};

/** Returns all endpoints of a vendor on one server. */
export const endpointsAt = (url: string): VendorEndpoints => ({
  issuer: url,
  authorize: `${url}/auth`,
  token: `${url}/token`,
  revoke: `${url}/revoke`,
  data: url,
});

/** Returns a vendor's API as its adapter receives it, with every scope granted by default. */
export const apiAt = (url: string, vendor: Vendor, scopes = vendor.scopes.map(({ scope }) => scope)): VendorApi =>
  vendorApi(
    {
      vendor,
      client: { id: 'client', secret: 'secret' },
      endpoints: endpointsAt(url),
      redirectUri: 'http://evidence.test/callback',
    },
    vendorFetch({ fetch, limits: { timeoutMs: 2_000, maxBytes: 100_000 }, now: Date.now }),
    { tokens: { access: 'access-token', refresh: 'refresh-token', user: '10129' }, scopes },
  );
