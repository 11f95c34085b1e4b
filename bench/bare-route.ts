/** A Koa application with one route and nothing else: what a JSON of a given size costs at the least. Run by load.ts. */
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';

/** Bytes of the JSON, which is serialised for each request as any route's is. */
const size = Number(process.argv[2]);
const record = { id: 'pmid-1', title: 'x'.repeat(80), summary: 'x'.repeat(400), tier: 'A', year: 2020 };
const body = {
  results: Array.from({ length: Math.max(1, Math.round(size / JSON.stringify(record).length)) }, () => record),
};

const router = new Router();
router.get('/search', (ctx) => {
  ctx.body = body;
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
