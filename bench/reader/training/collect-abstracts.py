"""Pairs labelled prompts with whole abstracts(evidence-inference with jats)."""
import os
import json,csv,re,hashlib,collections,random
random.seed(2)
rd=lambda p:list(csv.DictReader(open(p,encoding='utf8'),delimiter='\t',quoting=csv.QUOTE_NONE))
D=os.environ.get('READER_DATA', '../shared/data/')
jabs=json.load(open('jabs.json'))
for s in('train','dev'):
    with open(f'abs-{s}.jl','w') as f:
        for r in rd(D+f'evidence-inference/{s}.tsv'):
            a=jabs.get(r['pmcid'])
            if a and len(a['abstract'])>200:
                r=dict(r);r['gold']=r.pop('evidence');r['abstract']=a['abstract'];f.write(json.dumps(r)+'\n')
