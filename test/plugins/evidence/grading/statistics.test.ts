import assert from 'node:assert/strict';
import { intervalVerdicts, pValues } from '../../../../plugins/evidence/grading/statistics.ts';

describe('statistics in a text', () => {
  it('parses p-values in the notations that papers use', () => {
    assert.deepEqual(pValues('sleep (p = 0.03), mood (p=.21), pain (p<0.001), rest (p > 0.05), p = 0/02'), [
      true,
      false,
      true,
      false,
      true,
    ]);
    assert.deepEqual(pValues('249 against 240 u/l (ns)'), [false]);
    assert.deepEqual(pValues('a dose of p 0.4 l, and n = 0.3'), []);
  });
  it('compares the interval of a ratio with one, and that of a difference with zero', () => {
    assert.deepEqual(intervalVerdicts('hazard ratio 0.77 (95% ci 0.32-1.80)'), [false]);
    assert.deepEqual(intervalVerdicts('odds ratio 0.54 (95% ci 0.31 to 0.94)'), [true]);
    assert.deepEqual(intervalVerdicts('mean difference -2.3 (95 % ci -7.8, 3.2)'), [false]);
  });
  it('gives no verdict for the interval of a proportion', () => {
    assert.deepEqual(intervalVerdicts('anaemia in 48.5% (95% ci 42.3 to 54.8) of the children'), []);
  });
});
