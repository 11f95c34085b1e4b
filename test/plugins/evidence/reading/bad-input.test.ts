import assert from 'node:assert/strict';
import type { AbstractReader } from '#plugins/evidence/reading/reading.ts';
import { MAGNESIUM, reader, SLEEP, TRIAL } from './support.ts';

describe('abstract reader on invalid input', function () {
  this.timeout(60_000);
  let read: AbstractReader;
  before(async () => {
    read = await reader();
  });
  const verdict = (title: string, abstract: string) => read.verdict({ title, abstract }, MAGNESIUM, SLEEP);

  it('abstains on an empty record', () => {
    assert.equal(verdict('', ''), null);
    assert.deepEqual(read.read({ title: '', abstract: '' }, { interventions: [], outcomes: [] }), []);
  });

  it('abstains on a text in another language', () => {
    const german =
      'Hintergrund: Viele Menschen schlafen schlecht. Methoden: 120 Personen nahmen Magnesium oder ein Scheinmittel ein. Ergebnisse: Die Einschlafzeit war kürzer und niemand brach ab.';
    assert.equal(verdict('Magnesium und Schlaf', german), null);
  });

  it('abstains on a protocol without results', () => {
    const protocol =
      'Background: Sleep loss is common. Methods: In this trial 200 adults will be randomised to magnesium or placebo for 12 weeks. Sleep latency will be measured at week 12. Discussion: The trial will show whether magnesium helps.';
    assert.equal(verdict('Magnesium for sleep: study protocol of a randomised trial', protocol), null);
  });

  it('abstains on a correction notice', () => {
    assert.equal(verdict(`Correction: ${TRIAL.title}`, TRIAL.abstract), null);
  });

  it('abstains on a letter', () => {
    assert.equal(verdict('Letter: magnesium and sleep', TRIAL.abstract), null);
  });

  it('states no benefit when the title denies one and the last sentence claims one', () => {
    const found = verdict(
      'Magnesium does not improve sleep in adults',
      'Methods: 90 adults took magnesium or placebo for 8 weeks. Results: Sleep latency did not differ between magnesium and placebo (p = 0.55). Conclusions: Magnesium improved how rested the adults felt.',
    );
    assert.notEqual(found?.direction, 'positive');
  });

  it('reads an abstract of 20,000 words in less than two seconds', () => {
    const long = `${TRIAL.abstract} ${'The sleep of the adults was measured with care every week. '.repeat(2_000)}`;
    const started = performance.now();
    read.read({ title: TRIAL.title, abstract: long }, { interventions: MAGNESIUM, outcomes: [SLEEP] });
    assert.ok(performance.now() - started < 2_000);
  });

  it('reads at most eight of forty outcomes', () => {
    const outcomes = Array.from({ length: 40 }, (_, index) => ({ key: `sleep-${index}`, terms: ['sleep latency'] }));
    assert.ok(read.read(TRIAL, { interventions: MAGNESIUM, outcomes }).length <= 8);
  });

  it('accepts symbols, one very long word and unpaired surrogates', () => {
    for (const text of [
      '((((±±±%%%',
      'a'.repeat(50_000),
      '\ud800 the of and in \udfff was lower. '.repeat(20),
      '0.05 '.repeat(3_000),
    ])
      assert.doesNotThrow(() => {
        read.labelInAbstract({ intervention: text, comparator: '', outcome: text }, text);
        read.label({ intervention: text, comparator: text, outcome: text }, text);
      });
  });
});
