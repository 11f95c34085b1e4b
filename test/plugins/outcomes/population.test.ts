import assert from 'node:assert/strict';
import {
  conditionFinder,
  distanceFrom,
  keyOf,
  type Population,
  populationInWords,
  populationOfFinding,
  populationOfSource,
} from '#plugins/outcomes/grading/population.ts';

const findCondition = conditionFinder([
  { slug: 'hiv-infection', name: 'HIV infection', synonyms: ['AIDS', 'HIV'] },
  { slug: 'depression', name: 'Depression', synonyms: ['major depression'] },
  { slug: 'diabetes', name: 'Diabetes', synonyms: [] },
  { slug: 'type-2-diabetes', name: 'Type 2 diabetes', synonyms: ['T2DM'] },
]);
const read = (population: string, title = 'A trial.'): string =>
  keyOf(populationOfSource({ population, title }, findCondition));

describe('findCondition()', () => {
  it('does not match AIDS in words such as ergogenic aids', () => {
    assert.equal(findCondition('Caffeine and other ergogenic aids in sport'), '');
    assert.equal(findCondition('Sleep aids, hearing aids and first aid'), '');
    assert.equal(read('', 'Ergogenic aids for trained cyclists'), 'athletes');
  });

  it('matches AIDS in capitals', () => {
    assert.equal(findCondition('Selenium in people with AIDS'), 'hiv-infection');
    assert.equal(findCondition('Children with HIV'), 'hiv-infection');
  });

  it('matches names that are words regardless of case', () => {
    assert.equal(findCondition('DEPRESSION in later life'), 'depression');
    assert.equal(findCondition('Adults with major depression'), 'depression');
  });

  it('returns the condition with the longest matching name', () => {
    assert.equal(findCondition('People with type 2 diabetes'), 'type-2-diabetes');
    assert.equal(findCondition('People with diabetes'), 'diabetes');
  });

  it('matches whole words only', () => {
    assert.equal(findCondition('An antidepression-like effect'), '');
    assert.equal(findCondition('Post-depression recovery'), '');
  });

  it('returns an empty string when there are no conditions', () => {
    assert.equal(conditionFinder([])('Adults with depression'), '');
  });

  it('matches names with regular expression characters', () => {
    const find = conditionFinder([{ slug: 'b12', name: 'Anaemia (B12)', synonyms: ['B12+folate lack'] }]);
    assert.equal(find('adults with anaemia (B12) at home'), 'b12');
    assert.equal(find('a b12+folate lack'), 'b12');
  });
});

describe('populationOfSource()', () => {
  it('returns preterm infants for infants born early', () => {
    assert.equal(read('preterm infants fed breast milk'), 'preterm-infants');
    assert.equal(read('premature babies'), 'preterm-infants');
    assert.equal(read('very low birth weight infants'), 'preterm-infants');
  });

  it('returns infants when nothing says that they were born early', () => {
    assert.equal(read('infants with colic'), 'infants');
    assert.equal(read('newborns'), 'infants');
  });

  it('returns athletes for people who train or compete', () => {
    for (const people of ['resistance-trained men', 'trained cyclists', 'elite athletes', 'soccer players', 'soldiers'])
      assert.equal(read(people), 'athletes', people);
    assert.equal(read('untrained adults'), 'adults');
  });

  it('returns older adults for groups defined by older age', () => {
    for (const people of ['older adults', 'elderly people in nursing homes', 'postmenopausal women', 'adults over 65'])
      assert.equal(read(people), 'older-adults', people);
  });

  it('returns children, pregnancy or breastfeeding when only that group was studied', () => {
    assert.equal(read('schoolchildren in Kenya'), 'children');
    assert.equal(read('pregnant women in Australia'), 'pregnancy');
    assert.equal(read('lactating mothers'), 'breastfeeding');
    assert.equal(read('children and adults'), 'adults');
  });

  it('uses the condition in the title when the population names none', () => {
    assert.equal(read('adults', 'Zinc as an add-on in major depression'), 'adults/depression');
    assert.equal(read('', 'Zinc for depression in children'), 'children/depression');
    assert.equal(read('pregnant women', 'Zinc and depression'), 'pregnancy/depression');
  });

  it('prefers the condition in the population to that in the title', () => {
    assert.equal(read('adults with type 2 diabetes', 'Zinc and depression'), 'adults/type-2-diabetes');
  });

  it('does not divide adults with a condition by age or training', () => {
    assert.equal(read('older adults with depression'), 'adults/depression');
    assert.equal(read('athletes with depression'), 'adults/depression');
  });

  it('returns adults when nothing is stated', () => {
    assert.equal(read('', ''), 'adults');
  });
});

describe('populationOfFinding()', () => {
  it('maps population codes to life stages', () => {
    const stage = (people: Parameters<typeof populationOfFinding>[0]['people']) =>
      populationOfFinding({ people, condition: '' }).people;
    assert.deepEqual(
      ['women', 'all-ages', 'postmenopausal-women', 'adolescents', 'newborns', 'pregnant-women'].map((people) =>
        stage(people as 'women'),
      ),
      ['adults', 'adults', 'older-adults', 'children', 'infants', 'pregnancy'],
    );
  });

  it('keeps the life stage of children with a condition but not that of older adults', () => {
    const key = (people: 'children' | 'older-adults') =>
      keyOf(populationOfFinding({ people, condition: 'depression' }));
    assert.deepEqual([key('children'), key('older-adults')], ['children/depression', 'adults/depression']);
  });

  it('has the same key as populationOfSource() for the same people', () => {
    assert.equal(
      keyOf(populationOfFinding({ people: 'older-adults', condition: 'depression' })),
      read('elderly people with depression'),
    );
  });
});

describe('populationInWords()', () => {
  it('names the life stage and the condition as given', () => {
    assert.equal(populationInWords({ people: 'athletes', condition: '' }, ''), 'athletes and trained people');
    assert.equal(
      populationInWords({ people: 'adults', condition: 'depression' }, 'depression'),
      'adults with depression',
    );
  });

  it('names a condition without a page in plain words', () => {
    assert.equal(
      populationInWords({ people: 'children', condition: 'other:spinal-muscular-atrophy' }, ''),
      'children with spinal muscular atrophy',
    );
  });
});

describe('distanceFrom()', () => {
  const from = (topic: string, people: Population['people'], condition = '', own: readonly string[] = []): number =>
    distanceFrom(topic, { people, condition }, new Set(own));

  it('ranks people in general before people with a condition unrelated to the topic', () => {
    assert.ok(from('sleep', 'adults') < from('sleep', 'adults', 'depression'));
  });

  it('returns 0 for people with the condition of the topic', () => {
    assert.equal(from('depression', 'adults', 'depression', ['depression']), 0);
  });

  it('ranks adults before children and pregnant women', () => {
    assert.ok(from('sleep', 'adults', 'depression') < from('sleep', 'children'));
    assert.ok(from('sleep', 'adults') < from('sleep', 'pregnancy'));
  });

  it('ranks the life stage to which an outcome is limited first', () => {
    assert.equal(from('pre-eclampsia', 'pregnancy'), 0);
    assert.ok(from('necrotising-enterocolitis', 'preterm-infants') < from('necrotising-enterocolitis', 'adults'));
  });
});
