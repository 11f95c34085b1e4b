import { boot } from './core/boot.ts';
import { createLog } from './core/log.ts';
import { systemContext } from './core/system-context.ts';
import { keysPlugin } from './plugins/keys/index.ts';
import { evidencePlugin } from './plugins/evidence/index.ts';
import { vocabularyPlugin } from './plugins/vocabulary/index.ts';
import { interactionsPlugin } from './plugins/interactions/index.ts';
const runtime = await boot({ plugins: [keysPlugin, vocabularyPlugin, evidencePlugin, interactionsPlugin], role: 'command', dotEnvPath: null,
  environment: { DATA_DIR: '/tmp/ibench/render', LOG_LEVEL: 'silent', BASE_URL: 'http://evidence.test' }, log: createLog('warn') });
const ctx: any = systemContext(runtime, interactionsPlugin, new AbortController().signal);
const page: any = interactionsPlugin.pages![1];
let t = performance.now();
const all: any[] = []; for await (const i of page.list(ctx)) all.push(i);
console.log('list', all.length, (performance.now() - t).toFixed(0), 'ms');
t = performance.now(); let bytes = 0; let max = 0; let maxSlug = '';
const descs = new Map();
for (const i of all) { const a = await page.load(ctx, { params: i.params, query: {} }); if (!('view' in a)) throw new Error(JSON.stringify(a)); const html = runtime.pages.render(page, `/interactions/${i.params.interaction_slug}`, a.head, a.view); bytes += html.length; if (html.length > max) { max = html.length; maxSlug = i.params.interaction_slug; } descs.set(a.head.title, (descs.get(a.head.title) ?? 0) + 1); if (a.head.noindex) console.log('noindex listed', i.params.interaction_slug); if (a.head.description.length < 40) console.log('short', i.params.interaction_slug, a.head.description) }
const s = (performance.now() - t) / 1000;
console.log('pages/s', (all.length / s).toFixed(0), 'MB', (bytes / 1e6).toFixed(0), 'max', max, maxSlug, 'dup titles', [...descs].filter(([, n]) => n > 1).slice(0, 5));
await runtime.stop(); process.exit(0);
