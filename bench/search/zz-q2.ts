import { openInProcessIndex } from '#core/search/in-process.ts';
import { QdrantConnection } from '#core/search/qdrant/connection.ts';
import { openQdrantIndex } from '#core/search/qdrant/qdrant-index.ts';
import { readBeir } from './datasets.ts';
const dev=readBeir('/work/shared/data/nfcorpus','dev')!;
const fields={title:3,terms:2,abstract:1};
const here=await openInProcessIndex({folder:null,fields});
const connection=new QdrantConnection({url:process.env.QDRANT_URL!,apiKey:''},{searchMs:20000,writeMs:120000});
const there=await openQdrantIndex({connection,name:'nf-test',fields,embedder:null});
await here.apply({upsert:dev.documents,revision:1});await here.persist();
const t0=performance.now();
if(there.state().documents!==dev.documents.length){await there.clear();await there.apply({upsert:dev.documents,revision:1});}
console.log('written',performance.now()-t0);
await there.persist();
console.log('trained',performance.now()-t0,here.state(),there.state());
let n=0,same10=0,same100=0,tot=0,worst=0,ms=0;
for(const {text} of dev.queries){n++;
 const a=await here.search({text,limit:100});const t=performance.now();const b=await there.search({text,limit:100});ms+=performance.now()-t;
 const ia=a.hits.map(h=>h.id),ib=b.hits.map(h=>h.id);
 const s10=ia.slice(0,10).join()===ib.slice(0,10).join();if(s10)same10++;else console.log('10:',text.slice(0,60),ia.slice(0,10).join(' '),'|',ib.slice(0,10).join(' '));
 if(ia.join()===ib.join())same100++;
 if(a.total===b.total)tot++;else console.log('total',text.slice(0,50),a.total,b.total);
 a.hits.slice(0,10).forEach((h,i)=>{worst=Math.max(worst,Math.abs(h.score-(b.hits[i]?.score??0)));});
}
console.log({n,same10,same100,tot,worst,ms:ms/n});
process.exit(0);
