/** Tests stored answers by ID: reading, rerunning, deleting and expiry. */
import { strict as assert } from 'node:assert';
import { answersPlugin } from '#plugins/answers/index.ts';
import { pruneJob } from '#plugins/answers/jobs.ts';
import { runJob } from '../../../core/jobs/scheduler.ts';
import { api, type IssuedKey, issueKey } from '../../support/client.ts';
import { countOf, sql } from '../../support/database.ts';
import { startBeside } from '../../support/shared.ts';
import {
  type AnswerService,
  answerBody,
  answersOf,
  authorised,
  balance,
  citation,
  eventsOf,
  newAddress,
  scriptedEngine,
  useAnswerService,
} from './support.ts';

describe('a stored answer', () => {
  let service: AnswerService;
  let key: IssuedKey;
  useAnswerService((given) => {
    ({ service, key } = given);
  });

  const ask = async (body: object = { question: 'Does it help?' }) =>
    (await api(service).post('/api/ask').set(authorised(key)).send(body).expect(200)).body;
  const get = (path: string) => api(service).get(path).set('X-Forwarded-For', newAddress());
  const rerun = (id: string) => api(service).post(`/api/answers/${id}/rerun`).set('X-Forwarded-For', newAddress());

  it('has every documented field, a random ID, a timestamp and versions', async () => {
    const answer = await ask({ question: '  Does it help?  ', max_citations: 3 });
    assert.match(answer.answer_id, /^ans_[0-9a-f]{32}$/);
    assert.equal(answer.question, 'Does it help?');
    assert.ok(Number.isInteger(answer.latency_ms));
    assert.match(answer.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(answer.permalink, `/answers/${answer.answer_id}`);
    const fields =
      `status answer summary confidence claims citations evidence_balance interactions follow_ups disclaimer
      disclaimer_url retrieval_version index_version model`.split(/\s+/);
    for (const field of fields) assert.ok(field in answer, field);
  });

  it('passes the request to the engine with defaults, and uppercases the tier', async () => {
    const engine = scriptedEngine();
    service.answers.engine = engine;
    await ask({ question: 'Does it help?', min_quality_tier: 'b', supplement: '', vertical: 'magnesium-sleep' });
    assert.deepEqual(engine.asked[0], {
      question: 'Does it help?',
      vertical: 'magnesium-sleep',
      min_quality_tier: 'B',
      max_citations: 8,
      audience: 'consumer',
      language: 'en',
      history: [],
      model_consent: false,
    });
  });

  it('treats null and "" in optional fields as absent', async () => {
    const names = ['vertical', 'supplement', 'source_class', 'min_quality_tier', 'audience', 'language'];
    const engine = scriptedEngine();
    service.answers.engine = engine;
    for (const value of ['', null])
      await ask({ question: 'Does it help?', ...Object.fromEntries(names.map((name) => [name, value])) });
    await ask({ question: 'Does it help?', max_citations: null, history: null });
    const plain = { max_citations: 8, audience: 'consumer', language: 'en', history: [], model_consent: false };
    assert.deepEqual(engine.asked, Array(3).fill({ question: 'Does it help?', ...plain }));
  });

  it('rejects invalid requests with 422, naming the field', async () => {
    const wrong: [object, string][] = [
      [{}, 'question'],
      [{ question: 'ab' }, 'question'],
      [{ question: '       ' }, 'question'],
      [{ question: ' ab ' }, 'question'],
      [{ question: 'x'.repeat(1001) }, 'question'],
      [{ question: 'a\0bcd' }, 'question'],
      [{ question: 'why?', max_citations: 0 }, 'max_citations'],
      [{ question: 'why?', max_citations: 21 }, 'max_citations'],
      [{ question: 'why?', max_citations: '8' }, 'max_citations'],
      [{ question: 'why?', min_quality_tier: 'E' }, 'min_quality_tier'],
      [{ question: 'why?', audience: 'cat' }, 'audience'],
      [{ question: 'why?', language: '../en' }, 'language'],
      [{ question: 'why?', history: [{ role: 'system', content: 'x' }] }, 'role'],
      [{ question: 'why?', history: Array(11).fill({ role: 'user', content: 'x' }) }, 'history'],
    ];
    for (const [body, field] of wrong) {
      const caller = await issueKey(service, service.admin);
      const reply = await api(service).post('/api/ask').set(authorised(caller)).send(body).expect(422);
      assert.ok(
        reply.body.detail.some(({ loc }: { loc: unknown[] }) => loc.includes(field)),
        `${JSON.stringify(body)}: ${JSON.stringify(reply.body.detail)}`,
      );
    }
    await api(service).post('/api/ask').send({ question: 'why?' }).expect(401);
  });

  it('never stores the history, and logs neither history nor question', async () => {
    const lines: string[] = [];
    const beside = await startBeside(service, { onLog: (line) => lines.push(line) });
    answersOf(beside).engine = scriptedEngine();
    const history = [{ role: 'user', content: 'I have xyzzy-disease' }];
    const question = 'Does plugh-powder help?';
    const { body } = await api(beside).post('/api/ask').set(authorised(key)).send({ question, history }).expect(200);
    await beside.stop();
    const [row] = await sql(service, 'select row_to_json(answer)::text as text from answer where answer_id = ?', [
      body.answer_id,
    ]);
    assert.match(String(row?.text), /plugh-powder/);
    assert.doesNotMatch(String(row?.text), /xyzzy/);
    assert.ok(lines.length);
    assert.doesNotMatch(lines.join('\n'), /plugh|xyzzy/);
  });

  it('is readable by anyone with its ID, with no-store and noindex', async () => {
    const answer = await ask();
    const reply = await get(`/api/answers/${answer.answer_id}`).expect(200);
    assert.equal(reply.body.answer, answer.answer);
    assert.match(reply.headers['cache-control'] ?? '', /no-store/);
    assert.equal(reply.headers['x-robots-tag'], 'noindex');
    const days = (Date.parse(reply.body.expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 399 && days < 401);
    const page = await get(`/answers/${answer.answer_id}`).expect(200);
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.equal(page.headers['x-robots-tag'], 'noindex');
  });

  it('returns 404 for an unknown ID and 422 for a malformed one', async () => {
    const lost = await get(`/api/answers/ans_${'0'.repeat(32)}`).expect(404);
    assert.equal(lost.body.code, 'not_found');
    await get('/api/answers/17').expect(422);
    await rerun(`ans_${'0'.repeat(32)}`).expect(404);
    await get(`/answers/ans_${'0'.repeat(32)}`).expect(404);
  });

  it('warns when one of its sources has been retracted since', async () => {
    const { body } = await api(service).get('/api/sources?page_size=1').expect(200);
    const [source] = body.sources;
    service.answers.engine = scriptedEngine(({ question }) =>
      eventsOf(answerBody(question, { citations: [citation(1, { source_id: source.source_id }), citation(2)] })),
    );
    const answer = await ask();
    await sql(service, "update evidence_source set retraction_status = 'retracted' where source_id = ?", [
      source.source_id,
    ]);
    const reply = await get(`/api/answers/${answer.answer_id}`).expect(200);
    assert.equal(reply.body.citations[0].retraction_status, 'retracted');
    assert.equal(reply.body.warnings[0].code, 'source_retracted_since');
    const { text } = await get(`/answers/${answer.answer_id}`).expect(200);
    assert.match(text, /Retracted since this answer was given: \[1\]/);
    assert.match(text, /<strong class="notice">Retracted<\/strong>/);
    await sql(service, "update evidence_source set retraction_status = 'none' where source_id = ?", [source.source_id]);
  });

  it('reports added sources, removed sources and changed values after a rerun', async () => {
    const before = await ask();
    service.answers.engine = scriptedEngine(({ question }) =>
      eventsOf(
        answerBody(question, {
          confidence: 'moderate',
          citations: [citation(2, { quality_tier: 'A' }), citation(3)],
          evidence_balance: balance(2, 1),
          index_version: 'index-2',
        }),
      ),
    );
    const { body } = await rerun(before.answer_id).expect(200);
    const { diff, rerun_of, ...today } = body;
    assert.equal(rerun_of, before.answer_id);
    assert.notEqual(today.answer_id, before.answer_id);
    assert.equal(diff.same, false);
    assert.equal(diff.status, null);
    assert.deepEqual(diff.confidence, { before: 'low', after: 'moderate' });
    assert.deepEqual(diff.evidence_balance.after, balance(2, 1));
    const ids = (list: { source_id: string }[]) => list.map(({ source_id }) => source_id);
    assert.deepEqual(ids(diff.citations_added), ['pmid-90000003']);
    assert.deepEqual(ids(diff.citations_removed), ['pmid-90000001']);
    assert.deepEqual(diff.tiers_changed[0], {
      source_id: 'pmid-90000002',
      title: 'A trial of something, number 2',
      before: 'B',
      after: 'A',
    });
    assert.deepEqual(diff.index_version, { before: 'index-1', after: 'index-2' });
    assert.deepEqual(diff.asked_at, { before: before.created_at, after: today.created_at });
    const { text } = await get(`/answers/${today.answer_id}`).expect(200);
    assert.match(text, /What changed since/);
    assert.match(text, /<td role="cell" data-name="Before">low<\/td><td role="cell" data-name="Now">moderate<\/td>/);
    assert.match(text, /Sources that went/);
  });

  it('reports no changes when a rerun gives the same answer', async () => {
    const before = await ask();
    const { body } = await rerun(before.answer_id).expect(200);
    assert.equal(body.diff.same, true);
    const { text } = await get(`/answers/${body.answer_id}`).expect(200);
    assert.match(text, /Nothing that matters/);
  });

  it('is limited to five reruns a minute from one address', async () => {
    const { answer_id } = await ask();
    const address = newAddress();
    const again = () => api(service).post(`/api/answers/${answer_id}/rerun`).set('X-Forwarded-For', address);
    for (let times = 0; times < 5; times += 1) await again().expect(200);
    const { body } = await again().expect(429);
    assert.equal(body.detail, 'Quota exceeded (ask): 6/5');
  });

  it('is deleted with its reruns by the key that asked, and by no other', async () => {
    const { answer_id } = await ask();
    const again = (await rerun(answer_id).expect(200)).body.answer_id;
    const other = await issueKey(service, service.admin);
    await api(service).delete(`/api/answers/${answer_id}`).set(authorised(other)).expect(404);
    await api(service).delete(`/api/answers/${answer_id}`).expect(401);
    const { body } = await api(service).delete(`/api/answers/${answer_id}`).set(authorised(key)).expect(200);
    assert.deepEqual(body, { answer_id, deleted: true });
    await get(`/api/answers/${answer_id}`).expect(404);
    await get(`/api/answers/${again}`).expect(404);
  });

  it('is hidden as soon as it expires, and deleted by the prune job', async () => {
    const { answer_id } = await ask();
    await sql(service, "update answer set expires_at = now() - interval '1 second' where answer_id = ?", [answer_id]);
    await get(`/api/answers/${answer_id}`).expect(404);
    await sql(service, 'update answer_stream set expires_at = now()');
    const outcome = await runJob(service.runtime, answersPlugin, pruneJob as never);
    assert.equal(outcome.status, 'ok');
    assert.equal(await countOf(service, 'answer where answer_id = ?', [answer_id]), 0);
    assert.equal(await countOf(service, 'answer_stream'), 0);
    assert.equal(await countOf(service, 'answer_stream_event'), 0);
  });

  it('outlives the expired answer that it is a rerun of', async () => {
    const { answer_id } = await ask();
    const again = (await rerun(answer_id).expect(200)).body.answer_id;
    await sql(service, "update answer set expires_at = now() - interval '1 second' where answer_id = ?", [answer_id]);
    assert.equal((await runJob(service.runtime, answersPlugin, pruneJob as never)).status, 'ok');
    assert.equal(await countOf(service, 'answer where answer_id = ?', [answer_id]), 0);
    assert.equal((await get(`/api/answers/${again}`).expect(200)).body.rerun_of, null);
    await get(`/answers/${again}`).expect(200);
  });

  it('has no permalink and cannot be read when ANSWERS_KEEP_DAYS is 0', async () => {
    const beside = await startBeside(service, { settings: { ANSWERS_KEEP_DAYS: '0' } });
    answersOf(beside).engine = scriptedEngine();
    const question = 'Does it help?';
    const { body } = await api(beside).post('/api/ask').set(authorised(key)).send({ question }).expect(200);
    assert.equal(body.permalink, '');
    await api(beside).get(`/api/answers/${body.answer_id}`).expect(404);
    await beside.stop();
    const [row] = await sql(
      service,
      "select expires_at < now() + interval '301 seconds' as soon from answer where answer_id = ?",
      [body.answer_id],
    );
    assert.equal(row?.soon, true);
  });
});
