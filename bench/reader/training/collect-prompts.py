"""Collects the prompts and verdicts that a language model read in abstracts, without any PMID of a measured split."""
import csv
import hashlib
import json
import os

import yaml

DATA = os.environ.get('READER_DATA', '../shared/data/')
VERDICTS = {'better': 0, 'worse': 1, 'none': 2, 'mixed': 3, 'unclear': 3}
LABELS = {'up': 'increased', 'down': 'decreased', 'same': 'none'}


def table(path):
    return list(csv.DictReader(open(path, encoding='utf8'), delimiter='\t', quoting=csv.QUOTE_NONE))


def last_digit(name):
    return hashlib.sha256(name.encode()).hexdigest()[-1]


abstracts = json.load(open('byp.json'))
excluded = {source['pmid'] for source in json.load(open('sources.json')) if source['test']}
for name in ('labels-1', 'labels-2'):
    excluded |= {row['pmid'] for row in table(f'bench/extraction/{name}.tsv')}
prompted = {row['pmcid']: last_digit(row['pmcid']) in '012' for row in table(f'{DATA}evidence-inference/train.tsv')}
prompted |= {row['pmcid']: True for row in table(f'{DATA}evidence-inference/dev.tsv')}
excluded |= {row['pmid'] for row in table(f'{DATA}jats/articles.tsv') if prompted.get(row['pmcid'])}


def split(pmid):
    """A tenth of the articles is held out; articles that another split measures are left out of both."""
    if pmid in excluded:
        return 'excluded'
    return 'held' if int(hashlib.sha256(pmid.encode()).hexdigest()[:8], 16) % 10 == 0 else 'train'


topics = {topic['slug']: topic for topic in yaml.safe_load(open('content/topics.yaml'))}


def supplement_names(slug):
    try:
        head = yaml.safe_load(open(f'content/supplements/{slug}.md').read().split('---')[1])
        return [head['name']] + [str(name) for name in (head.get('synonyms') or [])][:1]
    except (OSError, yaml.YAMLError):
        return [slug.replace('-', ' ')]


names = {}
prompts, verdicts = [], []
for row in table('content/evidence/readings.tsv'):
    article = abstracts.get(row['pmid'])
    if not article:
        continue
    slug = row['supplement']
    names.setdefault(slug, ', '.join(supplement_names(slug)))
    topic = topics.get(row['topic'])
    base = {
        'pmid': row['pmid'],
        'split': split(row['pmid']),
        'intervention': names[slug],
        'comparator': 'placebo or control',
        'title': article['title'],
        'abstract': article['abstract'],
        'kind': 'reading',
    }
    outcome = ', '.join([topic['name'].lower(), *topic['terms'][:2]]) if topic else row['topic'].replace('-', ' ')
    verdicts.append({**base, 'outcome': outcome, 'dir': row['verdict'], 'y': VERDICTS[row['verdict']]})
    if row['quantity'] in LABELS and row['sentence'].isdigit():
        label = LABELS[row['quantity']]
        prompts.append({**base, 'outcome': row['outcome'], 'label': label, 'sentence': int(row['sentence'])})
for row in table('bench/reader/trial-prompts.tsv'):
    article = abstracts.get(row['pmid'])
    if article and row['sentence'].isdigit() and row['label'] in ('increased', 'decreased', 'none'):
        prompts.append({**row, **article, 'sentence': int(row['sentence']), 'split': split(row['pmid']), 'kind': 'trial'})
for path, rows in (('prompts.jl', prompts), ('reading-verdicts.jl', verdicts)):
    with open(path, 'w') as file:
        file.writelines(json.dumps(row) + '\n' for row in rows)
    print(path, len(rows), {name: sum(row['split'] == name for row in rows) for name in ('train', 'held', 'excluded')})
