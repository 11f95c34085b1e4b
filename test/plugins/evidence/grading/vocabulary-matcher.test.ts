import assert from 'node:assert/strict';
import { compileVocabulary } from '../../../../plugins/evidence/matching/matcher.ts';
import type { SupplementTerms, TopicTerms, Vocabulary } from '../../../../plugins/evidence/matching/vocabulary.ts';
import type { SourceRecord } from '../../../../plugins/evidence/source-record.ts';
import { article, stated } from './records.ts';

const supplement = (slug: string, name: string, ...synonyms: string[]): SupplementTerms => ({
  slug,
  name,
  latinName: '',
  synonyms,
  forms: [],
});
const topic = (slug: string, ...terms: string[]): TopicTerms => ({ slug, name: slug, kind: 'outcome', terms });

const vocabulary: Vocabulary = {
  supplements: [
    supplement('zinc', 'Zinc'),
    supplement('iron', 'Iron', 'ferrous sulphate'),
    supplement('vitamin-d', 'Vitamin D', 'cholecalciferol'),
    supplement('calcium', 'Calcium'),
    supplement('caffeine', 'Caffeine'),
    supplement('folate', 'Folate', 'folic acid'),
    supplement('creatine', 'Creatine'),
    supplement('beta-alanine', 'Beta-alanine'),
    supplement('n-acetylcysteine', 'N-acetylcysteine', 'NAC'),
    supplement('probiotics', 'Probiotics', 'Lactobacillus'),
  ],
  topics: [
    topic('sleep', 'sleep', 'insomnia'),
    topic('stress', 'stress'),
    topic('oxidative-stress', 'oxidative stress'),
    topic('depression', 'depression'),
    topic('anaemia', 'anaemia', 'haemoglobin'),
    topic('blood-pressure', 'blood pressure', 'hypertension'),
    topic('cognition', 'cognition', 'memory', 'attention'),
    topic('body-weight', 'body weight', 'overweight'),
    topic('fractures', 'fracture', 'falls'),
    topic('nutrient-status', 'serum levels', 'deficiency'),
    topic('liver-health', 'liver'),
  ],
};
const matcher = compileVocabulary(vocabulary);
const supplements = (title: string, abstract = '', more: Partial<SourceRecord> = {}): string[] =>
  matcher.match(article(title, abstract, more)).supplements.map(({ slug }) => slug);
const topics = (title: string, abstract = ''): string[] =>
  matcher.match(article(title, abstract)).topics.map(({ slug }) => slug);

describe('supplement matching', () => {
  it('finds a supplement in the title in any spelling', () => {
    assert.deepEqual(supplements('β-Alanine and sprinting'), ['beta-alanine']);
    assert.deepEqual(supplements('Ferrous sulfate in pregnancy'), ['iron']);
    assert.deepEqual(supplements('A probiotic for colic'), ['probiotics']);
  });

  const others = [
    'A zinc finger protein in leukaemia',
    'Vitamin D receptor polymorphisms',
    'Calcium channel blockers and gout',
    'Caffeine-free cola',
    'Folate receptor imaging',
    'Creatine kinase after a marathon',
  ];
  for (const title of others) it(`finds none in "${title}"`, () => assert.deepEqual(supplements(title), []));

  it('requires an intake when the title names a deficiency', () => {
    assert.deepEqual(
      supplements('Iron deficiency anaemia in Norway', 'Prevalence of iron deficiency was measured.'),
      [],
    );
    const treated = 'Women received iron by mouth. Oral iron was given for a month, and iron tablets were counted.';
    assert.deepEqual(supplements('Iron deficiency anaemia in Norway', treated), ['iron']);
  });

  it('excludes a supplement that is only mentioned once', () => {
    assert.deepEqual(
      supplements('A blood test for athletes', 'Serum zinc was measured in 40 athletes after a race.'),
      [],
    );
    const trial = 'Zinc supplements were given to athletes for a week. Serum magnesium was measured.';
    assert.deepEqual(supplements('Zinc supplementation in athletes', trial), ['zinc']);
  });

  it('includes a supplement with repeated mentions of an intake, and excludes one with only a MeSH term', () => {
    const trial =
      'Twenty athletes received zinc supplements (30 mg of zinc a day) or placebo for four weeks. Zinc supplementation had no effect on strength.';
    assert.deepEqual(supplements('Minerals for athletes: a randomised trial', trial), ['zinc']);
    const described = { meshTerms: ['Zinc', 'Dietary Supplements', 'Humans'] };
    assert.deepEqual(supplements('Minerals for athletes', trial, described), ['zinc']);
    assert.deepEqual(supplements('A blood test', 'Serum zinc was measured.', { meshTerms: ['Zinc'] }), []);
  });

  it('accepts an acronym only with its full name or an intake', () => {
    assert.deepEqual(supplements('NAC before surgery for breast cancer', 'NAC was given. NAC shrank tumours.'), []);
    assert.deepEqual(supplements('NAC in addiction', 'N-acetylcysteine was given.'), ['n-acetylcysteine']);
    assert.deepEqual(supplements('NAC supplementation in addiction'), ['n-acetylcysteine']);
  });
});

describe('topic matching', () => {
  it('uses the longest matching term: oxidative stress is not stress', () => {
    assert.deepEqual(topics('Zinc and oxidative stress'), ['oxidative-stress']);
  });
  const others = [
    'ST-segment depression in runners',
    'Pulmonary hypertension',
    'Cod liver oil in schools',
    'Zinc has received much attention',
    'Immune memory',
  ];
  for (const title of others) it(`finds none in "${title}"`, () => assert.deepEqual(topics(title), []));

  it('does not match the population as a topic', () =>
    assert.deepEqual(topics('Zinc and sleep in overweight women'), ['sleep']));
  it('matches plurals, but does not match "fall" to the term "falls"', () => {
    assert.deepEqual(topics('Zinc and fractures'), ['fractures']);
    assert.deepEqual(topics('A fall in prices'), []);
  });
  it('includes nutrient levels only when no other outcome was measured', () => {
    assert.deepEqual(topics('Serum levels of zinc and sleep'), ['sleep']);
    assert.deepEqual(topics('Serum levels of zinc'), ['nutrient-status']);
  });
  it('requires more than one mention in the abstract', () => {
    assert.deepEqual(topics('Zinc for men', 'Blood pressure was taken.'), []);
    assert.deepEqual(
      topics('Zinc for men', 'Sleep was filmed. Sleep was scored. In conclusion, zinc improved sleep.'),
      ['sleep'],
    );
  });
  it('returns at most four topics', () => {
    assert.equal(topics('Sleep, stress, depression, anaemia, hypertension, cognition and fractures').length, 4);
  });
});

describe('verticals of a matched record', () => {
  it('combine every supplement with every topic', () => {
    const { verticals } = matcher.match(article('Zinc and iron for sleep and depression'));
    assert.deepEqual(verticals.toSorted(), ['iron-depression', 'iron-sleep', 'zinc-depression', 'zinc-sleep']);
  });
  it('follow the supplements and topics that the editor states', () => {
    const match = matcher.match(article('Caffeine and depression', '', { stated }));
    assert.deepEqual(match.verticals, ['zinc-sleep']);
  });
});
