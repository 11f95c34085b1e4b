import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { buildDrugBook } from '#plugins/interactions/drugs/build-drug-book.ts';
import { substancesIn } from '#plugins/interactions/drugs/active-moiety.ts';
const classes = parse(readFileSync('content/drugs/classes.yaml','utf8')).map((c:any)=>({...c,synonyms:c.synonyms??[],dataIds:c.data_ids}));
const names:any[] = readFileSync('content/drugs/names.tsv','utf8').split('\n').slice(2).filter(Boolean).map(l=>{const [i,n,t]=l.split('\t');return {origin:'content:names',nameKey:i+'|'+n,name:n,kind:'brand',ingredients:substancesIn(i!),rxcui:'',onMarket:/RX|OTC/.test(t!)}});
for (const o of parse(readFileSync('content/drugs/other-names.yaml','utf8'))) { const r=(n:string,k:string)=>names.push({origin:'content:other-names',nameKey:o.name+n,name:n,kind:k,ingredients:[o.name],rxcui:k==='generic'?o.rxcui??'':'',onMarket:true}); r(o.name,'generic'); for(const a of o.also??[]) r(a,'also'); for (const a of o.brands??[]) r(a,'brand'); }
let t=performance.now(); const book=buildDrugBook({classes,names,version:'1'}); console.log('build',performance.now()-t);
const all=[...book.all()]; console.log(all.length, all.filter(d=>d.ingredients.length===1).length, all.filter(d=>d.brands.length).length);
for (const q of ['warfarin','Coumadin','WARFARIN SODIUM','blood thinners','statins','lipitor 20 mg tablets','Caduet','amlodipine/atorvastatin','atorvastatin and amlodipine','11289','valproic acid','depakote','hctz','zoloft','insulin','paracetamol','tylenol','prozak','warfrin','lithium','lithium carbonate','metformin hcl','glucophage xr','Ozempic','thyroid','armour thyroid','emend','levothyroxine sodium','oral contraceptives','sprintec','yaz','zzzz','calcium carbonate','dabigatran','pradaxa','ssri','nexium','adderall','vicodin','augmentin','bactrim','Celebrex','aspirin','SSRIs','diuretics','water pills','Coumdin','sinemet','premarin','conjugated estrogens','ortho-novum','tylenol w/ codeine','Adderall 20','norco','percocet','klor-con','yasmin','Humalog','lasix','ibuprofen 200mg','clonidin','xarelto','eliquis','warfarin and aspirin'])
 { const r=book.resolve(q); console.log(q,'→',r&&[r.drug?.slug??'class:'+r.class?.slug,r.name,r.match_type,r.confidence,r.drug?.rxcui,r.drug?.classes.join(' ')].join(' | ')); }
for (const q of ['war','li','a','amlo','metf']) { t=performance.now(); console.log(q, book.suggest(q,8).map(s=>s.name), performance.now()-t); }
if (process.argv[2]) console.log(all.filter(d=>d.ingredients.length===1).map(d=>d.name+(d.classes.length?'*':'')).join('; '));
if (process.argv[3]) { console.log(all.filter(d=>d.ingredients.length>1).map(d=>d.slug+' <'+d.brands.slice(0,3)+'>').join('\n')); }
console.log('--- vocab');
const vocab = JSON.parse(readFileSync('/work/shared/data/interactions/drug_class_vocab.json','utf8')).drug_classes;
for (const v of vocab) { const c=[...book.classes.values()].find(c=>c.dataIds.includes(v.id)); 
 for (const e of v.examples) { for (const n of e.replace(/[()]/g,',').split(',').map((s:string)=>s.trim()).filter(Boolean)) { const r=book.resolve(n); if (!r?.drug?.classes.includes(c!.slug)) console.log(v.id, '|', n, '→', r?.drug?.slug ?? r?.class?.slug, r?.match_type); } } }
const appr = JSON.parse(readFileSync('/work/shared/data/drugs/approved_drugs.json','utf8'));
let ok=0,no=0,wrong:string[]=[]; const miss:string[]=[];
for (const a of appr) { const own=book.resolve(a.name); if(!own||own.match_type==='typo') { no++; continue; } for (const al of a.aliases) { const r=book.resolve(al); if(!r||r.match_type==='typo') { miss.push(al); continue; } if (r.drug && own.drug && (r.drug.slug===own.drug.slug || r.drug.ingredients.includes(own.drug.slug))) ok++; else wrong.push(al+'→'+(r.drug?.slug??r.class?.slug)+' ≠ '+a.name); } }
console.log({ok,no,miss:miss.length,wrong:wrong.length}); console.log(wrong.slice(0,60).join('\n')); 
console.log('--- near');
const mem = all.filter(d=>d.ingredients.length===1&&d.classes.length); const rest=all.filter(d=>d.ingredients.length===1&&!d.classes.length);
for (const d of rest) { const m=mem.filter(x=>x.name.slice(0,6)===d.name.slice(0,6)); if(m.length) console.log(d.name,'~',m.map(x=>x.name).join(', '), d.brands.slice(0,3).join(',')); }
