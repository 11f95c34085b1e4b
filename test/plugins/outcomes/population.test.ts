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

describe('the illness that a text names', () => {
  it('is not AIDS where a title speaks of ergogenic aids', () => {
    assert.equal(findCondition('Caffeine and other ergogenic aids in sport'), '');
    assert.equal(findCondition('Sleep aids, hearing aids and first aid'), '');
    assert.equal(read('', 'Ergogenic aids for trained cyclists'), 'athletes');
  });

  it('is AIDS where the name stands in capitals', () => {
    assert.equal(findCondition('Selenium in people with AIDS'), 'hiv-infection');
    assert.equal(findCondition('Children with HIV'), 'hiv-infection');
  });

  it('is found whatever the case of a name in words', () => {
    assert.equal(findCondition('DEPRESSION in later life'), 'depression');
    assert.equal(findCondition('Adults with major depression'), 'depression');
  });

  it('is the longest name where one name holds another', () => {
    assert.equal(findCondition('People with type 2 diabetes'), 'type-2-diabetes');
    assert.equal(findCondition('People with diabetes'), 'diabetes');
  });

  it('is a whole word and no part of a longer one', () => {
    assert.equal(findCondition('An antidepression-like effect'), '');
    assert.equal(findCondition('Post-depression recovery'), '');
  });

  it('is none where nobody knows any condition', () => {
    assert.equal(conditionFinder([])('Adults with depression'), '');
  });

  it('is found where its name has characters that mean something in a pattern', () => {
    const find = conditionFinder([{ slug: 'b12', name: 'Anaemia (B12)', synonyms: ['B12+folate lack'] }]);
    assert.equal(find('adults with anaemia (B12) at home'), 'b12');
    assert.equal(find('a b12+folate lack'), 'b12');
  });
});

describe('the population of a source', () => {
  it('is preterm infants where infants were born early', () => {
    assert.equal(read('preterm infants fed breast milk'), 'preterm-infants');
    assert.equal(read('premature babies'), 'preterm-infants');
    assert.equal(read('very low birth weight infants'), 'preterm-infants');
  });

  it('is infants where nothing says that they were born early', () => {
    assert.equal(read('infants with colic'), 'infants');
    assert.equal(read('newborns'), 'infants');
  });

  it('is trained people where they train or compete', () => {
    for (const people of ['resistance-trained men', 'trained cyclists', 'elite athletes', 'soccer players', 'soldiers'])
      assert.equal(read(people), 'athletes', people);
    assert.equal(read('untrained adults'), 'adults');
  });

  it('is older adults where age is what sets them apart', () => {
    for (const people of ['older adults', 'elderly people in nursing homes', 'postmenopausal women', 'adults over 65'])
      assert.equal(read(people), 'older-adults', people);
  });

  it('is children, pregnancy or breastfeeding where these alone were studied', () => {
    assert.equal(read('schoolchildren in Kenya'), 'children');
    assert.equal(read('pregnant women in Australia'), 'pregnancy');
    assert.equal(read('lactating mothers'), 'breastfeeding');
    assert.equal(read('children and adults'), 'adults');
  });

  it('has the illness that the title names where the words on people name none', () => {
    assert.equal(read('adults', 'Zinc as an add-on in major depression'), 'adults/depression');
    assert.equal(read('', 'Zinc for depression in children'), 'children/depression');
    assert.equal(read('pregnant women', 'Zinc and depression'), 'pregnancy/depression');
  });

  it('has the illness of the words on people before that of the title', () => {
    assert.equal(read('adults with type 2 diabetes', 'Zinc and depression'), 'adults/type-2-diabetes');
  });

  it('does not split adults with an illness by age or training', () => {
    assert.equal(read('older adults with depression'), 'adults/depression');
    assert.equal(read('athletes with depression'), 'adults/depression');
  });

  it('is adults where nothing is said', () => {
    assert.equal(read('', ''), 'adults');
  });
});

describe('the population of a finding', () => {
  it('joins words on people to eight stages of life', () => {
    const stage = (people: Parameters<typeof populationOfFinding>[0]['people']) =>
      populationOfFinding({ people, condition: '' }).people;
    assert.deepEqual(
      ['women', 'all-ages', 'postmenopausal-women', 'adolescents', 'newborns', 'pregnant-women'].map((people) =>
        stage(people as 'women'),
      ),
      ['adults', 'adults', 'older-adults', 'children', 'infants', 'pregnancy'],
    );
  });

  it('keeps the stage of life of children who are ill, and not that of older adults', () => {
    const key = (people: 'children' | 'older-adults') =>
      keyOf(populationOfFinding({ people, condition: 'depression' }));
    assert.deepEqual([key('children'), key('older-adults')], ['children/depression', 'adults/depression']);
  });

  it('has the same key as the population that a source in such people has', () => {
    assert.equal(
      keyOf(populationOfFinding({ people: 'older-adults', condition: 'depression' })),
      read('elderly people with depression'),
    );
  });
});

describe('a population in words', () => {
  it('says the stage of life, and the illness as its page calls it', () => {
    assert.equal(populationInWords({ people: 'athletes', condition: '' }, ''), 'athletes and trained people');
    assert.equal(
      populationInWords({ people: 'adults', condition: 'depression' }, 'depression'),
      'adults with depression',
    );
  });

  it('says an illness without a page in plain words', () => {
    assert.equal(
      populationInWords({ people: 'children', condition: 'other:spinal-muscular-atrophy' }, ''),
      'children with spinal muscular atrophy',
    );
  });
});

describe('the population that leads', () => {
  const from = (topic: string, people: Population['people'], condition = '', own: readonly string[] = []): number =>
    distanceFrom(topic, { people, condition }, new Set(own));

  it('is people in general before people with an illness that the topic does not name', () => {
    assert.ok(from('sleep', 'adults') < from('sleep', 'adults', 'depression'));
  });

  it('may be people with the illness that the topic is about', () => {
    assert.equal(from('depression', 'adults', 'depression', ['depression']), 0);
  });

  it('is adults before children and pregnant women', () => {
    assert.ok(from('sleep', 'adults', 'depression') < from('sleep', 'children'));
    assert.ok(from('sleep', 'adults') < from('sleep', 'pregnancy'));
  });

  it('is the stage of life that alone has the outcome', () => {
    assert.equal(from('pre-eclampsia', 'pregnancy'), 0);
    assert.ok(from('necrotising-enterocolitis', 'preterm-infants') < from('necrotising-enterocolitis', 'adults'));
  });
});
