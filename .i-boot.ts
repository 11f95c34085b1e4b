import { mkdtemp } from 'node:fs/promises';
import { boot } from './core/boot.ts';
import { createLog } from './core/log.ts';
import { serve } from './core/serve.ts';
import { keysPlugin } from './plugins/keys/index.ts';
import { evidencePlugin } from './plugins/evidence/index.ts';
import { vocabularyPlugin } from './plugins/vocabulary/index.ts';
import { interactionsPlugin } from './plugins/interactions/index.ts';
const dir = process.argv[2] ?? await mkdtemp('/tmp/ibench/d-');
const t = Date.now();
const runtime = await boot({ plugins: [keysPlugin, vocabularyPlugin, evidencePlugin, interactionsPlugin], role: 'serve', dotEnvPath: null,
  contentDir: process.argv[4] || undefined,
  environment: { DATA_DIR: dir, HOST: '127.0.0.1', PORT: process.argv[3] ?? '0', LOG_LEVEL: 'silent', ANON_RPM: '1000000', ANON_DAILY: '10000000', BASE_URL: 'http://evidence.test' }, log: createLog('warn') });
console.log('boot ms', Date.now() - t);
const s: any = runtime.servicesOf(interactionsPlugin);
const t1 = performance.now();
const book = await s.book();
console.log('book ms', performance.now() - t1, 'rules', book.rules.length, 'pairs', book.pairs.length, 'cautions', [...book.subjects.keys()].reduce((n: number, k: string) => n + book.cautionsOf(k).length, 0), 'depl', book.depletions.length);
const serving = await serve(runtime);
console.log(serving.url, dir);
if (!process.argv[3]) { await serving.close(); await runtime.stop(); process.exit(0); }
