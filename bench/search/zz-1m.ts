import { openInProcessIndex } from '#core/search/in-process.ts';
import { readBeir, readJats, readPubMedQa } from './datasets.ts';
const size=Number(process.argv[2]);const data='/work/shared/data';
const ds=[readBeir(data+'/nfcorpus','dev')!,readPubMedQa(data+'/pubmedqa/pqal-dev.json')!,(await readJats(data+'/jats'))!];
const queries=ds.map(d=>d.queries.slice(0,150).map(q=>q.text));
const originals=ds.flatMap(d=>d.documents.map(x=>(x.text.abstract??'').split(/\s+/)));
let state=11;const below=(n:number)=>{state=(Math.imul(state,1664525)+1013904223)>>>0;return Math.floor(state/2**32*n)};
const madeUp=(i:number)=>{const own=originals[i%originals.length]!;const w:string[]=[];const o=originals[below(originals.length)]!;for(let k=0;k<220;k++)w.push(below(3)>0?own[k%own.length]!:o[below(o.length)]!);return{id:`doc-${i}`,text:{title:w.slice(0,12).join(' '),abstract:w.join(' ')},filters:{year:1980+below(45),type:['trial','review','cohort'][below(3)]!,supplements:[`s${below(400)}`]}}};
const i=await openInProcessIndex({folder:null,fields:{title:3,terms:2,abstract:1}});
const t0=performance.now(),c0=process.cpuUsage();
for(let at=0;at<size;at+=5000){await i.apply({upsert:Array.from({length:Math.min(5000,size-at)},(_,k)=>madeUp(at+k)),revision:at+1});if(at%50000===0)console.log(at,((performance.now()-t0)/1000).toFixed(0)+'s',Math.round(process.memoryUsage().rss/1e6)+'MB');}
await i.settled();console.log('built',(performance.now()-t0)/1000,'cpu',process.cpuUsage(c0).user/1e6);
(globalThis as any).gc?.();const m=process.memoryUsage();console.log('rss',m.rss/1e6,'heap',m.heapUsed/1e6,'arrays',m.arrayBuffers/1e6,'external',m.external/1e6);
for(const facets of [[],['type','year']])for(const [k,qs] of queries.entries()){for(const q of qs.slice(0,20))await i.search({text:q,limit:20,facets});const t:number[]=[],c:number[]=[];for(const q of qs){const a=process.cpuUsage();const b=performance.now();await i.search({text:q,limit:20,facets});t.push(performance.now()-b);const u=process.cpuUsage(a);c.push((u.user+u.system)/1000);}t.sort((x,y)=>x-y);c.sort((x,y)=>x-y);console.log(['keywords','questions','titles'][k],facets.join('+')||'no facets','wall p50/p99',t[75]!.toFixed(1),t[148]!.toFixed(1),'cpu',c[75]!.toFixed(1),c[148]!.toFixed(1));}
process.exit(0);
