import { strict as assert } from 'node:assert';
import { runJob } from '#core/jobs/scheduler.ts';
import { feedbackPlugin } from '#plugins/feedback/index.ts';
import { forgetWriters } from '#plugins/feedback/jobs.ts';
import { api } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import { htmlRules } from '../../support/html-rules.ts';
import { startService, type TestService } from '../../support/service.ts';
import { runFeedback } from './support.ts';

const NONE = { changed: 0, already_known: 0, not_changed: 0, not_for_us: 0, thanks: 0, not_said: 0 };
const WORDS = 'very-private-words of a reader';

/** Returns the month that many months ago in UTC, such as "2026-11". */
const monthBefore = (months: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
};

describe('feedback outcomes', () => {
  let service: TestService;
  let caller = 0;
  const newAddress = (): string => {
    caller += 1;
    return `10.8.${Math.floor(caller / 250)}.${caller % 250}`;
  };
  const post = (path: string, body: object) =>
    api(service).post(path).set('X-Forwarded-For', newAddress()).send(body).expect(200);
  const write = async (): Promise<string> =>
    (await post('/api/feedback', { category: 'error', message: WORDS, email: 'reader@example.org' })).body.id;
  const rate = async (answer: string, rest: object = { comment: WORDS }): Promise<string> =>
    (await post('/api/chat/feedback', { answer_id: answer, rating: 'down', ...rest })).body.id;
  const outcomes = async () => (await api(service).get('/api/feedback/outcomes').expect(200)).body;
  const page = async () => (await api(service).get('/feedback').expect(200)).text;
  const run = (...args: string[]) => runFeedback(service, ...args);
  const forget = () => runJob(service.runtime, feedbackPlugin, forgetWriters);

  before(async function () {
    this.timeout(180_000);
    service = await startService({
      settings: { TRUSTED_PROXIES: '127.0.0.1', ANON_RPM: '100000', ANON_DAILY: '100000' },
    });
  });
  after(() => service.stop());
  afterEach(async () => {
    for (const table of ['feedback', 'answer_feedback', 'feedback_change', 'feedback_past'])
      await sql(service, `delete from ${table}`);
  });

  it('are all zero before the first message, and the page says so', async () => {
    const { by_month: months, generated_at: at, ...rest } = await outcomes();
    const zero = { received: 0, open: 0, closed: 0, changed: 0, lapsed: 0, by_outcome: NONE };
    assert.deepEqual(rest, { ...zero, median_hours_to_close: null, last_changes: [] });
    const wanted = Array.from({ length: 12 }, (_, back) => ({ month: monthBefore(back), ...zero }));
    assert.deepEqual(months, wanted);
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
    const text = await page();
    assert.match(text, /Nobody has written yet\./);
    assert.doesNotMatch(text, /The last changes|so far/);
  });

  it('count messages and explained ratings by outcome and by month of receipt', async () => {
    const [one = '', two = '', three = ''] = [await write(), await write(), await write()];
    await write();
    const vote = await rate('ans_1');
    await rate('ans_2', { rating: 'up', comment: '' });
    for (const [id, outcome] of [
      [one, 'changed'],
      [two, 'not_changed'],
      [vote, 'already_known'],
    ] as const)
      assert.equal((await run('close', id, '--outcome', outcome)).status, 0);
    assert.deepEqual(await run('close', three), { status: 0, text: `${three} is closed.` });
    await sql(service, "update feedback set created_at = created_at - interval '24 months' where id = ?", [one]);
    const { by_month: months, ...all } = await outcomes();
    const byOutcome = { ...NONE, changed: 1, not_changed: 1, already_known: 1, not_said: 1 };
    assert.deepEqual(
      [all.received, all.open, all.closed, all.changed, all.lapsed, all.by_outcome],
      [5, 1, 4, 1, 0, byOutcome],
    );
    assert.deepEqual(months[0], {
      month: monthBefore(0),
      received: 4,
      open: 1,
      closed: 3,
      changed: 0,
      lapsed: 0,
      by_outcome: { ...byOutcome, changed: 0 },
    });
    assert.equal(
      months.slice(1).every(({ received }: { received: number }) => received === 0),
      true,
    );
  });

  it('report the median time to close of both kinds, closed in the last 12 months', async () => {
    const ids = [await write(), await rate('ans_1'), await write(), await write()];
    for (const id of ids.slice(0, 3)) await run('close', id, '--outcome', 'thanks');
    for (const [table, at, created, closed] of [
      ['feedback', 0, 30, 10],
      ['answer_feedback', 1, 50, 10],
      ['feedback', 2, 20_000, 10_000],
    ] as const)
      await sql(
        service,
        `update ${table} set created_at = now() - make_interval(hours => ?), closed_at = now() - make_interval(hours => ?) where id = ?`,
        [created, closed, ids[at]],
      );
    assert.equal((await outcomes()).median_hours_to_close, 30);
    assert.match(await page(), /Half of those closed in the last 12 months were closed within 30 hours\./);
  });

  it('count a message once with its last outcome, however often it is closed', async () => {
    const id = await write();
    await run('close', id, '--outcome', 'changed');
    await run('close', id, '--outcome', 'changed');
    assert.deepEqual((await outcomes()).by_outcome, { ...NONE, changed: 1 });
    await run('close', id);
    assert.equal((await outcomes()).changed, 1, 'what was said before stays');
    await run('close', id, '--outcome', 'not_for_us');
    assert.deepEqual((await outcomes()).by_outcome, { ...NONE, not_for_us: 1 });
    assert.deepEqual(await run('reopen', id), { status: 0, text: `${id} is open again.` });
    const { received, open, closed, by_outcome: by } = await outcomes();
    assert.deepEqual([received, open, closed, by], [1, 1, 0, NONE]);
    await run('close', id);
    assert.deepEqual((await outcomes()).by_outcome, { ...NONE, not_said: 1 });
  });

  it('count each message once when several editors close it concurrently', async () => {
    const ids = [await write(), await rate('ans_1')];
    const verdicts = ['changed', 'thanks', 'not_changed', 'changed'];
    await Promise.all(
      ids.flatMap((id) =>
        verdicts.map((outcome) => {
          const change = outcome === 'changed' ? ['--change', '/about', '--note', 'The page was mended.'] : [];
          return run('close', id, '--outcome', outcome, ...change);
        }),
      ),
    );
    const { closed, changed, by_outcome: by, last_changes: last } = await outcomes();
    assert.equal(closed, 2);
    assert.equal(
      Object.values(by as Record<string, number>).reduce((sum, n) => sum + n, 0),
      2,
    );
    assert.equal(last.length, changed, 'only what led to a change has a sentence');
  });

  it('keep their counts after messages are deleted, and count nothing twice', async () => {
    const [old, open, vote, waiting] = [await write(), await write(), await rate('ans_1'), await rate('ans_2')];
    const change = ['--change', 'supplement/zinc', '--note', 'The upper limit of zinc was corrected.'];
    await run('close', old, '--outcome', 'changed', ...change);
    await run('close', vote, '--outcome', 'thanks');
    await write();
    await sql(service, "update feedback set created_at = created_at - interval '900 days' where id in (?, ?)", [
      old,
      open,
    ]);
    await sql(service, "update answer_feedback set created_at = created_at - interval '401 days'");
    const before = await outcomes();
    const counts = { messages: 2, emails: 0, ratings: 2 };
    assert.deepEqual(await forget(), { status: 'ok', counts });
    assert.deepEqual(await forget(), { status: 'ok', counts: { messages: 0, emails: 0, ratings: 0 } });
    const after = await outcomes();
    assert.deepEqual(
      [after.received, after.open, after.closed, after.changed, after.lapsed],
      [5, before.open - 2, 2, 1, 2],
    );
    assert.deepEqual(after.by_outcome, { ...NONE, changed: 1, thanks: 1 });
    assert.deepEqual(after.last_changes, before.last_changes);
    const kept = await sql(service, 'select * from feedback_past, feedback_change');
    assert.ok(!JSON.stringify(kept).includes(old), 'nothing tells which message it was');
    assert.equal((await run('reopen', vote)).status, 1, 'there are no words to look at again');
    assert.equal((await run('close', waiting, '--outcome', 'thanks')).status, 0);
    assert.deepEqual([(await outcomes()).lapsed, (await outcomes()).by_outcome.thanks], [1, 2]);
    assert.match(await page(), /1 deleted by age before anybody closed them/);
  });

  it('count a closed rating and a later rating of the same voter separately', async () => {
    const first = await api(service)
      .post('/api/chat/feedback')
      .send({ answer_id: 'ans_1', rating: 'down', comment: 'a' });
    const [cookie = ''] = String(first.headers['set-cookie']).split(';');
    const again = (comment: string) =>
      api(service)
        .post('/api/chat/feedback')
        .set('X-Forwarded-For', newAddress())
        .set('Cookie', cookie)
        .send({ answer_id: 'ans_1', rating: 'down', comment })
        .expect(200);
    await again('b');
    assert.equal((await outcomes()).received, 1, 'the earlier one had not been dealt with');
    const change = ['--change', '/about', '--note', 'The page was mended.'];
    await run('close', first.body.id, '--outcome', 'changed', ...change);
    await again('c');
    await run('close', first.body.id, '--outcome', 'not_changed');
    const { received, by_outcome: by, last_changes: last } = await outcomes();
    assert.deepEqual([received, by], [2, { ...NONE, changed: 1, not_changed: 1 }]);
    assert.deepEqual(
      last.map(({ note }: { note: string }) => note),
      ['The page was mended.'],
    );
  });

  it('list the last changes that have a note, with their page and without any text of a reader', async () => {
    const ids = [await write(), await rate('ans_1'), await write()];
    for (const [at, id] of ids.slice(0, 2).entries()) {
      await run('close', id, '--outcome', 'changed', '--change', '/about', '--note', `Mended <b>${at}</b>.`);
      await sql(service, 'update feedback_change set at = now() - make_interval(days => ?) where feedback_id = ?', [
        2 - at,
        id,
      ]);
    }
    await run('close', ids[2] ?? '', '--outcome', 'changed', '--change', '/about');
    const body = await outcomes();
    const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    assert.deepEqual(body.last_changes, [
      { date: day(1), path: '/about', note: 'Mended <b>1</b>.' },
      { date: day(2), path: '/about', note: 'Mended <b>0</b>.' },
    ]);
    const text = await page();
    assert.match(text, /Of 3 messages so far, 3 led to a change\./);
    assert.match(text, /Mended &lt;b&gt;1&lt;\/b&gt;\. <a href="\/about">\/about<\/a>/);
    const { results } = await htmlRules.validateString(text, '/feedback');
    assert.deepEqual(results, []);
    for (const shown of [JSON.stringify(body), text])
      assert.doesNotMatch(shown, /very-private-words|reader@|fb_[a-z0-9]{10}/);
    await run('close', ids[0] ?? '', '--outcome', 'not_changed');
    await run('reopen', ids[1] ?? '');
    assert.deepEqual((await outcomes()).last_changes, []);
  });

  it('accept a path, an entity or a change log ID as the location of the change', async () => {
    const id = await write();
    const pathAfter = async (change: string): Promise<unknown> => {
      const { status, text } = await run('close', id, '--outcome', 'changed', '--change', change);
      assert.equal(status, 0, text);
      return (await sql(service, 'select path from feedback_change'))[0]?.path;
    };
    const [source] = await sql(
      service,
      'select source_id, min(vertical) as v from evidence_vertical group by 1 limit 1',
    );
    for (const [change, path] of [
      ['/supplements/zinc#dose', '/supplements/zinc#dose'],
      ['supplement/zinc', '/supplements/zinc'],
      ['interaction/kava', '/interactions/kava'],
      ['question/magnesium-sleep', '/evidence/magnesium-sleep'],
      ['page/about', '/about'],
      [`source/${source?.source_id}`, `/evidence/${source?.v}`],
    ] as const)
      assert.equal(await pathAfter(change), path);
    const numberOf = async (where: string): Promise<string> =>
      String((await sql(service, `select max(id) as id from change_log where ${where}`))[0]?.id);
    assert.equal(await pathAfter(await numberOf("subject_id = 'supplements/zinc.md'")), '/supplements/zinc');
    const [rule] = await sql(
      service,
      "select id, data->>'supplement' as slug from change_log where kind = 'interaction.created' limit 1",
    );
    if (rule) assert.equal(await pathAfter(String(rule.id)), `/interactions/${rule.slug}`);
    assert.match((await run('show', id)).text, /^outcome: changed$/m);
    for (const nowhere of ['//evil.example/', 'https://evil.example/', '999999999', 'source/none', 'x/y', 'zinc', '']) {
      const { status, text } = await run('close', id, '--outcome', 'changed', '--change', nowhere);
      assert.equal(status, 1, nowhere);
      assert.match(text, /names no page\. --change is a path/);
    }
  });

  it('exit with status 2 and the usage for invalid arguments, and with status 1 for an unknown ID', async () => {
    const id = await write();
    const about = ['--outcome', 'changed', '--change', '/about'];
    for (const [why, ...args] of [
      [/An outcome is one of: changed, already_known/, 'close', id, '--outcome', 'fixed'],
      [/--change goes with --outcome changed/, 'close', id, '--change', '/about'],
      [/--change goes with --outcome changed/, 'close', id, '--outcome', 'thanks', '--change', '/about'],
      [/--note goes with --change/, 'close', id, '--outcome', 'changed', '--note', 'Mended.'],
      [/at most 200 characters; this one has 201/, 'close', id, ...about, '--note', 'x'.repeat(201)],
      [/one line of text/, 'close', id, ...about, '--note', 'a\u001b[31m'],
      [/has words/, 'close', id, ...about, '--note', '  '],
      [/no address of anybody/, 'close', id, ...about, '--note', 'Thanks to reader@example.org.'],
      [/^usage/, 'close', id, '--outcome'],
      [/^usage/, 'close', id, '--result', 'changed'],
      [/^usage/, 'close'],
      [/^usage/, 'reopen'],
      [/^usage/, 'list', '--outcome', 'changed'],
      [/^usage/, 'show', id, 'other'],
    ] as const) {
      const { status, text } = await run(...args);
      assert.equal(status, 2, text);
      assert.match(text, why);
      assert.match(text, /usage: npm run feedback list/);
    }
    for (const args of [
      ['close', 'fb_none', '--outcome', 'thanks'],
      ['reopen', 'fb_none'],
      ['show', 'fb_none'],
    ])
      assert.equal((await run(...args)).status, 1);
    assert.deepEqual(
      (await sql(service, 'select status, outcome from feedback')).map((row) => ({ ...row })),
      [{ status: 'open', outcome: '' }],
    );
  });

  it('are shown for closed messages in the list of all', async () => {
    const id = await write();
    await run('close', id, '--outcome', 'already_known');
    assert.match((await run('list', '--all')).text, new RegExp(`^${id} .* closed \\(already_known\\) {2}error`));
  });
});
