import { Session } from 'node:inspector/promises';
import { openInProcessIndex } from '#core/search/in-process.ts';
import { readBeir, readJats, readPubMedQa } from './datasets.ts';

const data = '/work/shared/data';
const ds = [
  readBeir(data + '/nfcorpus', 'dev')!,
  readPubMedQa(data + '/pubmedqa/pqal-dev.json')!,
  (await readJats(data + '/jats'))!,
];
const queries = ds.flatMap((d) => d.queries.slice(0, 150).map((q) => q.text));
const docs = [];
let n = 0;
for (let r = 0; r < 3 && docs.length < 14000; r++)
  for (const d of ds)
    for (const x of d.documents) {
      docs.push({
        id: `d${n++}`,
        text: { title: (x.text.abstract ?? '').slice(0, 80), abstract: x.text.abstract ?? '' },
        filters: { type: ['a', 'b'][n % 2]!, year: 1980 + (n % 40) },
      });
    }
const i = await openInProcessIndex({ folder: null, fields: { title: 3, terms: 2, abstract: 1 } });
for (let a = 0; a < docs.length; a += 1000) await i.apply({ upsert: docs.slice(a, a + 1000), revision: a + 1 });
await i.settled();
for (const q of queries.slice(0, 100)) await i.search({ text: q, limit: 20, facets: ['type', 'year'] });
const s = new Session();
s.connect();
await s.post('Profiler.enable');
await s.post('Profiler.start');
const t: number[] = [];
const by: Record<string, number[]> = {};
for (const [k, q] of queries.entries()) {
  const a = process.cpuUsage();
  const b = performance.now();
  await i.search({ text: q, limit: 20, facets: ['type', 'year'] });
  const c = process.cpuUsage(a);
  t.push(performance.now() - b);
  (by[Math.floor(k / 150)] ??= []).push(c.user / 1000);
}
const { profile } = (await s.post('Profiler.stop')) as any;
const self = new Map<string, number>();
const dt = profile.timeDeltas;
const idx = new Map(profile.nodes.map((x: any) => [x.id, x]));
profile.samples.forEach((id: number, k: number) => {
  const x: any = idx.get(id);
  const key = x.callFrame.functionName + ' ' + x.callFrame.url.split('/').pop() + ':' + x.callFrame.lineNumber;
  self.set(key, (self.get(key) ?? 0) + dt[k]);
});
console.log(
  docs.length,
  [...self]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 16)
    .map(([k, v]) => k + ' ' + (v / 1000 / queries.length).toFixed(2) + 'ms')
    .join('\n'),
);
t.sort((a, b) => a - b);
console.log('p50', t[t.length >> 1], 'p99', t[Math.floor(t.length * 0.99)]);
for (const k in by) {
  by[k]!.sort((a, b) => a - b);
  console.log(k, 'cpu p50', by[k]![75], 'p99', by[k]![148]);
}
process.exit(0);
