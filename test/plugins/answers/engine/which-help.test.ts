import { strict as assert } from 'node:assert';
import { CONFIDENCES } from '#plugins/answers/engine/balance.ts';
import { answerView } from '#plugins/answers/pages/answer-view.ts';
import { answerBody, citation } from '../support.ts';
import { useEngine } from './support.ts';

describe('questions of what there is for an outcome', () => {
  const base = useEngine();
  const ask = async (question: string) => (await base.ask(question)).answer;
  /** Certainties in the order of the list. */
  const certainties = (answer: string): string[] =>
    [...answer.matchAll(/^\*\*[^*]+:\*\* certainty ([a-z ]+), direction/gm)].map(([, word]) => word!.replace(' ', '_'));

  it('are answered with the graded supplements, most certain first, each with a verified quote, a stance and the link to its grade', async () => {
    for (const question of ['Which supplements were studied for insomnia?', 'supplements for high blood pressure']) {
      const { events, answer } = await base.ask(question);
      assert.equal(answer.status, 'answered');
      const levels = certainties(answer.answer).map((word) => CONFIDENCES.indexOf(word as never));
      assert.ok(levels.length > 2 && levels.length === answer.citations.length, question);
      assert.deepEqual(
        levels,
        levels.toSorted((a, b) => b - a),
      );
      assert.equal([...answer.answer.matchAll(/\[How it was graded\]\(\/evidence\//g)].length, levels.length);
      for (const { source_id: id, quote, quote_from: from, quote_verified: verified, stance } of answer.citations) {
        assert.ok(verified && (await base.stored(id))[from]?.includes(quote));
        assert.ok(['supports', 'contradicts', 'context'].includes(stance));
      }
      assert.equal(new Set(answer.citations.map(({ source_id: id }) => id)).size, answer.citations.length);
      const kinds = events.map(({ type }) => type);
      assert.ok(kinds.indexOf('sources') < kinds.indexOf('delta') && kinds.at(-1) === 'final');
      for (const { text, start, end } of answer.claims) assert.equal(answer.answer.slice(start, end), text);
    }
  });

  it('never read as a recommendation, are never surer than low, and say where a source is on the wider outcome only', async () => {
    const { answer, confidence } = await ask('Which supplements were studied for insomnia?');
    assert.match(answer, /This is no recommendation/);
    assert.match(answer, /Not on insomnia itself: /);
    assert.match(answer, /\(\/conditions\/insomnia\)/);
    assert.ok(['low', 'very_low'].includes(confidence));
  });

  it('say so when nothing that is graded points in favour, and when a supplement did worse', async () => {
    const { summary, answer } = await ask('what helps with migraine');
    assert.match(summary, /none of them on migraine itself.* None of them points in favour\./);
    assert.match(answer, /direction against, a worse result/);
  });

  it('are answered in the words of a symptom', async () => {
    const { status, citations } = await ask('best evidence for knee pain');
    assert.equal(status, 'answered');
    assert.ok(citations.length > 0);
  });

  it('leave out what they do not want, and say so', async () => {
    const { answer, citations, status } = await ask('sleep supplements without melatonin');
    assert.equal(status, 'answered');
    assert.match(answer, /^_Left out, as the question asks: Melatonin\._/);
    assert.ok(citations.length > 0);
    assert.ok(citations.every(({ title }) => !/melatonin/i.test(title)));
    const both = await ask('what can I take for anxiety without ashwagandha or caffeine');
    assert.match(both.answer, /^_Left out, as the question asks: Ashwagandha, Caffeine\._/);
  });

  it('leave nothing out of a question on two supplements', async () => {
    assert.doesNotMatch((await ask('does vitamin d work without vitamin k')).answer, /Left out/);
    assert.doesNotMatch((await ask('Does magnesium not help sleep?')).answer, /Left out/);
  });

  it('stay open where they ask for a kind that nothing graded is of, for something else, or for a definition', async () => {
    for (const question of ['amino acids for rosacea', 'what music helps with anxiety', 'What is migraine?'])
      assert.equal((await ask(question)).status, 'insufficient_evidence', question);
  });
});

describe('questions on another subject', () => {
  const base = useEngine();

  it('are said to be outside of what this base covers, not to lack evidence', async () => {
    for (const question of ['who won the world cup', 'How do I reset my router to factory settings?']) {
      const { answer } = await base.ask(question);
      assert.equal(answer.status, 'insufficient_evidence');
      assert.match(answer.summary, /outside what this base covers/);
      assert.match(answer.what_would_answer, /^Another source/);
    }
  });

  it('are told from names that nobody here knows', async () => {
    const { answer } = await base.ask('Is zorbatine safe to take every day?');
    assert.doesNotMatch(answer.summary, /outside/);
    assert.match(answer.answer, /does not mean that it is safe/);
  });
});

describe('the stance of a source, in words', () => {
  it('tells no effect from harm', () => {
    const cited = (n: number, direction: 'null' | 'negative' | 'positive') =>
      citation(n, { stance: direction === 'positive' ? 'supports' : 'contradicts', direction });
    const body = answerBody('Does it help?', {
      citations: [cited(1, 'null'), cited(2, 'negative'), cited(3, 'positive'), citation(4, { stance: 'contradicts' })],
    });
    const answer = { ...body, answer_id: 'ans_x', latency_ms: 1, created_at: '2026-11-21T00:00:00Z', permalink: '' };
    const request = { question: 'Does it help?', max_citations: 8, audience: 'consumer', language: 'en', history: [] };
    const { sources } = answerView({ answer, request } as never, new Map());
    assert.deepEqual(
      sources.map(({ stance }) => stance.word),
      ['Found no effect or difference', 'Found harm or a worse result', 'Speaks for it', 'Speaks against it'],
    );
  });
});
