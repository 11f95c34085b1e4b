/** Tests one example of each kind of mistake that a safety review of two hundred answers found. */
import { strict as assert } from 'node:assert';
import { askedAmount } from '#plugins/answers/engine/asked-amount.ts';
import { peopleStudied } from '#plugins/answers/engine/people-studied.ts';
import type { SourceRow } from '#plugins/evidence/index.ts';
import { useEngine } from './support.ts';

describe('answers after a safety review', () => {
  const base = useEngine();
  const ask = async (question: string, ...before: string[]) =>
    (await base.ask(question, { history: before.map((content) => ({ role: 'user' as const, content })) })).answer;

  it('name the studied population in each claim where it is not the general population', async () => {
    const { claims } = await ask('Does magnesium help with muscle cramps?');
    assert.ok(claims.some(({ text }) => text.includes('studied: pregnant women with leg cramps')));
  });

  it('are no more confident than the grade of their outcome, and link it', async () => {
    const { confidence, answer } = await ask('Does ashwagandha help anxiety?');
    assert.equal(confidence, 'very_low');
    assert.match(answer, /Certainty very low, .*\(\/evidence\/ashwagandha-anxiety\)/);
  });

  it('return insufficient_evidence rather than quote a statement that something was not studied', async () => {
    const { status, answer } = await ask('Does vitamin E prevent fractures?');
    assert.equal(status, 'insufficient_evidence');
    assert.doesNotMatch(answer, /not studied/);
  });

  it('do not cite studies of infusions or other pain for migraine', async () => {
    assert.deepEqual((await ask('Does magnesium help migraine?')).citations, []);
  });

  it('do not cite a study of another supplement that only mentions this one', async () => {
    const { citations } = await ask('What is the best form of magnesium?');
    assert.ok(!citations.some(({ title }) => /creatine/i.test(title)));
  });

  it('say when no source covers the requested age group, with very low confidence', async () => {
    const { answer, confidence } = await ask('Does magnesium help sleep in elderly people?');
    assert.match(answer, /^_No source here .*“elderly”/);
    assert.equal(confidence, 'very_low');
  });

  it('cite only studies in pregnancy for morning sickness', async () => {
    const { claims } = await ask('ginger for morning sickness');
    const quotes = claims.filter(({ text }) => text.includes('our summary'));
    assert.ok(quotes.length > 0 && quotes.every(({ text }) => /pregnan/i.test(text)));
  });

  it('add up no results across two supplements that are compared', async () => {
    const { answer, summary } = await ask('whey protein vs BCAA for muscle');
    assert.match(summary, /no results are added up/);
    assert.doesNotMatch(answer, /found a benefit/);
  });

  it('do not answer about a pair with sources on only one of the two', async () => {
    assert.deepEqual((await ask('can I drink coffee with iron')).citations, []);
    assert.doesNotMatch(
      (await ask('can I mix magnesium, zinc and vitamin D')).answer,
      /ergocalciferol|No source in this base/,
    );
  });

  it('distinguish reported from unobserved harm, and do not infer safety from missing reports', async () => {
    const { summary, confidence } = await ask('is ashwagandha safe');
    assert.match(summary, /saw no unwanted effect.*Silence on harm is no proof of safety/);
    assert.equal(confidence, 'low');
    assert.match((await ask('is creatine safe')).summary, /speak of something unwanted/);
    assert.match((await ask('Does creatine cause hair loss?')).summary, /saw no unwanted effect/);
  });

  it('check the medicines of earlier turns', async () => {
    for (const question of ['can I take vitamin K with it?', 'is turmeric ok?'])
      assert.ok(
        (await ask(question, 'I take warfarin')).interactions.some(({ found }) => found),
        question,
      );
  });

  it('resolve a misspelled synonym of a supplement, and find minerals with antibiotics', async () => {
    const tumeric = await ask('is it ok to take tumeric with eliquis');
    assert.ok(tumeric.interactions.some(({ found }) => found));
    assert.ok(tumeric.warnings.some(({ code }) => code === 'name_guessed'));
    assert.ok((await ask('can I take magnesium with antibiotics')).interactions.some(({ found }) => found));
  });

  it('say that an amount is above the upper limit, in the unit of the question', async () => {
    assert.match(
      (await ask('Is 10,000 IU vitamin D daily safe?')).answer,
      /10,000 IU \(250 µg\) is above the upper limit/,
    );
    assert.match((await ask('is 50 mg zinc daily too much')).answer, /50 mg is above the upper limit/);
    assert.doesNotMatch((await ask('is 20 mg zinc a day ok')).answer, /is above/);
    assert.equal((await ask('is 5000 mcg biotin safe')).status, 'insufficient_evidence');
  });

  it('respect the requested supplement and vertical, and warn about unknown ones', async () => {
    const question = 'Does magnesium help sleep?';
    const limited = async (limits: object) => (await base.ask(question, limits)).answer;
    assert.equal((await limited({})).status, 'answered');
    assert.equal((await limited({ supplement: 'ginkgo' })).status, 'insufficient_evidence');
    const outside = await limited({ vertical: 'magnesium-muscle-cramps' });
    assert.ok(outside.citations.every(({ source_id: id }) => !['pmid-38257144', 'pmid-39125347'].includes(id)));
    for (const field of ['supplement', 'vertical']) {
      const { status, warnings } = await limited({ [field]: 'zzzz' });
      assert.equal(status, 'insufficient_evidence');
      assert.ok(warnings.some(({ code }) => code === `unknown_${field}`));
    }
  });

  it('list cautions where no evidence was found', async () => {
    assert.match((await ask('garlic pills before surgery')).answer, /Cautions on record for Garlic:\*\* surgery/);
  });
});

describe('the parts of a careful answer', () => {
  it('convert amounts to the unit of the limit', () => {
    const read = (text: string, supplement: string, unit: string) => askedAmount(text, { supplement, unit })?.amount;
    assert.equal(read('60000 iu a day', 'vitamin-d', 'µg'), 1500);
    assert.equal(read('0.5 g magnesium', 'magnesium', 'mg'), 500);
    assert.equal(read('400 IU', 'vitamin-e', 'mg'), undefined);
    assert.equal(read('two tablets', 'zinc', 'mg'), undefined);
  });

  it('take the studied population from the record, or else from the title', () => {
    const of = (row: Partial<SourceRow>) =>
      peopleStudied({ population: '', title: '', species: 'human', ...row } as SourceRow);
    assert.equal(of({ population: 'healthy adults' }), '');
    assert.equal(of({ population: 'adults on haemodialysis' }), 'adults on haemodialysis');
    assert.equal(of({ title: 'Iron in preterm infants: a trial' }), 'infants');
    assert.equal(of({ title: 'Zinc in Patients with Cirrhosis: a trial' }), 'patients with Cirrhosis');
    assert.equal(of({ population: 'rats', species: 'animal' }), '');
  });
});
