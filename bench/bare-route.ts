/**
 * Runs a Koa application with a single route, which gives the minimum cost of a JSON response of a given size. Started by
 * load.ts, which passes the size as an argument, and by scale/routes.ts, which requests `/search/<bytes>`.
 */
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';

const record = { id: 'pmid-1', title: 'x'.repeat(80), summary: 'x'.repeat(400), tier: 'A', year: 2020 };
const bodies = new Map<number, object>();

/** Builds a body of about `bytes` bytes as JSON; it is serialized for each request, like the responses of every route. */
const bodyOf = (bytes: number): object => {
  const length = Math.round(bytes / JSON.stringify(record).length);
  const make = (): object =>
    length ? { results: Array.from({ length }, () => record) } : { title: 'x'.repeat(Math.max(0, bytes - 12)) };
  const body = bodies.get(bytes) ?? make();
  bodies.set(bytes, body);
  return body;
};

const usual = process.argv[2] ?? '0';
const router = new Router();
router.get('/search{/:bytes}', (ctx) => {
  ctx.body = bodyOf(Number(ctx.params.bytes ?? usual));
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
