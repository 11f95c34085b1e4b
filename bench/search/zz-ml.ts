import { readFileSync } from 'node:fs';
import { openInProcessIndex } from '#core/search/in-process.ts';
import { SETTINGS } from '#core/search/settings.ts';
import { readBeir } from './datasets.ts';
import { mean, measure } from './measures.ts';

const f = (n: string) => {
  const b = readFileSync('/tmp/r/' + n + '.f32');
  return new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.length));
};
const map = new Map<string, Float32Array>();
const dev = readBeir('/work/shared/data/nfcorpus', 'dev')!,
  train = readBeir('/work/shared/data/nfcorpus', 'train')!;
const D = f('mlD');
dev.documents.forEach((d, i) => map.set((d.text.abstract ?? '').trim(), D.slice(i * 384, i * 384 + 384)));
for (const [d, n] of [
  [dev, 'mlq_nfdev'],
  [train, 'mlq_nftrain'],
] as const) {
  const q = f(n);
  d.queries.forEach((x, i) => map.set(x.text.trim(), q.slice(i * 384, i * 384 + 384)));
}
let miss = 0;
const embedder = {
  name: 'minilm',
  dimensions: 384,
  embed: async (t: readonly string[]) => t.map((x) => map.get(x.trim()) ?? (miss++, new Float32Array(384))),
};
const i = await openInProcessIndex({ folder: null, fields: { title: 3, terms: 2, abstract: 1 }, embedder });
await i.apply({ upsert: dev.documents, revision: 1 });
await i.settled();
const S = SETTINGS as any;
for (const w of [0.12, 0.2, 0.28]) {
  S.second.embedded = w;
  for (const d of [dev, train]) {
    const m = [];
    for (const { id, text } of d.queries) {
      const { hits } = await i.search({ text, limit: 100 });
      m.push(
        measure(
          hits.map((h) => h.id),
          d.judgements.get(id)!,
        ),
      );
    }
    const r = mean(m);
    console.log(w, d.name, r.ndcg10.toFixed(4), r.recall100.toFixed(4), r.map.toFixed(4), 'miss', miss);
  }
}
process.exit(0);
