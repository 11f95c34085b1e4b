/**
 * Checks every link and fragment of every generated page, using the sitemaps of a real server with the starter content; one in
 * ten product pages is read.
 * Usage: node bench/audit/all-links.ts [--url=http://127.0.0.1:3000] [--products=1]
 */
import { parseArgs } from 'node:util';
import { checkLinks } from './links.ts';
import { freePort, startPublishedServer } from './published-server.ts';

const { values: options } = parseArgs({
  options: { url: { type: 'string' }, products: { type: 'string', default: '10' } },
});
const every = Number(options.products);
const server = options.url ? null : await startPublishedServer(await freePort());
const url = options.url ?? server!.url;

const addressesIn = async (path: string): Promise<string[]> => {
  const reply = await fetch(`${url}${path}`);
  if (!reply.ok) throw new Error(`${path} answers ${reply.status}`);
  return [...(await reply.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);
};

const parts = await addressesIn('/sitemap.xml');
const addresses = (await Promise.all(parts.map((part) => addressesIn(new URL(part).pathname)))).flat();
const baseUrl = new URL(addresses[0] ?? url).origin;
const all = addresses.map((address) => address.slice(baseUrl.length) || '/');
const paths = all.filter((path, at) => !path.startsWith('/product/') || at % every === 0);
const startedAt = performance.now();
const report = await checkLinks({ url, baseUrl, paths, known: new Set(all) });
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  `${report.pages} of ${all.length} pages read in ${seconds.toFixed(1)} s: ${report.links} links to ${report.targets} addresses here and ${report.outside} outside, ${report.broken.length} broken`,
);
for (const line of report.broken) console.log(line);
await server?.stop();
process.exitCode = report.broken.length ? 1 : 0;
