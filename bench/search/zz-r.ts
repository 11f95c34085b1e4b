import { openInProcessIndex } from '#core/search/in-process.ts';
import { readBeir, readJats, readPubMedQa } from './datasets.ts';
import { mean, measure } from './measures.ts';
for(const d of [readBeir('/work/shared/data/nfcorpus','dev')!,readBeir('/work/shared/data/nfcorpus','train')!,readPubMedQa('/work/shared/data/pubmedqa/pqal-dev.json')!,(await readJats('/work/shared/data/jats'))!]){
const i=await openInProcessIndex({folder:null,fields:{title:3,terms:2,abstract:1}});await i.apply({upsert:d.documents,revision:1});await i.settled();
const m=[];for(const {id,text} of d.queries){const {hits}=await i.search({text,limit:1000});m.push(measure(hits.map(h=>h.id),d.judgements.get(id)!));}const r=mean(m);console.log(d.name,r.ndcg10.toFixed(4),r.recall100.toFixed(4),r.map.toFixed(4));}
process.exit(0);
