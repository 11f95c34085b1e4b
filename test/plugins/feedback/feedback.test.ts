import assert from 'node:assert/strict';
import { runJob } from '#core/jobs/scheduler.ts';
import { feedbackPlugin } from '#plugins/feedback/index.ts';
import { forgetWriters } from '#plugins/feedback/jobs.ts';
import { api, bearer, bootstrapAdmin, type IssuedKey, issueKey } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { countOf, sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { runFeedback } from './support.ts';

const MESSAGE = { category: 'error', message: 'The dose of magnesium is wrong.' };
const SCRIPT = '<script>alert(1)</script>\u001b[31m & “quotes”';

describe('feedback', () => {
  let service: TestService;
  let admin: IssuedKey;
  const lines: string[] = [];
  let caller = 0;
  /** Returns a new client address for each call, because an address is limited to five messages a minute. */
  const newAddress = (): string => {
    caller += 1;
    return `10.9.${Math.floor(caller / 250)}.${caller % 250}`;
  };
  const post = (path: string, from = newAddress()) => api(service).post(path).set('X-Forwarded-For', from);
  const stats = async () =>
    (
      await api(service)
        .get('/api/feedback/stats')
        .set(...bearer(admin.key))
        .expect(200)
    ).body;
  const rows = (table: string) => sql(service, `select * from ${table} order by created_at`);

  before(async function () {
    this.timeout(180_000);
    service = await startService({
      settings: { TRUSTED_PROXIES: '127.0.0.1', ANON_RPM: '100000', ANON_DAILY: '100000' },
      onLog: (line) => lines.push(line),
    });
    admin = await bootstrapAdmin(service);
  });
  after(() => service.stop());
  afterEach(async () => {
    await sql(service, 'delete from feedback');
    await sql(service, 'delete from answer_feedback');
  });

  describe('POST /api/feedback', () => {
    it('returns an ID, and stores the text unchanged', async () => {
      const sent = {
        ...MESSAGE,
        message: SCRIPT,
        target_type: 'supplement',
        target_id: 'magnesium',
        page_url: '/supplements/magnesium',
        rating: 4,
        email: 'reader@example.org',
        suggested_pmid: '12345678',
      };
      const { body } = await post('/api/feedback').send(sent).expect(200);
      assert.deepEqual(Object.keys(body), ['id', 'status', 'created_at']);
      assert.match(body.id, /^fb_[a-z0-9]{20,}$/);
      assert.equal(body.status, 'received');
      assert.match(body.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      const [{ id: _, status, created_at: __, closed_at: ___, device, ...kept } = {}] = await rows('feedback');
      assert.deepEqual(kept, { ...sent, outcome: '' });
      assert.match(String(device), /^[0-9a-f]{64}$/, 'it belongs to the device, which may delete it');
      assert.equal(status, 'open');
    });

    it('requires only a category and a message, and treats null and "" as absent', async () => {
      await post('/api/feedback').send(MESSAGE).expect(200);
      const empty = { target_type: '', target_id: '', page_url: '', email: '', suggested_pmid: '' };
      await post('/api/feedback')
        .send({ ...MESSAGE, ...empty })
        .expect(200);
      const nothing = { target_type: null, target_id: null, page_url: null, email: null, rating: null };
      await post('/api/feedback')
        .send({ ...MESSAGE, ...nothing })
        .expect(200);
      assert.equal(await countOf(service, "feedback where email = '' and rating is null"), 3);
    });

    it('returns 422 with every problem, and never repeats an e-mail address', async () => {
      const { body } = await post('/api/feedback')
        .send({
          category: 'rant',
          message: ' ',
          rating: 6,
          email: 'no-address',
          suggested_pmid: 'PMC1',
          target_type: 'x',
        })
        .expect(422);
      const fields = body.detail.map(({ loc }: { loc: string[] }) => loc[1]).sort();
      assert.deepEqual(fields, ['category', 'email', 'message', 'rating', 'suggested_pmid', 'target_type']);
      assert.ok(!JSON.stringify(body).includes('no-address'));
      for (const wrong of [{}, { category: 'error' }, { message: 'x' }, { ...MESSAGE, message: 'x'.repeat(4001) }, []])
        await post('/api/feedback').send(wrong).expect(422);
      await post('/api/feedback').set('Content-Type', 'application/json').send('{').expect(422);
      await post('/api/feedback')
        .send({ ...MESSAGE, message: 'a\u0000b' })
        .expect(422);
      assert.equal(await countOf(service, 'feedback'), 0);
    });

    it('accepts an HTML form, and redirects back to the page', async () => {
      const reply = await post('/api/feedback')
        .type('form')
        .send('category=unsafe&message=So+it+is&rating=5&email=&back=%2Fsupplements%2Fmagnesium%3Fa%3D1')
        .expect(303);
      assert.equal(reply.headers.location, '/supplements/magnesium?a=1#feedback-received');
      const [row] = await rows('feedback');
      assert.deepEqual([row?.category, row?.message, row?.rating, row?.email], ['unsafe', 'So it is', 5, '']);
    });

    it('never redirects to another site, whatever the form or the Referer header says', async () => {
      for (const back of ['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '']) {
        const form = { ...MESSAGE, back };
        const reply = await post('/api/feedback').type('form').set('Referer', 'https://evil.example/x').send(form);
        assert.equal(reply.headers.location, '/feedback#feedback-received', back);
      }
      const reply = await post('/api/feedback')
        .type('form')
        .set('Referer', 'http://evidence.test/supplements/zinc')
        .send(MESSAGE);
      assert.equal(reply.headers.location, '/supplements/zinc#feedback-received');
    });

    it('reports an invalid form as HTML to a browser and as JSON to a program', async () => {
      const page = await post('/api/feedback')
        .type('form')
        .set('Accept', 'text/html')
        .send('category=error')
        .expect(422);
      assert.match(page.headers['content-type'] ?? '', /^text\/html/);
      const json = await post('/api/feedback').type('form').send('category=error').expect(422);
      assert.match(json.headers['content-type'] ?? '', /^application\/json/);
    });

    it('rejects cross-site requests with 403, except with an API key', async () => {
      for (const header of [
        ['Origin', 'https://evil.example'],
        ['Sec-Fetch-Site', 'cross-site'],
      ] as const) {
        const { body } = await post('/api/feedback').set(header[0], header[1]).send(MESSAGE).expect(403);
        assert.equal(body.code, 'cross_site_request');
      }
      await post('/api/feedback').set('Origin', 'http://evidence.test').send(MESSAGE).expect(200);
      const key = await issueKey(service, admin);
      await post('/api/feedback')
        .set('Origin', 'https://partner.example')
        .set(...bearer(key.key))
        .send(MESSAGE)
        .expect(200);
    });

    it('is limited to five a minute per address across both routes, and counted separately per key', async () => {
      const from = '10.77.0.1';
      for (let at = 0; at < 4; at += 1) await post('/api/feedback', from).send(MESSAGE).expect(200);
      await post('/api/chat/feedback', from).send({ answer_id: 'ans_1', rating: 'up' }).expect(200);
      const { body, headers } = await post('/api/feedback', from).send(MESSAGE).expect(429);
      assert.equal(body.detail, 'Quota exceeded (feedback): 6/5');
      assert.deepEqual(body['violated-policies'], ['feedback']);
      assert.ok(Number(headers['retry-after']) > 0);
      await post('/api/feedback', from)
        .set(...bearer(admin.key))
        .send(MESSAGE)
        .expect(200);
    });

    it('records the event in the change log without the message', async () => {
      const { body } = await post('/api/feedback')
        .send({ ...MESSAGE, email: 'a@b.example' })
        .expect(200);
      const [change] = await sql(service, 'select kind, data from change_log where subject_id = ?', [body.id]);
      assert.deepEqual(change, {
        kind: 'feedback.created',
        data: { category: 'error', target_type: '', target_id: '' },
      });
    });
  });

  describe('POST /api/chat/feedback', () => {
    const vote = { answer_id: 'ans_abc', rating: 'down', reasons: ['unsafe', 'wrong_citation'], comment: SCRIPT };

    it('stores one vote per answer and device, and replaces it on a later vote', async () => {
      const from = '10.78.0.1';
      const first = await post('/api/chat/feedback', from).send(vote).expect(200);
      const [cookie = ''] = String(first.headers['set-cookie']).split(';');
      assert.match(cookie, /^ekb_device=/);
      const second = await post('/api/chat/feedback', from)
        .set('Cookie', cookie)
        .send({ answer_id: 'ans_abc', rating: 1 })
        .expect(200);
      assert.equal(second.body.id, first.body.id);
      await post('/api/chat/feedback', from).set('Cookie', cookie).send({ answer_id: 'ans_other', rating: -1 });
      await post('/api/chat/feedback', from).send(vote).expect(200);
      const kept = (await rows('answer_feedback')).map(({ answer_id: id, rating }) => `${id} ${rating}`).sort();
      assert.deepEqual(kept, ['ans_abc down', 'ans_abc up', 'ans_other down']);
    });

    it('counts a key as one voter, and does not store its ID', async () => {
      const key = await issueKey(service, admin);
      for (const rating of ['up', 'down'])
        await post('/api/chat/feedback')
          .set(...bearer(key.key))
          .send({ answer_id: 'ans_k', rating })
          .expect(200);
      const [row, ...more] = await rows('answer_feedback');
      assert.equal(more.length, 0);
      assert.equal(row?.rating, 'down');
      assert.ok(!JSON.stringify(row).includes(key.id));
    });

    it('accepts a form with several reasons', async () => {
      const reply = await post('/api/chat/feedback')
        .type('form')
        .send('answer_id=ans_f&rating=-1&reasons=outdated&reasons=unclear&comment=&back=/answers/ans_f')
        .expect(303);
      assert.equal(reply.headers.location, '/answers/ans_f#feedback-received');
      const [row] = await rows('answer_feedback');
      assert.deepEqual([row?.rating, row?.reasons], ['down', ['outdated', 'unclear']]);
    });

    it('treats null and "" in optional fields as absent', async () => {
      const nothing = { reasons: null, comment: null, question: '', answer_excerpt: null };
      await post('/api/chat/feedback')
        .send({ answer_id: 'ans_1', rating: 'up', ...nothing })
        .expect(200);
      const [row] = await rows('answer_feedback');
      assert.deepEqual([row?.reasons, row?.comment, row?.question], [[], '', '']);
    });

    it('lists the allowed ratings in the error, each once', async () => {
      const { body } = await post('/api/chat/feedback').send({ answer_id: 'ans_1', rating: 'meh' }).expect(422);
      assert.equal(body.detail[0].msg, "Input should be 'up', 'down', '1' or '-1'");
    });

    it('returns 422 for an unknown rating or reason, and for a missing answer ID', async () => {
      for (const wrong of [
        { answer_id: 'ans_1', rating: 'meh' },
        { answer_id: 'ans_1', rating: 0 },
        { answer_id: 'ans_1', rating: 'up', reasons: ['boring'] },
        { answer_id: '', rating: 'up' },
        { rating: 'up' },
        { answer_id: 'ans_1', rating: 'up', comment: 'x'.repeat(2001) },
      ])
        await post('/api/chat/feedback').send(wrong).expect(422);
      assert.equal(await countOf(service, 'answer_feedback'), 0);
    });
  });

  describe('GET /api/feedback/stats', () => {
    it('returns counts, and neither e-mail addresses nor messages', async () => {
      await post('/api/feedback').send({ ...MESSAGE, rating: 5, email: 'reader@example.org', target_type: 'page' });
      await post('/api/feedback').send({ category: 'unsafe', message: 'b', rating: 2, target_type: 'page' });
      await post('/api/feedback').send({ category: 'unsafe', message: 'c' });
      await post('/api/chat/feedback').send({ answer_id: 'ans_1', rating: 'up' });
      await post('/api/chat/feedback').send({ answer_id: 'ans_1', rating: 'down', reasons: ['unsafe', 'unsafe'] });
      await sql(
        service,
        "update feedback set status = 'closed', created_at = now() - interval '10 days', closed_at = now() - interval '9 days' where message = 'c'",
      );
      const body = await stats();
      const { generated_at: generatedAt, ...rest } = body;
      assert.deepEqual(rest, {
        total: 3,
        open: 2,
        by_category: { error: 1, unsafe: 2 },
        by_outcome: { changed: 0, already_known: 0, not_changed: 0, not_for_us: 0, thanks: 0, not_said: 1 },
        by_target_type: { page: 2 },
        rating_avg: 3.5,
        chat: { up: 1, down: 1, by_reason: { unsafe: 1 }, open: 1 },
        last_7_days: 2,
        median_hours_to_close: 24,
      });
      assert.ok(Math.abs(Date.parse(generatedAt) - Date.now()) < 60_000);
      assert.ok(!JSON.stringify(body).includes('@'));
    });

    it('requires an administrator key', async () => {
      await api(service).get('/api/feedback/stats').expect(401);
      const key = await issueKey(service, admin);
      const { body } = await api(service)
        .get('/api/feedback/stats')
        .set(...bearer(key.key))
        .expect(403);
      assert.equal(body.code, 'admin_required');
    });

    it('returns null for averages without data', async () => {
      const { rating_avg: rating, median_hours_to_close: hours, total } = await stats();
      assert.deepEqual([rating, hours, total], [null, null, 0]);
    });
  });

  it('is listed, shown and closed by the command, which strips control characters from messages', async () => {
    const { body } = await post('/api/feedback').send({ ...MESSAGE, message: SCRIPT, email: 'reader@example.org' });
    const run = (...args: string[]) => runFeedback(service, ...args);
    const list = await run('list');
    assert.match(list.text, new RegExp(`^${body.id} .* open {2}error {2}<script>`, 'm'));
    assert.ok(!list.text.includes('\u001b') && !list.text.includes('reader@'));
    assert.match((await run('show', body.id)).text, /^email: reader@example\.org$/m);
    const closed = await runCommand(['feedback', 'close', body.id, '--outcome', 'changed'], service.environment);
    assert.deepEqual([closed.status, closed.stdout.trim()], [0, `${body.id} is closed: led to a change.`]);
    assert.match((await run('list')).text, /Nothing is open/);
    assert.equal((await stats()).open, 0);
  });

  const forget = () => runJob(service.runtime, feedbackPlugin, forgetWriters);
  const forgot = (counts: object) => ({ status: 'ok', counts: { messages: 0, emails: 0, ratings: 0, ...counts } });

  it('deletes e-mail addresses 90 days after closing, and 400 days after receipt', async () => {
    for (const message of ['old', 'closed', 'fresh'])
      await post('/api/feedback').send({ ...MESSAGE, message, email: 'a@b.example' });
    await sql(service, "update feedback set created_at = now() - interval '401 days' where message = 'old'");
    await sql(
      service,
      "update feedback set status = 'closed', closed_at = now() - interval '91 days' where message = 'closed'",
    );
    assert.deepEqual(await forget(), forgot({ emails: 2 }));
    assert.deepEqual(await sql(service, "select message from feedback where email <> ''"), [{ message: 'fresh' }]);
    assert.equal(await countOf(service, 'feedback'), 3);
    assert.deepEqual(await forget(), forgot({}));
  });

  it('deletes a message 400 days after closing, and an open message after 800 days', async () => {
    for (const [message, age, closedAge] of [
      ['closed long ago', 800, 401],
      ['closed lately', 799, 399],
      ['open long', 801, null],
      ['open', 799, null],
    ] as const) {
      await post('/api/feedback').send({ ...MESSAGE, message });
      await sql(
        service,
        'update feedback set created_at = now() - make_interval(days => ?), closed_at = now() - make_interval(days => ?) where message = ?',
        [age, closedAge, message],
      );
    }
    assert.deepEqual(await forget(), forgot({ messages: 2 }));
    const left = await sql(service, 'select message from feedback order by message');
    assert.deepEqual(left, [{ message: 'closed lately' }, { message: 'open' }]);
    assert.deepEqual(await forget(), forgot({}));
  });

  it('keeps only the direction and the reasons of a rating after 400 days', async () => {
    const body = {
      rating: 'down',
      reasons: ['outdated'],
      comment: 'for my illness',
      question: 'q',
      answer_excerpt: 'a',
    };
    for (const answer_id of ['ans_1', 'ans_2', 'ans_3'])
      await post('/api/chat/feedback')
        .send({ ...body, answer_id })
        .expect(200);
    await sql(
      service,
      "update answer_feedback set created_at = now() - interval '401 days' where answer_id in ('ans_1', 'ans_2')",
    );
    // The state that an earlier version of the job left, which did not erase comments.
    await sql(service, "update answer_feedback set voter = 'gone:x', question = '' where answer_id = 'ans_2'");
    assert.deepEqual(await forget(), forgot({ ratings: 2 }));
    const kept = await sql(service, 'select * from answer_feedback order by answer_id');
    for (const row of kept.slice(0, 2)) {
      assert.match(String(row.voter), /^gone:/);
      assert.deepEqual([row.comment, row.question, row.answer_excerpt, row.status], ['', '', '', 'closed']);
      assert.deepEqual([row.rating, row.reasons], ['down', ['outdated']]);
    }
    assert.deepEqual([kept[2]?.comment, kept[2]?.status], ['for my illness', 'open']);
    assert.deepEqual(await forget(), forgot({}));
  });

  it('logs neither message nor e-mail address', async () => {
    lines.length = 0;
    await post('/api/feedback').send({ category: 'error', message: 'very-private-words', email: 'reader@example.org' });
    await post('/api/feedback').send({ category: 'nope', message: 'very-private-words', email: 'reader@example' });
    assert.ok(lines.length >= 2);
    assert.doesNotMatch(lines.join(''), /very-private-words|reader@/);
  });

  it('has a form that states the retention period, and records the page only if it is on this site', async () => {
    const form = await (await fetch(`${service.url}/feedback?page=/supplements/magnesium`)).text();
    assert.match(form, /<form[^>]+action="\/api\/feedback" method="post"/);
    assert.match(form, /name="page_url" value="\/supplements\/magnesium"/);
    assert.match(form, /erased 90 days after the matter is closed/);
    const foreign = await (await fetch(`${service.url}/feedback?page=//evil.example/`)).text();
    assert.ok(!foreign.includes('name="page_url"'));
    assert.ok(!foreign.includes('href="//evil'));
  });
});
