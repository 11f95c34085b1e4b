import assert from 'node:assert/strict';
import { analyse, analyseQuery, foldCharacters } from '#core/search/analyser.ts';
import { americanise } from '#core/search/spelling.ts';
import { stem } from '#core/search/stemmer.ts';

const same = (...texts: string[]) => {
  const [first, ...others] = texts.map((text) => analyse(text).join(' '));
  for (const other of others) assert.equal(other, first);
};

const share = (a: string, b: string) => {
  const terms = new Set(analyse(a));
  assert.ok(
    analyse(b).some((term) => terms.has(term)),
    `${a}: ${[...terms]}; ${b}: ${analyse(b)}`,
  );
};

describe('analyser', () => {
  it('folds case, width, accents, ligatures and typographic marks', () => {
    same('Magnesium', 'ＭＡＧＮＥＳＩＵＭ', 'mágnésium');
    same('Alzheimer’s disease', "Alzheimer's disease", 'ALZHEIMER disease');
    same('blood–brain', 'blood‐brain', 'blood-brain');
    assert.equal(foldCharacters('B₁₂ ﬁsh'), 'b12 fish');
  });

  it('converts Greek letters to names and µg to mcg', () => {
    same('β-carotene', 'beta-carotene', 'Β-Carotene');
    same('TNFα', 'TNFalpha');
    same('25 µg', '25 μg', '25 mcg');
  });

  it('indexes compounds by their parts and as one word', () => {
    assert.deepEqual(analyse('beta-alanine'), ['beta', 'alanin', 'betaalanin']);
    for (const text of ['omega 3', 'omega3', 'n-3', 'ω-3']) share('omega-3', text);
    share('CoQ10', 'CoQ 10');
    share('CoQ10', 'coq-10');
    share('meta-analysis', 'metaanalysis');
  });

  it('joins a vitamin with its letter', () => {
    assert.ok(analyse('vitamin D deficiency').includes('vitamind'));
    assert.ok(analyse('vitamin D3').includes('vitamind'));
    assert.ok(analyse('vitamin A').includes('vitamina'));
    assert.ok(analyse('vitamins C and E').includes('vitamine'));
    assert.ok(!analyse('vitamin C and a placebo').includes('vitamina'));
    same('25(OH)D', '25 (OH) vitamin D', '25-hydroxyvitamin D');
  });

  it('preserves numbers, including thousands and decimals', () => {
    assert.deepEqual(analyse('1,000 mg or 1.5 g, 12 weeks'), ['1000', 'mg', '1.5', 'g', '12', 'week']);
  });

  it('finds an amount with or without a space before its unit', () => {
    assert.deepEqual(analyse('500mg'), ['500mg', '500', 'mg']);
    assert.deepEqual(analyse('500 mg'), ['500', 'mg']);
    assert.deepEqual(analyse('2.5g'), ['2.5g', '2.5', 'g']);
  });

  it('removes stop words but not negations', () => {
    assert.deepEqual(analyse('the effect of this is not'), ['effect', 'not']);
  });

  it('normalizes British and American spelling', () => {
    const pairs = `anaemia anemia, oestrogen estrogen, haemoglobin hemoglobin, hyperlipidaemia hyperlipidemia, oedema edema,
      diarrhoea diarrhea, leukaemia leukemia, foetal fetal, paediatric pediatric, tumour tumor, fibre fiber, coeliac celiac,
      randomised randomized, supplementation supplementation, sulphate sulfate, behaviour behavior, aetiology etiology,
      anaesthesia anesthesia, oesophageal esophageal, analysed analyzed, labelled labeled, ischaemic ischemic`;
    for (const pair of pairs.split(',')) {
      const [british = '', american = ''] = pair.trim().split(' ');
      assert.equal(americanise(british), american);
      same(british, american);
    }
  });

  it('stems words like Porter2', () => {
    const pairs = `consistency consist, conspicuous conspicu, generously generous, kneeling kneel, knightly knight, rolling roll,
      hopping hop, hoping hope, relational relat, conditional condit, analogies analog, ties tie, gas gas, agreed agre,
      feed feed, skies sky, dying die, news news, supplementation supplement, deficiencies defici, cry cri, by by, says say`;
    for (const pair of pairs.split(',')) {
      const [word = '', expected = ''] = pair.trim().split(' ');
      assert.equal(stem(word), expected);
    }
  });

  it('does not stem words of other scripts', () => {
    assert.deepEqual(analyse('緑茶 зверобой'), ['緑茶', 'зверобои']);
  });

  it('returns no terms for empty text, punctuation or emoji, and truncates very long words', () => {
    for (const text of ['', ' ', '?!"-', '🧪🧪', '\ud800']) assert.deepEqual(analyse(text), []);
    assert.equal(analyse('a'.repeat(500))[0]?.length, 40);
  });

  it('returns the words of a query as written', () => {
    const { terms, words } = analyseQuery('Does "Omega-3" help the Heart?');
    assert.deepEqual(terms, ['omega', '3', 'omega3', 'help', 'heart']);
    assert.deepEqual(
      words.map((word) => word.written),
      ['Omega-3', 'help', 'Heart'],
    );
  });
});
