/**
 * How the in-process index does at size: build rate, search times, memory, persist and open.
 * Usage: node --expose-gc bench/search/index-scale.ts [documents, default 14000] [data folder]
 * The corpus is made up: real abstracts (NFCorpus, PubMedQA, JATS) repeated, each copy with a third of its words
 * exchanged for words of other abstracts, at about 220 words each.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInProcessIndex } from '#core/search/in-process.ts';
import type { SearchDocument } from '#core/search/port.ts';
import { readBeir, readJats, readPubMedQa } from './datasets.ts';

const size = Number(process.argv[2] ?? 14_000);
const data = process.argv[3] ?? join(import.meta.dirname, 'XX');
const WORDS = 220;
const BATCH = 5000;
const fields = { title: 3, terms: 2, abstract: 1 };

const datasets = [
  readBeir(join(data, 'nfcorpus'), 'dev'),
  readPubMedQa(join(data, 'pubmedqa/pqal-dev.json')),
  await readJats(join(data, 'jats')),
].filter((dataset) => dataset !== null);
const queries = datasets.flatMap((dataset) => dataset.queries.slice(0, 150).map((query) => query.text));
const originals = datasets.flatMap((dataset) =>
  dataset.documents.map((document) => (document.text.abstract ?? '').split(/\s+/)),
);

let state = 11;
function below(limit: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

function madeUp(i: number): SearchDocument {
  const own = originals[i % originals.length]!;
  const words = Array.from({ length: WORDS }, (_, w) => {
    if (below(3) > 0) return own[w % own.length]!;
    const other = originals[below(originals.length)]!;
    return other[below(other.length)]!;
  });
  return {
    id: `doc-${i}`,
    text: { title: words.slice(0, 12).join(' '), abstract: words.join(' ') },
    filters: {
      year: 1980 + below(45),
      type: ['trial', 'review', 'cohort'][below(3)]!,
      supplements: [`s${below(400)}`],
    },
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

function megabytes(): string {
  (globalThis as { gc?: () => void }).gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return [rss, heapUsed, arrayBuffers].map((bytes) => Math.round(bytes / 2 ** 20)).join(' / ');
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'index-scale-'));
  const index = await openInProcessIndex({ folder, fields });
  let making = 0;
  let longestPause = 0;
  let tickedAt = performance.now();
  const ticker = setInterval(() => {
    longestPause = Math.max(longestPause, performance.now() - tickedAt);
    tickedAt = performance.now();
  }, 5);
  const building = await seconds(async () => {
    for (let at = 0; at < size; at += BATCH) {
      const madeAt = performance.now();
      const upsert = Array.from({ length: Math.min(BATCH, size - at) }, (_, i) => madeUp(at + i));
      making += (performance.now() - madeAt) / 1000;
      // Making a batch is not the index's pause.
      tickedAt = performance.now();
      await index.apply({ upsert, revision: at + 1 });
    }
  });
  const training = await seconds(() => index.settled());
  const persisting = await seconds(() => index.persist());
  clearInterval(ticker);
  const times: number[] = [];const {Session}=await import('node:inspector/promises');const se=new Session();se.connect();await se.post('Profiler.enable');await se.post('Profiler.start');
  for (const text of queries) {
    times.push(1000 * (await seconds(() => index.search({ text, limit: 20, facets: ['type', 'year'] }))));
  }
  const pr=(await se.post('Profiler.stop')).profile as any;{const m:any={};const id:any={};pr.nodes.forEach((n:any)=>id[n.id]=n.callFrame.functionName+':'+n.callFrame.lineNumber);pr.samples.forEach((s:any,i:number)=>{m[id[s]]=(m[id[s]]||0)+pr.timeDeltas[i]});console.log(Object.entries(m).sort((a:any,b:any)=>b[1]-a[1]).slice(0,14).map((x:any)=>x[0]+' '+(x[1]/1000/times.length).toFixed(2)));}
  times.sort((a, b) => a - b);
  const memory = megabytes();
  const one = await seconds(() => index.apply({ upsert: [madeUp(0)], revision: size + 1 }));
  const again = await seconds(() => index.persist());
  await index.close();
  const opening = await seconds(async () => (await openInProcessIndex({ folder, fields })).close());
  await rm(folder, { recursive: true });
  console.log(`${size} made-up documents of about ${WORDS} words, from ${originals.length} real abstracts`);
  console.table({
    'build, s (in batches of 500)': (building - making).toFixed(1),
    'documents per second': Math.round(size / (building - making)),
    'training still to do after it, s': training.toFixed(1),
    'persist with the last training, s': persisting.toFixed(1),
    'longest pause of the event loop, ms': Math.round(longestPause),
    'search p50 / p99, ms': `${times[times.length >> 1]!.toFixed(1)} / ${times[Math.floor(times.length * 0.99)]!.toFixed(1)}`,
    'memory: resident / heap / arrays, MB': memory,
    'change of one document, ms': Math.round(one * 1000),
    'persist after it, s': again.toFixed(2),
    'open, s': opening.toFixed(2),
  });
}

if (originals.length === 0) console.log(`No abstracts in ${data}; give its folder as the second argument.`);
else await run();
