"""Collects abstracts by PMID, PMC number and DOI, the judged sources and the labelled prompts into the work folder."""
import os
import csv,json,gzip,glob,re,os,hashlib,collections
import xml.etree.ElementTree as ET
import yaml
D=os.environ.get('READER_DATA', '../shared/data/')
def tsv(p): return list(csv.DictReader(open(p,encoding='utf8'),delimiter='\t',quoting=csv.QUOTE_NONE))
def text(e): return re.sub(r'\s+',' ',''.join(e.itertext())).strip()
jabs={};jpm={}
for f in glob.glob('jats/**/*.nxml',recursive=True):
    try: root=ET.parse(f).getroot()
    except Exception as ex: print('bad',f,ex); continue
    pid=os.path.basename(f)[:-5]
    parts=[]
    for a in root.iter('abstract'):
        if a.get('abstract-type') in ('graphical','teaser','precis','toc','short','executive-summary','plain-language-summary','editor','synopsis','key-points','highlights'): continue
        secs=a.findall('.//sec')
        if secs:
            for s in secs:
                t=s.find('title'); body=' '.join(text(p) for p in s if p.tag!='title' and p.tag!='sec')
                parts.append(((text(t).rstrip(':.')+': ') if t is not None else '')+body)
        else: parts.append(' '.join(text(p) for p in a if p.tag!='title') or text(a))
        break
    tt=root.find('.//article-title')
    jabs[pid]={'title':text(tt) if tt is not None else '','abstract':'\n'.join(p for p in parts if p)}
json.dump(jabs,open('jabs.json','w'))
arts={r['pmcid']:r for r in tsv(D+'jats/articles.tsv')}
print('abstracts',sum(1 for v in jabs.values() if len(v['abstract'])>200))
for s in ('train','dev'):
    rows=tsv(D+f'evidence-inference/{s}.tsv')
    got=[r for r in rows if r['pmcid'] in jabs and len(jabs[r['pmcid']]['abstract'])>200]
    print(s,len(rows),len({r['pmcid'] for r in rows}),'with abstract',len(got),len({r['pmcid'] for r in got}),collections.Counter(r['label'] for r in got))
# abstracts by pmid
byp={}
for l in gzip.open(D+'pubmed-2025/abstracts.jsonl.gz','rt'):
    j=json.loads(l); byp[str(j['pmid'])]={'title':j['title'],'abstract':j['abstract']}
for l in open(D+'literature/supplement-papers.jsonl'):
    j=json.loads(l); 
    if j.get('abstract') and str(j['pmid']) not in byp: byp[str(j['pmid'])]={'title':j['title'],'abstract':j['abstract']}
for p in glob.glob(D+'pubmedqa/*.json'):
    try: q=json.load(open(p))
    except: continue
    for k,v in q.items():
        if k in byp: continue
        ab='\n'.join(f'{l}: {c}' for l,c in zip(v.get('LABELS',[]),v['CONTEXTS']))
        if v.get('LONG_ANSWER'): ab+='\nCONCLUSIONS: '+v['LONG_ANSWER']
        byp[k]={'title':v['QUESTION'],'abstract':ab}
for p in glob.glob(D+'pubmed/**/*.xml*',recursive=True):
    try:
        op=gzip.open if p.endswith('gz') else open
        root=ET.parse(op(p,'rb')).getroot()
    except Exception as ex: print(p,ex); continue
    for a in root.iter('PubmedArticle'):
        k=a.findtext('.//PMID'); ab='\n'.join(((x.get('Label')+': ') if x.get('Label') else '')+text(x) for x in a.findall('.//Abstract/AbstractText'))
        if ab and k not in byp: byp[k]={'title':text(a.find('.//ArticleTitle')),'abstract':ab}
for pmc,r in arts.items():
    if r['pmid'] and r['pmid'] not in byp and pmc in jabs and jabs[pmc]['abstract']: byp[r['pmid']]=jabs[pmc]
bydoi={}
for l in gzip.open(D+'cochrane/abstracts.jsonl.gz','rt'):
    j=json.loads(l); a=j['abstract']
    if isinstance(a,dict): a='\n'.join(f'{k}: {v}' for k,v in a.items())
    elif isinstance(a,list): a='\n'.join((f"{x.get('label') or x.get('section') or ''}: {x.get('text')}" if isinstance(x,dict) else str(x)) for x in a)
    bydoi[j['doi'].lower()]={'title':j['title'],'abstract':a}
src=[]
for f in sorted(glob.glob('content/sources/*.yaml')):
    for s in yaml.safe_load(open(f)) or []: src.append(s)
have=0;out=[]
for s in src:
    p=str(s.get('pmid') or ''); d=(s.get('doi') or '').lower()
    a=byp.get(p) or bydoi.get(d)
    if a and len(a['abstract'] or '')>150:
        out.append({'pmid':p,'doi':d,'title':a['title'],'abstract':a['abstract'],'direction':s.get('direction'),'topics':s.get('topics'),'supplements':s.get('supplements'),'effect_sizes':s.get('effect_sizes'),'design':s.get('design'),'test':hashlib.sha256(p.encode()).hexdigest()[-1] in '01234'})
print('sources',len(src),'with abstract',len(out)); print(collections.Counter(s['direction'] for s in out),collections.Counter(s['direction'] for s in src))
print(collections.Counter((s['test'],s['direction']) for s in out))
json.dump(out,open('sources.json','w')); json.dump(byp,open('byp.json','w')); json.dump(bydoi,open('bydoi.json','w'))

for split in ('train', 'dev'):
    with open(f'{split}.jl', 'w') as f:
        for r in tsv(D + f'evidence-inference/{split}.tsv'):
            f.write(json.dumps(r) + '\n')
