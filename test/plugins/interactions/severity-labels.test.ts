import assert from 'node:assert/strict';
import {
  ACTION_WORDS,
  cautionSeverityWord,
  cautionToDo,
  doseInWords,
  pairToDo,
  worstWord,
} from '#plugins/interactions/rules/severity-labels.ts';

describe('severity labels', () => {
  it('state no exception for a contraindicated pair', () => {
    assert.doesNotMatch(pairToDo('contraindicated', 'avoid'), /unless/);
    assert.match(pairToDo('contraindicated', 'avoid'), /ask a doctor before you change either/);
    assert.equal(pairToDo('major', 'avoid'), ACTION_WORDS.avoid);
  });

  it('mention taking instead of combining for a condition', () => {
    assert.equal(cautionSeverityWord('contraindicated', false), 'Do not take it');
    assert.equal(cautionSeverityWord('contraindicated', true), 'Not above a dose');
    assert.equal(cautionSeverityWord('major', true), 'Major');
    for (const action of ['avoid', 'caution', 'monitor', 'separate', 'inform'] as const)
      assert.doesNotMatch(cautionToDo('moderate', action, false), /combin/);
  });

  it('name the most severe entry of a list and state when it applies only to some people', () => {
    assert.deepEqual(worstWord('major', 'moderate'), { code: 'major', word: 'Major' });
    assert.deepEqual(worstWord('major', 'contraindicated'), { code: 'contraindicated', word: 'Not for some people' });
    assert.deepEqual(worstWord('contraindicated', 'contraindicated'), {
      code: 'contraindicated',
      word: 'Do not combine',
    });
    assert.deepEqual(worstWord('unknown', null), { code: 'unknown', word: 'Severity not known' });
    assert.equal(worstWord(null, null), null);
  });

  it('state that too little is known for a condition with unknown severity', () => {
    assert.equal(cautionSeverityWord('unknown', false), 'Too little is known');
  });

  it('group the digits of a dose and use µg for micrograms', () => {
    assert.equal(doseInWords({ amount: 10_000, unit: 'IU', per: 'day' }), '10,000 IU per day');
    assert.equal(doseInWords({ amount: 400, unit: 'mcg' }), '400 µg');
  });
});
