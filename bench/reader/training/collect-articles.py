"""
Collects the prompts on full-text articles: collect-articles.py <checkout of jayded/evidence-inference>.

The articles are those of the first release of Evidence Inference. No article of its second release is read here: two of its
splits are train.tsv and dev.tsv, and the third is kept back for measuring.
"""
import csv
import json
import os
import sys

DATA = os.environ.get('READER_DATA', '../shared/data/')
SOURCE = os.path.join(sys.argv[1], 'annotations')
LABELS = ('increased', 'decreased', 'none')
ARGUABLE_WEIGHT = 0.8


def table(path):
    return list(csv.DictReader(open(path, encoding='utf8'), delimiter='\t', quoting=csv.QUOTE_NONE))


def article_ids(name):
    return {f'PMC{line.strip()}' for line in open(f'{SOURCE}/splits/{name}_article_ids.txt')}


kept_back = article_ids('ev2_train') | article_ids('ev2_validation') | article_ids('ev2_test')
test_pmids = {source['pmid'] for source in json.load(open('sources.json')) if source['test']}
for name in ('labels-1', 'labels-2'):
    test_pmids |= {row['pmid'] for row in table(f'bench/extraction/{name}.tsv')}
kept_back |= {row['pmcid'] for row in table(f'{DATA}jats/articles.tsv') if row['pmid'] in test_pmids}
asked = {row['PromptID']: row for row in csv.DictReader(open(f'{SOURCE}/prompts_merged.csv', encoding='utf8'))}
texts = {}


def cut(pmcid, places):
    """Returns the passages of an article's text at places such as `120-260+400-512`."""
    if pmcid not in texts:
        texts[pmcid] = open(f'{SOURCE}/txt_files/{pmcid}.txt', encoding='utf8', errors='replace').read()
    ranges = [place.split('-') for place in places.split('+') if place]
    return ' '.join(texts[pmcid][int(start) : int(end)] for start, end in ranges)


def abstract_of(pmcid):
    """Returns the abstract in the file of an article, with the headings of its sections."""
    cut(pmcid, '')
    parts = []
    for block in texts[pmcid].split('\n\n'):
        head, _, body = block.strip().partition('\n')
        if head.startswith('ABSTRACT') and body:
            label = head.removeprefix('ABSTRACT').strip('.: ').capitalize()
            parts.append(f'{label}: {body.strip()}' if label else body.strip())
    return '\n'.join(parts)


rows, left_out = [], 0
for row in table('bench/reader/article-prompts.tsv'):
    if row['pmcid'] in kept_back:
        left_out += 1
        continue
    prompt = asked[row['prompt']] if row['prompt'] else None
    rows.append(
        {
            'pmcid': row['pmcid'],
            'intervention': prompt['Intervention'].strip() if prompt else row['intervention'],
            'comparator': prompt['Comparator'].strip() if prompt else row['comparator'],
            'outcome': prompt['Outcome'].strip() if prompt else row['outcome'],
            'label': row['label'] if row['passage'] else '',
            'evidence': cut(row['pmcid'], row['passage']),
            'abstract_label': row['abstract_label'],
            'gold': cut(row['pmcid'], row['abstract_passage']),
            'abstract': abstract_of(row['pmcid']),
            'weight': 1 if row['sure'] == '1' else ARGUABLE_WEIGHT,
        }
    )
with open('articles.jl', 'w') as file:
    file.writelines(json.dumps(row) + '\n' for row in rows)
print('article prompts', len(rows), 'left out', left_out)
