"""Trains the two linear models of the reader and writes them: train.py <folder with *.f.jl> <reader.bin>. Deterministic."""
import hashlib
import json
import struct
import sys
from collections import Counter

import numpy as np
import scipy.sparse as sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score

WORK, OUT = sys.argv[1:3]
LABELS = {'increased': 0, 'decreased': 1, 'none': 2}
LEAST_SEEN = 3


def load(name):
    return [json.loads(line) for line in open(f'{WORK}/{name}.f.jl', encoding='utf8')]


def is_held(pmcid):
    return hashlib.sha256(pmcid.encode()).hexdigest()[-1] in '012'


class Model:
    """Multinomial logistic regression on sets of hashed features, normalised by the square root of their number."""

    def __init__(self, sets, labels, weights, strength):
        counts = Counter(feature for features in sets for feature in features)
        kept = sorted(feature for feature, count in counts.items() if count >= LEAST_SEEN)
        self.index = {feature: place for place, feature in enumerate(kept)}
        self.hashes = kept
        self.fit = LogisticRegression(C=strength, max_iter=300).fit(self.matrix(sets), labels, sample_weight=weights)

    def matrix(self, sets):
        rows, columns = [], []
        for row, features in enumerate(sets):
            known = [self.index[feature] for feature in features if feature in self.index]
            rows += [row] * len(known)
            columns += known
        plain = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(sets), len(self.index)))
        return sparse.diags(1 / np.sqrt(np.asarray(plain.sum(1)).ravel() + 1)) @ plain

    def bytes(self):
        weights = self.fit.coef_.T
        scales = np.abs(weights).max(0) / 32767
        numbers = np.rint(weights / scales).astype('<i2')
        body = numbers.tobytes()
        return (
            struct.pack('<II', *weights.shape)
            + scales.astype('<f4').tobytes()
            + self.fit.intercept_.astype('<f4').tobytes()
            + np.array(self.hashes, dtype='<u4').tobytes()
            + body
            + b'\0' * (-len(body) % 4)
        )


train, dev = load('train'), load('dev')
abstracts, dev_abstracts, verdicts = load('abs-train'), load('abs-dev'), load('verd')
held = {row['pmcid'] for row in abstracts if is_held(row['pmcid'])}
base = [(row, 1.0) for row in train if row['pmcid'] not in held]
base += [(row, 1.0) for row in abstracts if row['pmcid'] not in held and row['overlap'] >= 0.3]
SWAP = np.array([1, 0, 2])
labels = np.array([LABELS[row['label']] for row, _ in base])
weights = np.array([weight for _, weight in base])
effect = Model(
    [row['f'] for row, _ in base] + [row['s'] for row, _ in base],
    np.concatenate([labels, SWAP[labels]]),
    np.concatenate([weights, weights]),
    5,
)
for name, rows in (('dev', dev), ('abstracts', dev_abstracts + [row for row in abstracts if row['pmcid'] in held])):
    truth = [LABELS[row['label']] for row in rows]
    said = effect.fit.predict(effect.matrix([row['f'] for row in rows]))
    print(name, round(f1_score(truth, said, average='macro'), 4), confusion_matrix(truth, said).tolist())

rows = [row for row in verdicts if row['split'] == 'train' and row['kind'] != 'summary']
verdict = Model([row['f'] for row in rows], [row['y'] for row in rows], None, 3)
test = [row for row in verdicts if row['split'] == 'test' and row['kind'] == 'source' and row['y'] < 3]
chances = verdict.fit.predict_proba(verdict.matrix([row['f'] for row in test]))[:, :3]
right = chances.argmax(1) == np.array([row['y'] for row in test])
order = np.argsort(-chances.max(1))
print('verdict', {share: round(right[order[: round(share * len(test))]].mean(), 3) for share in (0.4, 0.6, 0.8, 1)}, len(test))
with open(OUT, 'wb') as file:
    file.write(b'READER02' + struct.pack('<II', 2, 0) + effect.bytes() + verdict.bytes())
print(len(effect.hashes), len(verdict.hashes))
