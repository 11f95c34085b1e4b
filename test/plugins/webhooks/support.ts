/** Provides a receiver that is a real server, and a worker whose clock tests control. */
import { strict as assert } from 'node:assert';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type Change, recordChanges } from '#core/db/change-log.ts';
import { webhooksPlugin } from '#plugins/webhooks/index.ts';
import { type SendRules, sendRules } from '#plugins/webhooks/sending/send.ts';
import type { WebhookServices } from '#plugins/webhooks/services.ts';
import { createWorker, type Worker } from '#plugins/webhooks/worker.ts';
import { api, bearer } from '../../support/client.ts';
import type { TestService } from '../../support/service.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end(body);
  };

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: Received[];
  /** Responses for the next requests; the last one repeats. */
  answers: Answer[];
  /** Waits for at least this many requests, for up to a minute. */
  waitFor(count: number): Promise<void>;
  stop(): Promise<void>;
}

export const startReceiver = async (host = '127.0.0.1'): Promise<Receiver> => {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    requests.push({ headers: request.headers, body: Buffer.concat(parts).toString(), path: request.url ?? '' });
    const answer = receiver.answers.length > 1 ? receiver.answers.shift() : receiver.answers[0];
    answer?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host}:${port}/hook`,
    port,
    requests,
    answers: [status(204)],
    waitFor: async (count) => {
      for (let tries = 0; requests.length < count && tries < 1_200; tries += 1) await sleep(50);
      assert.ok(requests.length >= count, `${requests.length} of ${count} requests came`);
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
};

export const header = ({ headers }: Received, name: string): string => String(headers[name] ?? '');

/** Verifies a request with the public library at its own timestamp, and returns the body. */
export const verified = (request: Received, secret: string): Record<string, unknown> => {
  const at = new Date(Number(header(request, 'webhook-timestamp')) * 1000);
  const signed = new Webhook(secret).sign(header(request, 'webhook-id'), at, request.body);
  assert.ok(header(request, 'webhook-signature').split(' ').includes(signed), 'signed with this secret');
  return JSON.parse(request.body);
};

export const servicesOf = ({ runtime }: TestService): WebhookServices =>
  runtime.servicesOf(webhooksPlugin) as WebhookServices;

export interface Clocked {
  readonly worker: Worker;
  /** Advances the clock by this many seconds, and processes what is due. */
  pass(seconds: number): Promise<void>;
  now(): Date;
}

/** Stops the service's own worker, and creates one with a controllable clock and without jitter. */
export const clockedWorker = async (service: TestService, rules: Partial<SendRules> = {}): Promise<Clocked> => {
  await servicesOf(service).worker.stop();
  let ahead = 0;
  const now = (): Date => new Date(Date.now() + ahead);
  const { db, log, secrets } = service.runtime;
  const worker = createWorker({
    db,
    log,
    secrets,
    rules: { ...sendRules(true), ...rules },
    baseUrl: 'http://evidence.test',
    indexVersion: () => 'index-1',
    now,
    random: () => 0,
  });
  const pass = async (seconds: number): Promise<void> => {
    ahead += seconds * 1000;
    await worker.settle();
  };
  return { worker, pass, now };
};

export interface Registered {
  readonly id: string;
  readonly secret: string;
}

/** Returns a client with an administrator key. */
export const adminOf = (service: TestService, key: string) => {
  const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string) =>
    api(service)
      [method](path)
      .set(...bearer(key));
  return {
    get: (path: string) => call('get', path),
    post: (path: string, body?: object) => (body ? call('post', path).send(body) : call('post', path)),
    patch: (path: string, body: object) => call('patch', path).send(body),
    delete: (path: string) => call('delete', path),
    register: async (url: string, more: object = {}): Promise<Registered> =>
      (
        await call('post', '/api/webhooks')
          .send({ url, ...more })
          .expect(200)
      ).body,
    show: async (id: string) => (await call('get', `/api/webhooks/${id}`).expect(200)).body,
    deliveries: async (id: string, query = '') =>
      (await call('get', `/api/webhooks/${id}/deliveries${query}`).expect(200)).body.deliveries,
  };
};

/** Records changes as the features do. */
export const change = ({ runtime }: TestService, ...changes: Change[]): Promise<void> =>
  runtime.db.write((em) => recordChanges(em, changes));

export const retraction = (sourceId: string): Change => ({
  kind: 'evidence.retracted',
  subjectType: 'source',
  subjectId: sourceId,
  data: {
    pmid: sourceId.replace('pmid-', ''),
    doi: '',
    old: { quality_tier: 'B', retraction_status: 'none' },
    new: { quality_tier: 'D', retraction_status: 'retracted' },
  },
});
