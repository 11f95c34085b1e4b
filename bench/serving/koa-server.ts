/**
 * Serves a folder with koa-static or, with `bare`, one file from memory with a minimal Koa application. Run by serving.ts.
 * Usage: node koa-server.ts static|bare <folder> <file>
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Koa from 'koa';

const [, , kind, folder = '', file = ''] = process.argv;
const app = new Koa();
if (kind === 'static') {
  // Only benchmarks need koa-static, so it is installed in bench/sites.
  const peers = createRequire(join(import.meta.dirname, '../sites/package.json'));
  app.use(peers('koa-static')(folder, { maxage: 60_000 }));
} else {
  const body = readFileSync(join(folder, file));
  app.use((ctx) => {
    ctx.type = 'text/html';
    ctx.body = body;
  });
}
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
