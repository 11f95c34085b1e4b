/** Tests /chat and the answer pages without client-side script. */
import { strict as assert } from 'node:assert';
import type { Agent } from 'supertest';
import supertest from 'supertest';
import { api, type IssuedKey } from '../../support/client.ts';
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
  openStream,
  scriptedEngine,
  useAnswerService,
} from './support.ts';

const EMERGENCY = 'Call your emergency number now.';

describe('/chat and the answer pages', () => {
  let service: AnswerService;
  let key: IssuedKey;
  useAnswerService((given) => {
    ({ service, key } = given);
  });

  /** Returns an agent with its own cookies and its own client address. */
  const reader = (at = service): Agent => {
    const agent = supertest.agent(at.url);
    agent.set('X-Forwarded-For', newAddress());
    return agent;
  };
  const send = (who: Agent, form: object) => who.post('/chat').type('form').send(form);
  const askAndSee = async (who: Agent, form: object = { question: 'Does it help?' }) => {
    const { headers } = await send(who, form).expect(303);
    const path = headers.location ?? '';
    assert.match(path, /^\/answers\/ans_[0-9a-f]{32}$/);
    return { path, html: (await who.get(path).expect(200)).text };
  };
  const orderOf = (html: string, parts: readonly string[]) => {
    const places = parts.map((part) => html.indexOf(part));
    assert.ok(!places.includes(-1), `${parts[places.indexOf(-1)]} is missing`);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  };

  it('prefills the question from the seed without asking it, and names the supplement in the heading', async () => {
    const engine = scriptedEngine();
    service.answers.engine = engine;
    const page = await reader().get('/chat?about=magnesium&seed=Does%20it%20%3Cb%3Ehelp%3F').expect(200);
    assert.match(page.text, /<h1>Ask about Magnesium<\/h1>/);
    assert.match(page.text, /<textarea[^>]*>Does it &lt;b&gt;help\?<\/textarea>/);
    assert.match(page.text, /<input type="hidden" name="about" value="magnesium">/);
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.equal(page.headers['x-robots-tag'], 'noindex');
    assert.equal(engine.asked.length, 0);
    const plain = await reader().get('/chat').expect(200);
    assert.equal(plain.headers['x-robots-tag'], undefined);
    const unknown = await reader().get('/chat?about=xyzzy').expect(200);
    assert.match(unknown.text, /No supplement here is called “xyzzy”/);
  });

  it('redirects a form to the answer page: question, interactions, sources, claims and follow-up questions', async () => {
    const pair = await api(service).get('/api/interactions/check?supplement=ginkgo&drug=warfarin').expect(200);
    service.answers.engine = scriptedEngine(({ question }) =>
      eventsOf(answerBody(question, { interactions: [pair.body] })),
    );
    const { html } = await askAndSee(reader(), { question: 'Does <i>it</i> help?', about: 'ginkgo' });
    assert.match(html, /<h1 class="question">Does &lt;i&gt;it&lt;\/i&gt; help\?<\/h1>/);
    orderOf(html, [
      'class="question"',
      'id="interactions"',
      '2 sources',
      'id="the-answer"',
      'Ask next',
      'no medical advice',
    ]);
    assert.match(html, /Ginkgo with warfarin/i);
    assert.match(html, /id="claim-1"[\s\S]*It helped in one trial[\s\S]*href="#ref-1"[\s\S]*id="claim-2"/);
    assert.match(html, /Speaks against it/);
    assert.match(html, /href="\/chat\?about=ginkgo&amp;seed=Does\+it\+help\+for\+longer%3F"/);
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|style="| on[a-z]+="/);
  });

  it('returns 429 with the number of seconds to wait after five questions a minute', async () => {
    const who = reader();
    for (let times = 0; times < 5; times += 1) await send(who, { question: 'Does it help?' }).expect(303);
    const sixth = await send(who, { question: 'Does it help?' }).set('Accept', 'text/html').expect(429);
    const seconds = Number(sixth.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 61, `${seconds}`);
    assert.match(sixth.text, new RegExp(`Please try again in ${seconds} seconds?\\. What you sent was not taken`));
  });

  it('shows the summary once, and keeps the link at the end of the text', async () => {
    const summary = 'No study here looks at it.';
    const answer = `${summary}\n\nCautions on record. [Record and sources](/interactions/ginkgo)`;
    service.answers.engine = scriptedEngine(({ question }) =>
      eventsOf(answerBody(question, { status: 'insufficient_evidence', summary, answer, claims: [], citations: [] })),
    );
    const { html } = await askAndSee(reader(), { question: 'Does it help?' });
    assert.equal(html.split(summary).length, 2);
    assert.match(html, /Cautions on record\. <a href="\/interactions\/ginkgo">Record and sources<\/a>/);
    assert.match(html, /href="\/search\?q=Does%20it%20help%3F"/);
  });

  it('offers a feedback form for each claim, and redirects back to the answer after a report', async () => {
    const who = reader();
    const { path, html } = await askAndSee(who);
    const forms = html.match(/<form class="wrong-form" action="\/api\/chat\/feedback" method="post">/g) ?? [];
    assert.equal(forms.length, 2);
    assert.match(html, /name="answer_excerpt" value="It helped in one trial"/);
    const reply = await who
      .post('/api/chat/feedback')
      .type('form')
      .send({
        answer_id: path.split('/')[2],
        rating: 'down',
        back: path,
        reasons: 'unsafe',
        comment: '',
        answer_excerpt: 'It helped',
      })
      .expect(303);
    assert.equal(reply.headers.location, `${path}#feedback-received`);
    assert.match(html, /id="feedback-received"/);
  });

  it('shows the emergency advice first, without any evidence', async () => {
    const refusal = { kind: 'emergency', reason: 'A poison centre can ask back.', emergency: EMERGENCY, pages: [] };
    service.answers.engine = scriptedEngine(({ question }) =>
      eventsOf(
        answerBody(question, {
          status: 'refused',
          answer: EMERGENCY,
          claims: [],
          citations: [],
          follow_ups: [],
          evidence_balance: balance(0, 0),
          refusal,
        }),
      ),
    );
    const { html } = await askAndSee(reader(), { question: 'I took 40 tablets' });
    orderOf(html, ['<main', EMERGENCY, '<h1 class="question"', 'A poison centre can ask back.']);
    assert.doesNotMatch(html, /sources<\/h2>|id="the-answer"/);
  });

  it('lets only the device that asked delete its answer', async () => {
    const [who, other] = [reader(), reader()];
    const { path, html } = await askAndSee(who);
    assert.match(html, /Delete it now/);
    assert.doesNotMatch((await other.get(path).expect(200)).text, /Delete it now/);
    await other.post(`${path}/delete`).expect(404);
    await who.get(path).expect(200);
    const gone = await who.post(`${path}/delete`).expect(303);
    assert.equal(gone.headers.location, '/chat?notice=deleted');
    await who.get(path).expect(404);
    assert.match((await who.get('/chat?notice=deleted').expect(200)).text, /The answer was deleted/);
  });

  it('asks again from the answer page, and shows the differences on the new page', async () => {
    const who = reader();
    const { path } = await askAndSee(who);
    service.answers.engine = scriptedEngine(({ question }) =>
      eventsOf(answerBody(question, { confidence: 'high', citations: [citation(1), citation(2), citation(3)] })),
    );
    const { headers } = await who.post(`${path}/rerun`).expect(303);
    assert.notEqual(headers.location, path);
    const { text } = await who.get(headers.location ?? '').expect(200);
    assert.match(text, /What changed since/);
    assert.match(text, /Sources that came[\s\S]*A trial of something, number 3/);
    assert.match(text, new RegExp(`href="${path}">The earlier answer`));
  });

  it('shows an answer of an API key, and says that the key may delete it', async () => {
    const { body } = await api(service).post('/api/ask').set(authorised(key)).send({ question: 'Does it help?' });
    const { text } = await reader().get(`/answers/${body.answer_id}`).expect(200);
    assert.match(text, /that key may delete it/);
  });

  it('escapes HTML in every field of an answer', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const body = answerBody('Does it help?', {
      answer: `${evil} [1].`,
      summary: evil,
      claims: [{ text: evil, citations: [1], start: 0, end: evil.length + 4 }],
      citations: [citation(1, { title: evil, quote: evil, url: 'https://pubmed.ncbi.nlm.nih.gov/1/' })],
      follow_ups: [evil],
      disclaimer: evil,
      warnings: [{ code: 'x', message: evil }],
    });
    service.answers.engine = scriptedEngine(() => eventsOf(body));
    const { html } = await askAndSee(reader());
    assert.ok(!html.includes('<img'));
  });

  it('rejects cross-site forms and streams with 403', async () => {
    const { path } = await askAndSee(reader());
    const foreign = [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Origin', 'https://evil.example'],
    ] as const;
    for (const [name, value] of foreign) {
      for (const target of ['/chat', `${path}/rerun`, `${path}/delete`, '/chat/ask/stream']) {
        const reply = await reader().post(target).set(name, value).type('form').send({ question: 'Does it help?' });
        assert.equal(reply.status, 403, `${target} ${name}`);
      }
    }
    const own = await reader()
      .post('/chat')
      .set('Origin', 'http://evidence.test')
      .type('form')
      .send({ question: 'Why so?' });
    assert.equal(own.status, 303);
  });

  it('streams to visitors without a key, and lets only the same device resume', async () => {
    const address = newAddress();
    const open = (headers: Record<string, string> = {}) =>
      openStream(service, {
        path: '/chat/ask/stream',
        headers: { 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'same-origin', ...headers },
        body: { question: 'Does it help?', about: 'ginkgo', history: [{ role: 'user', content: 'Hello' }] },
      });
    const first = await open();
    assert.equal(first.status, 200);
    const events = await first.ended();
    assert.equal(events.at(-1)?.event, 'done');
    const cookie = (first.headers['set-cookie'] ?? [])[0]?.split(';')[0] ?? '';
    assert.match(cookie, /^ekb_device=/);
    const place = { 'Last-Event-ID': events[1]?.id ?? '' };
    for (let times = 0; times < 8; times += 1) {
      const again = await open({ ...place, Cookie: cookie });
      assert.deepEqual(await again.ended(), events.slice(2));
    }
    const other = await open({ ...place, Cookie: `ekb_device=${'x'.repeat(43)}` });
    assert.deepEqual(
      (await other.ended()).map(({ event }) => event),
      ['session_lost'],
    );
  });

  it('allows a visitor one concurrent question and five a minute, streams and forms together', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 2, open: gate.promise });
    const headers = { 'X-Forwarded-For': newAddress() };
    const first = await openStream(service, { path: '/chat/ask/stream', headers });
    const second = await openStream(service, { path: '/chat/ask/stream', headers });
    assert.equal(second.status, 429);
    await second.ended();
    assert.match(second.text(), /Quota exceeded \(ask\): 2\/1/);
    gate.resolve();
    await first.ended();
    for (let times = 0; times < 3; times += 1)
      await api(service).post('/chat').set(headers).type('form').send({ question: 'Does it help?' }).expect(303);
    const sixth = await api(service).post('/chat').set(headers).type('form').send({ question: 'Does it help?' });
    assert.equal(sixth.status, 429);
    assert.match(sixth.text, /Too many requests/);
  });

  it('shows the validation error of a form on a page', async () => {
    const { text } = await send(reader(), { question: 'ab' }).expect(422);
    assert.match(text, /question: String should have at least 3 characters/);
  });

  it('shows an answer that is not stored only to the device that asked', async () => {
    const beside = await startBeside(service, {
      settings: { ANSWERS_KEEP_DAYS: '0', TRUSTED_PROXIES: '127.0.0.1' },
    });
    answersOf(beside).engine = scriptedEngine();
    const at = { ...service, ...beside };
    const who = reader(at);
    const { path, html } = await askAndSee(who);
    assert.match(html, /keeps no answers/);
    await reader(at).get(path).expect(404);
    await beside.stop();
  });
});
