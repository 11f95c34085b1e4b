"""Collects what editors and the landmark table judge of a source, with the split by the hash of its PMID."""
import os
import json,csv,hashlib,re,yaml,collections,glob
src=json.load(open('sources.json'));byp=json.load(open('byp.json'))
topics={t['slug']:t for t in yaml.safe_load(open('content/topics.yaml'))}
supp={}
for f in glob.glob('content/supplements/*.md'):
    y=open(f).read().split('---')[1]
    try: y=yaml.safe_load(y)
    except Exception: continue
    supp[f.split('/')[-1][:-3]]=[y['name']]+[str(x) for x in (y.get('synonyms') or [])][:3]
ban=set()
for f in ('labels-1','labels-2'):
    for r in csv.DictReader(open(f'bench/extraction/{f}.tsv'),delimiter='\t'): ban.add(r['pmid'])
test=lambda p:hashlib.sha256(p.encode()).hexdigest()[-1] in '01234'
Y={'positive':0,'negative':1,'null':2,'mixed':3,'unclear':3,'benefit':0,'harm':1,'no_effect':2}
sm={}
for f in sorted(glob.glob('content/sources/*.yaml')):
    for s in yaml.safe_load(open(f)) or []: sm[(str(s.get('pmid') or ''),(s.get('doi') or '').lower())]=s
out=[]
def iv(slugs): return ', '.join(', '.join(supp.get(s,[s.replace('-',' ')])[:2]) for s in (slugs or [])[:2])
def oc(ts): return ', '.join(', '.join([topics[t]['name'].lower()]+topics[t]['terms'][:2]) if t in topics else t for t in [t for t in ts if t!='safety'][:2]) or 'effect'
seen=set()
for s in src:
    if not s['direction']: continue
    p=s['pmid'] or s['doi'];sp='ban' if s['pmid'] in ban else 'test' if test(p) else 'train'
    base={'pmid':p,'split':sp,'intervention':iv(s['supplements']),'comparator':'placebo or control','outcome':oc(s['topics'] or []),'design':s['design'],'dir':s['direction'],'y':Y[s['direction']],'title':s['title'],'abstract':s['abstract'],'kind':'source'}
    out.append(base)
    if sp=='train':
        q=sm.get((s['pmid'],s['doi']))
        if q and q.get('summary'): out.append({**base,'abstract':q['summary'],'kind':'summary'})
        for e in s['effect_sizes'] or []:
            if e.get('direction') in Y and e.get('outcome'): out.append({**base,'outcome':e['outcome'],'y':Y[e['direction']],'kind':'effect'})
    elif sp=='test':
        for e in s['effect_sizes'] or []:
            if e.get('direction') in Y and e.get('outcome'): out.append({**base,'outcome':e['outcome'],'y':Y[e['direction']],'kind':'effect'})
srcp={s['pmid'] for s in src}
for r in csv.DictReader(open(os.environ.get('READER_DATA', '../shared/data/') + 'landmark/landmark.tsv',encoding='utf8'),delimiter='\t',quoting=csv.QUOTE_NONE):
    a=byp.get(r['pmid'])
    if not a or r['direction'] not in Y: continue
    sp='ban' if r['pmid'] in ban else 'test' if test(r['pmid']) else 'train'
    out.append({'pmid':r['pmid'],'split':sp,'intervention':r['supplement'],'comparator':'placebo or control','outcome':r['outcome'],'design':r['design'],'dir':r['direction'],'y':Y[r['direction']],'title':a['title'],'abstract':a['abstract'],'kind':'landmark'})
# An editor's correction of a direction is an example like an editor's own entry. It is never measured with: the reader was wrong there.
for f in sorted(glob.glob('content/corrections/*.yaml')):
    for c in yaml.safe_load(open(f)) or []:
        a=byp.get(str(c.get('pmid') or ''))
        if not a or c.get('direction') not in Y or not c.get('supplements') or not c.get('topics'): continue
        sp='ban' if c['pmid'] in ban or test(str(c['pmid'])) else 'train'
        out.append({'pmid':str(c['pmid']),'split':sp,'intervention':iv(c['supplements']),'comparator':'placebo or control','outcome':oc(c['topics']),'design':c.get('design'),'dir':c['direction'],'y':Y[c['direction']],'title':a['title'],'abstract':a['abstract'],'kind':'correction'})
print(collections.Counter((o['split'],o['kind'],o['y']) for o in out))
open('verd.jl','w').write('\n'.join(json.dumps(o) for o in out))
