import { analyseQuery } from '#core/search/analyser.ts';
import { openInProcessIndex } from '#core/search/in-process.ts';
import { scoreLegs } from '#core/search/legs.ts';
import { SETTINGS } from '#core/search/settings.ts';
import { readBeir } from './datasets.ts';
const S=SETTINGS as any;
const dev=readBeir('/work/shared/data/nfcorpus','dev')!,train=readBeir('/work/shared/data/nfcorpus','train')!;
const i:any=await openInProcessIndex({folder:null,fields:{title:3,terms:2,abstract:1}});await i.apply({upsert:dev.documents,revision:1});await i.settled();
const segments=i.segments,model=i.model;
let base=0;const ids:string[]=[];const views=segments.map((s:any)=>{const v={segment:s,base,allowed:new Uint8Array(s.ids.length).fill(1)};base+=s.ids.length;ids.push(...s.ids);return v;});
const L=['bm25','semantic','ngram','title','feedback','nearby'] as const;const N=base;
function dump(d:any,step:number){const out:any[]=[];d.queries.forEach(({id,text}:any,k:number)=>{if(k%step)return;const r=scoreLegs({segments,views,model,settings:S,comesFirst:(a:number,b:number)=>ids[a]!<ids[b]!,width:0,embedded:null},analyseQuery(text));
 const j=d.judgements.get(id);const g=new Float32Array(N);ids.forEach((x,n)=>{g[n]=j.get(x)??0});const ideal=[...j.values()].sort((a:number,b:number)=>b-a).slice(0,10).reduce((s:number,v:number,n:number)=>s+v/Math.log2(n+2),0);
 // keep only eligible docs
 const fl=r.gramWeight>0?S.ngramFloor*r.gramWeight:Infinity;const cf=r.best.bm25>0?S.semanticFloor:S.offTopicFloor;const keep:number[]=[];for(let n=0;n<N;n++)if(r.scores.bm25[n]!>0||r.scores.semantic[n]!>=cf||r.scores.ngram[n]!>=fl)keep.push(n);
 const m=L.map(l=>{const b=(r.best as any)[l]||1;return Float32Array.from(keep,n=>r.scores[l][n]!/b)});out.push({m,g:Float32Array.from(keep,n=>g[n]!),ideal});});return out;}
function ev(D:any[],w:number[]){let sum=0;for(const {m,g,ideal} of D){const n=g.length;const s=new Float32Array(n);for(let l=0;l<6;l++){const x=m[l],y=w[l]!;for(let k=0;k<n;k++)s[k]!+=y*x[k]!;}
 // top10
 const top:number[]=[];for(let k=0;k<n;k++){if(top.length<10||s[k]!>s[top[9]!]!){let p=top.length;while(p>0&&s[top[p-1]!]!<s[k]!)p--;top.splice(p,0,k);if(top.length>10)top.pop();}}
 sum+=top.reduce((a,k,r)=>a+g[k]!/Math.log2(r+2),0)/ideal;}return sum/D.length;}
let seed=7;const rnd=()=>{seed=(Math.imul(seed,1664525)+1013904223)>>>0;return seed/2**32};
const norm=()=>Math.sqrt(-2*Math.log(rnd()+1e-9))*Math.cos(6.283*rnd());
for(const c of [{t:40,s:.6,n:.35},{t:100,s:.5,n:.5},{t:40,s:.5,n:.5}]){S.feedback.terms=c.t;S.feedback.share=c.s;S.first.ngram=c.n;
 const A=dump(dev,1),B=dump(train,3);let w=[.1,.05,.24,.1,.27,.17];let best=0;
 for(let it=0;it<120;it++){const v=it?w.map(x=>Math.max(.005,x*Math.exp(.3*norm()))):w;const a=ev(A,v),b=ev(B,v);const sc=a+b;if(sc>best){best=sc;const t=v.reduce((p,q)=>p+q,0);w=v.map(x=>x/t);console.log(JSON.stringify(c),it,a.toFixed(4),b.toFixed(4),w.map(x=>x.toFixed(3)).join(' '));}}
}
process.exit(0);
