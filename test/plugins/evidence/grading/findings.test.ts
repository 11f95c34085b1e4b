import assert from 'node:assert/strict';
import { grade } from '../../../../plugins/evidence/grading/grade.ts';
import type { EffectDirection, Funding, SourceRecord, Species } from '../../../../plugins/evidence/source-record.ts';
import { article, stated } from './records.ts';

describe('species', () => {
  const cases: readonly (readonly [string, string, Species])[] = [
    ['Zinc in rats: a randomised controlled trial', 'Zinc may one day help patients.', 'animal'],
    ['Niacin and litters', 'A total of 280 sows were fed niacin. The sows were weighed.', 'animal'],
    ['Niacin and growth', 'Broilers were fed niacin. The broilers were weighed weekly.', 'animal'],
    ['Niacin and lifespan', 'Zebrafish were treated with niacin; zebrafish larvae were counted.', 'animal'],
    ['Niacin and sleep in adults', 'In mice, niacin lengthens sleep. We gave niacin to 40 healthy adults.', 'human'],
    [
      'Niacin and proliferation',
      'HepG2 cells were treated with niacin. The cell line was cultured for days.',
      'in_vitro',
    ],
    ['Fish oil and mood in women', 'Sixty women took fish oil.', 'human'],
    ["Cat's claw for knee pain", 'Forty-five men with knee pain took the bark.', 'human'],
    ['Niacin kinetics in volunteers and rats', 'Twelve healthy volunteers received niacin.', 'human'],
    ['Niacin', '', 'unknown'],
  ];
  for (const [title, abstract, species] of cases) {
    it(`reads "${title}" as ${species}`, () => assert.equal(grade(article(title, abstract)).species, species));
  }
  it('is read from MeSH terms when the title names no species', () => {
    assert.equal(grade(article('Niacin', '', { meshTerms: ['Animals', 'Niacin'] })).species, 'animal');
    assert.equal(grade(article('Niacin', '', { meshTerms: ['Humans', 'Niacin'] })).species, 'human');
  });
});

describe('population', () => {
  const populationOf = (title: string, abstract = '') => grade(article(title, abstract)).population;
  it('is read from the title', () => {
    assert.equal(
      populationOf('Zinc in Overweight Adults with Type 2 Diabetes: a Randomised Trial'),
      'overweight adults with type 2 diabetes',
    );
    assert.equal(populationOf('Zinc and growth in preterm infants'), 'preterm infants');
    assert.equal(populationOf('Zinc for children and adolescents with asthma'), 'children and adolescents with asthma');
  });
  it('is read from the counted participants when the title names none', () => {
    assert.equal(
      populationOf('Zinc and mood', 'A total of 64 healthy young men were randomised.'),
      'healthy young men',
    );
  });
  it('is read from the first phrase of the abstract that names people and their condition', () => {
    assert.equal(
      populationOf('Zinc and mood', 'Both men and women came. Mood was measured in patients with chronic fatigue.'),
      'patients with chronic fatigue',
    );
    assert.equal(populationOf('Zinc for patients with H. pylori infection'), 'patients with H. pylori infection');
  });
  it('excludes the intervention and subgroups with a finding', () => {
    assert.equal(populationOf('Zinc in healthy men on growth'), 'healthy men');
    assert.equal(populationOf('Zinc and mood', 'There were more patients with new lesions.'), '');
  });
  it('is empty when the text names no population', () => {
    assert.equal(populationOf('Zinc and mood', 'Mood was measured in 30 subjects who took part.'), '');
  });
});

describe('direction of effect', () => {
  const cases: readonly (readonly [string, EffectDirection])[] = [
    ['In conclusion, zinc shortened nothing and did not reduce symptoms.', 'null'],
    ['In conclusion, zinc reduced the length of colds.', 'positive'],
    ['In conclusion, there was no significant difference between zinc and placebo.', 'null'],
    ['In conclusion, zinc increased the risk of stroke.', 'negative'],
    ['In conclusion, zinc reduced the risk of stroke.', 'positive'],
    ['In conclusion, zinc improved sleep but had no effect on mood.', 'mixed'],
    ['In conclusion, the findings on zinc were inconsistent.', 'mixed'],
    ['In conclusion, there is insufficient evidence on zinc.', 'unclear'],
    ['In conclusion, zinc was well tolerated. Further research is needed to confirm benefits.', 'unclear'],
    ['In conclusion, zinc increased serum zinc levels.', 'unclear'],
    ['Sleep did not differ between groups. Mood was no different. In conclusion, zinc improved appetite.', 'mixed'],
  ];
  for (const [text, direction] of cases) {
    it(`reads ${direction} in "${text}"`, () => {
      const abstract = `Sixty men were randomised to zinc or placebo. They kept diaries. ${text}`;
      assert.equal(grade(article('Zinc and health: a randomised trial', abstract)).direction, direction);
    });
  }
  it('is unclear for designs without their own findings', () => {
    const text = 'This review concludes that zinc improves everything.';
    assert.equal(grade(article('Zinc: a narrative review', text)).direction, 'unclear');
  });
});

describe('funding', () => {
  const cases: readonly (readonly [string, Funding])[] = [
    ['Funding: This study was funded by the National Institutes of Health.', 'public'],
    ['This work was supported by Zincworks GmbH.', 'industry'],
    ['The study was funded by Zincworks Ltd and the Ministry of Health.', 'mixed'],
    ['The authors received no specific funding for this work.', 'none'],
    ['Capsules were provided free of charge by Zincworks Ltd.', 'not_stated'],
    ['Competing interests: AB received lecture fees from Zincworks Inc.', 'not_stated'],
    ['Grants: K01 AG054731/AG/NIA NIH HHS/United States', 'public'],
    ['Sponsor: Zincworks (INDUSTRY). Collaborators: National Cancer Center (OTHER)', 'mixed'],
    ['Sponsor: Zincworks (INDUSTRY)', 'industry'],
    ['This work was funded by the Cranberry Institute and by the University of Bonn.', 'mixed'],
    ['The study was supported by a grant from Zincworks GmbH to the Royal Hospital.', 'industry'],
    ['', 'not_stated'],
  ];
  for (const [fundingText, funding] of cases) {
    it(`reads ${funding} in "${fundingText}"`, () =>
      assert.equal(grade(article('Zinc', '', { fundingText })).funding, funding));
  }
});

describe('fields stated by an editor', () => {
  it('override the values read from the text', () => {
    const record: SourceRecord = article(
      'Zinc in rats',
      'A total of 12 rats were fed. In conclusion, zinc improved growth.',
      { stated },
    );
    const { species, population, direction, funding, sampleSizeN, evidenceLevel } = grade(record);
    assert.deepEqual(
      { species, population, direction, funding, sampleSizeN, evidenceLevel },
      {
        species: 'human',
        population: 'night workers',
        direction: 'null',
        funding: 'industry',
        sampleSizeN: 321,
        evidenceLevel: 'cohort',
      },
    );
  });
});
