import { strict as assert } from 'node:assert';
import { CONFIDENCES } from '#plugins/answers/engine/balance.ts';
import { answerView } from '#plugins/answers/pages/answer-view.ts';
import { answerBody, citation } from '../support.ts';
import { useEngine } from './support.ts';

describe('questions about which supplements help with an outcome', () => {
  const base = useEngine();
  const ask = async (question: string) => (await base.ask(question)).answer;
  /** Returns the certainties in list order. */
  const certainties = (answer: string): string[] =>
    [...answer.matchAll(/^\*\*[^*]+:\*\* certainty ([a-z ]+), direction/gm)].map(([, word]) => word!.replace(' ', '_'));

  it('list graded supplements, most certain first, each with a verified quote, a stance and a link to its grade', async () => {
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

  it('give no recommendation, at most low confidence, and mark sources on a wider outcome only', async () => {
    const { answer, confidence } = await ask('Which supplements were studied for insomnia?');
    assert.match(answer, /This is no recommendation/);
    assert.match(answer, /Not on insomnia itself: /);
    assert.match(answer, /\(\/conditions\/insomnia\)/);
    assert.ok(['low', 'very_low'].includes(confidence));
  });

  it('say when no graded supplement points in favour, and when one did worse', async () => {
    const { summary, answer } = await ask('what helps with migraine');
    assert.match(summary, /none of them on migraine itself.* None of them points in favour\./);
    assert.match(answer, /direction against, a worse result/);
  });

  it('are answered when they name a symptom', async () => {
    const { status, citations } = await ask('best evidence for knee pain');
    assert.equal(status, 'answered');
    assert.ok(citations.length > 0);
  });

  it('leave out the supplements that they exclude, and say so', async () => {
    const { answer, citations, status } = await ask('sleep supplements without melatonin');
    assert.equal(status, 'answered');
    assert.match(answer, /^_Left out, as the question asks: Melatonin\._/);
    assert.ok(citations.length > 0);
    assert.ok(citations.every(({ title }) => !/melatonin/i.test(title)));
    const both = await ask('what can I take for anxiety without ashwagandha or caffeine');
    assert.match(both.answer, /^_Left out, as the question asks: Ashwagandha, Caffeine\._/);
  });

  it('exclude nothing when they compare two supplements or negate the verb', async () => {
    assert.doesNotMatch((await ask('does vitamin d work without vitamin k')).answer, /Left out/);
    assert.doesNotMatch((await ask('Does magnesium not help sleep?')).answer, /Left out/);
  });

  it('get insufficient_evidence for an ungraded category, another subject or a definition', async () => {
    for (const question of ['amino acids for rosacea', 'what music helps with anxiety', 'What is migraine?'])
      assert.equal((await ask(question)).status, 'insufficient_evidence', question);
  });
});

describe('questions on another subject', () => {
  const base = useEngine();

  it('are reported as out of scope instead of as lacking evidence', async () => {
    for (const question of ['who won the world cup', 'How do I reset my router to factory settings?']) {
      const { answer } = await base.ask(question);
      assert.equal(answer.status, 'insufficient_evidence');
      assert.match(answer.summary, /outside what this base covers/);
      assert.match(answer.what_would_answer, /^Another source/);
    }
  });

  it('are distinguished from unknown supplement names', async () => {
    const { answer } = await base.ask('Is zorbatine safe to take every day?');
    assert.doesNotMatch(answer.summary, /outside/);
    assert.match(answer.answer, /does not mean that it is safe/);
  });
});

describe('the stance label of a source', () => {
  it('distinguishes no effect from harm', () => {
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
