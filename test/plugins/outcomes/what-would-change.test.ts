import assert from 'node:assert/strict';
import { type CapCode, CEILINGS, DOWNGRADES, type DowngradeCode } from '#plugins/outcomes/grading/method.ts';
import type { OutcomeSource } from '#plugins/outcomes/grading/source.ts';
import { weighSources } from '#plugins/outcomes/grading/weigh-sources.ts';
import { whatWouldChange } from '#plugins/outcomes/what-would-change.ts';
import { registered, review, trial } from './support.ts';

const gradeOf = (sources: readonly OutcomeSource[], topic = 'colds') => ({
  topic_slug: topic,
  ...weighSources({ supplement: 'zinc', topic }, sources, []),
});
const changeFor = (...sources: readonly OutcomeSource[]) => whatWouldChange(gradeOf(sources), 2026);
const lacking = (...sources: readonly OutcomeSource[]): string => changeFor(...sources).lacking.join(' ');
const sound = gradeOf([review({ year: 2024 }), review({ year: 2023 }), trial({ year: 2024, qualityTier: 'A' })]);
const lackingFor = (downgrades: readonly DowngradeCode[], caps: readonly CapCode[] = []) =>
  whatWouldChange(
    {
      ...sound,
      reasons: downgrades.map((code) => ({ code, steps: 1, text: '' })),
      caps: caps.map((code) => ({ code, ceiling: 'low' as const, reason: '' })),
    },
    2026,
  ).lacking;

describe('whatWouldChange()', () => {
  it('returns nothing when recent reviews and tier A trials agree', () => {
    assert.equal(sound.certainty, 'high');
    assert.deepEqual(whatWouldChange(sound, 2026), { lacking: [], trials: [] });
  });

  it('returns one sentence for each reason that lowers a grade', () => {
    for (const code of Object.keys(DOWNGRADES) as DowngradeCode[]) assert.equal(lackingFor([code]).length, 1, code);
    for (const code of Object.keys(CEILINGS) as CapCode[]) assert.equal(lackingFor([], [code]).length, 1, code);
  });

  it('returns one sentence when two reasons ask for the same', () => {
    assert.equal(lackingFor(['imprecision', 'imprecision_serious']).length, 1);
    assert.equal(lackingFor(['unjudged'], ['not_judged']).length, 1);
    assert.equal(lackingFor(['mixed_results'], ['mixed_direction']).length, 1);
    assert.equal(lackingFor([], ['mixed_direction']).length, 1);
  });

  it('asks for more participants and states the current number', () => {
    assert.match(lacking(trial({ sampleSizeN: 86 })), /bring the number of people to 400 or more; so far 86\./);
    assert.match(lacking(trial({ sampleSizeN: null, sampleSize: '' })), /so far their number is not known/);
  });

  it('asks for a second study and for a better one when there is only one', () => {
    const words = lacking(trial());
    assert.match(words, /A second study, by others\./);
    assert.match(words, /A better founded study/);
  });

  it('asks for a randomised trial when there are only observational studies', () => {
    assert.match(lacking(trial({ evidenceLevel: 'cohort', sampleSizeN: 5_000 })), /^A randomised trial\./);
  });

  it('asks for a newer study relative to the given year', () => {
    const old = [trial({ year: 2009 })];
    assert.match(
      whatWouldChange(gradeOf(old), 2026).lacking.join(' '),
      /A newer study: the newest in people is from 2009\./,
    );
    assert.doesNotMatch(whatWouldChange(gradeOf(old), 2012).lacking.join(' '), /newer study/);
  });

  it('asks for studies that agree when results conflict', () => {
    assert.match(
      lacking(trial(), trial({ effectDirection: 'null' })),
      /Studies that agree, or that show why results differ/,
    );
  });

  it('asks for other people when only a special group was studied, and names the group', () => {
    const words = lacking(trial({ population: 'pregnant women' }));
    assert.match(words, /Studies in other people\. So far it was studied in pregnancy alone\./);
    assert.equal(words.match(/other people/g)?.length, 1);
  });

  it('asks for a study of the supplement alone when it was only tested in combination', () => {
    assert.match(lacking(trial({ supplements: ['zinc', 'magnesium'] })), /Studies that give it alone/);
  });

  it('asks only for a study in people when only animals were studied', () => {
    assert.deepEqual(changeFor(trial({ species: 'animal', year: 1999 })).lacking, [
      'A study in people. So far there are only animals or cells.',
    ]);
  });

  it('states that all sources were retracted', () => {
    assert.deepEqual(changeFor(trial({ retractionStatus: 'retracted' })).lacking, [
      'New studies. All that was gathered here was retracted.',
    ]);
  });

  it('lists registered open trials and omits those that have ended', () => {
    const open = registered({ nctId: 'NCT99000001' });
    const ended = registered({ nctId: 'NCT99000002', trialStatus: 'COMPLETED' });
    const lost = registered({ nctId: 'NCT99000003', trialStatus: '', year: 2010 });
    const { trials } = changeFor(trial(), open, ended, lost);
    assert.deepEqual(
      trials.map(({ nct_id: id }) => id),
      ['NCT99000001'],
    );
    assert.match(lacking(open), /Results of the trials that are registered/);
  });
});
