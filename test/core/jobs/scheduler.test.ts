import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobsCommand, runJob, startScheduler } from '#core/jobs/scheduler.ts';
import { definePlugin, type Job } from '#core/plugin.ts';
import { api } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

const gate = { begun: Promise.withResolvers<void>(), mayEnd: Promise.withResolvers<void>() };

const good: Job = {
  id: 'test_good',
  summary: 'counts',
  schedule: '0 4 * * *',
  timeoutSeconds: 60,
  run: async () => ({ added: 2, changed: 1 }),
};
const bad: Job = {
  id: 'test_bad',
  summary: 'fails',
  schedule: null,
  timeoutSeconds: 60,
  run: () => Promise.reject(new Error('the mirror db.internal is away')),
};
const slow: Job = {
  id: 'test_slow',
  summary: 'waits',
  schedule: null,
  timeoutSeconds: 60,
  run: async () => {
    gate.begun.resolve();
    await gate.mayEnd.promise;
    return {};
  },
};
const patient: Job = {
  ...good,
  id: 'test_patient',
  schedule: null,
  run: async ({ signal }) => {
    signal.throwIfAborted();
    return {};
  },
};
const quick: Job = { ...good, id: 'test_quick', schedule: null };
const off: Job = { ...good, id: 'test_off', enabled: () => false };

const jobs = definePlugin({
  name: 'test-jobs',
  summary: 'jobs',
  dependencies: [],
  jobs: [good, bad, slow, off, patient, quick],
  start: () => undefined,
});

describe('job runner', () => {
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await startService({ more: [jobs], onLog: (line) => lines.push(line) });
  });
  after(() => service.stop());

  const run = (job: Job) => runJob(service.runtime, jobs, job);
  const runsOf = (job: Job) =>
    sql(service, 'select status, counts, error, finished_at from job_run where job = ? order by id', [job.id]);
  const stageOf = async (job: Job) => {
    const reply = await api(service).get('/api/pipeline/status').expect(200);
    return reply.body.stages.find(({ name }: { name: string }) => name === job.id);
  };

  it('records the result of a run', async () => {
    assert.deepEqual(await run(good), { status: 'ok', counts: { added: 2, changed: 1 } });
    const [row] = await runsOf(good);
    assert.equal(row?.status, 'ok');
    assert.deepEqual(row?.counts, { added: 2, changed: 1 });
    assert.ok(row?.finished_at);
    const stage = await stageOf(good);
    assert.equal(stage.status, 'ok');
    assert.equal(stage.items, 3);
    assert.equal(stage.error, null);
    assert.ok(stage.last_started_at <= stage.last_success_at);
  });

  it('records a failure in the run, the change log and a warning, and continues', async () => {
    lines.length = 0;
    assert.deepEqual(await run(bad), { status: 'failed', error: 'the mirror db.internal is away' });
    const [row] = await runsOf(bad);
    assert.equal(row?.status, 'failed');
    assert.equal(row?.error, 'the mirror db.internal is away');
    const changes = await sql(service, "select subject_id from change_log where kind = 'pipeline.failed'");
    assert.deepEqual(changes, [{ subject_id: 'test_bad' }]);
    const told = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'job');
    assert.equal(told?.level, 'warn');
    assert.equal(told?.error, 'the mirror db.internal is away');
  });

  it('publishes that a job failed, but not why', async () => {
    const stage = await stageOf(bad);
    assert.equal(stage.status, 'failed');
    assert.equal(stage.last_success_at, null);
    assert.ok(stage.error.length > 0);
    const { body, text } = await api(service).get('/api/pipeline/status');
    assert.equal(body.overall, 'failed');
    assert.ok(!text.includes('db.internal'));
  });

  it('runs a job once at a time, whoever starts it', async () => {
    const first = run(slow);
    await gate.begun.promise;
    assert.deepEqual(await run(slow), { status: 'busy' });
    assert.equal((await stageOf(slow)).status, 'running');
    gate.mayEnd.resolve();
    assert.deepEqual(await first, { status: 'ok', counts: {} });
    assert.equal((await runsOf(slow)).length, 1);
    assert.equal((await run(slow)).status, 'ok');
  });

  it('runs a job once per due time, even when the first process has finished before the second checks', async () => {
    const due = new Date();
    const atTurn = (when: Date) => runJob(service.runtime, jobs, quick, undefined, when);
    assert.equal((await atTurn(due)).status, 'ok');
    assert.equal((await atTurn(due)).status, 'busy');
    assert.equal((await runsOf(quick)).length, 1);
    assert.equal((await atTurn(new Date(Date.now() + 1))).status, 'ok');
    assert.equal((await run(quick)).status, 'ok');
    assert.equal((await runsOf(quick)).length, 3);
  });

  it('reports a run of a dead process as stale, and runs the job again after its lease expires', async () => {
    await sql(service, "update job_run set status = 'running', finished_at = null where job = ?", [good.id]);
    await sql(service, "update job_run set started_at = now() - interval '61 seconds' where job = ?", [good.id]);
    await sql(service, "insert into lease values ('job:test_good', 'dead', now() + interval '20 seconds')");
    assert.equal((await stageOf(good)).status, 'stale');
    assert.deepEqual(await run(good), { status: 'busy' });
    await sql(service, "update lease set expires_at = now() - interval '1 second'");
    assert.equal((await run(good)).status, 'ok');
    assert.equal((await stageOf(good)).status, 'ok');
  });

  it('lists the jobs and runs one by hand', async () => {
    const out: string[] = [];
    const command = (...args: string[]) => jobsCommand(service.runtime, args, (line) => out.push(line));
    assert.equal(await command('run', 'test_good'), 0);
    assert.equal(await command('run', 'test_bad'), 1);
    assert.equal(await command('run', 'nonsense'), 2);
    assert.deepEqual(out.splice(0), [
      '{"status":"ok","counts":{"added":2,"changed":1}}',
      '{"status":"failed","error":"the mirror db.internal is away"}',
      'No job is called nonsense.',
    ]);
    assert.equal(await command(), 0);
    const good = /^test_good {2}0 4 \* \* \* {2}last: ok \S+Z in \d+\.\d s {2}next: \S+T04:00:00\.000Z {2}counts$/;
    assert.ok(out.some((line) => good.test(line)));
    assert.ok(out.some((line) => line.startsWith('test_bad  by hand  last: failed ')));
    assert.ok(out.includes('test_off  off (settings)  last: never  next: none  counts'));
    const all = out.splice(0);
    assert.equal(await command('list'), 0);
    assert.deepEqual(out.splice(0).length, all.length);
    assert.equal(await command('nonsense'), 2);
  });

  it('stops a run with the server and records it neither as failed nor as done', async () => {
    const run = runJob(service.runtime, jobs, patient, AbortSignal.abort(new Error('the server stops')));
    assert.deepEqual(await run, { status: 'stopped' });
    assert.equal((await stageOf(patient)).status, 'stale');
    const changes = await sql(service, 'select 1 from change_log where subject_id = ?', [patient.id]);
    assert.deepEqual(changes, []);
  });

  it('runs a job as soon as possible when the process missed its due time', async () => {
    const due = new Date(Math.ceil(Date.now() / 1000 + 1) * 1000);
    const [hour, minute, second] = [due.getUTCHours(), due.getUTCMinutes(), due.getUTCSeconds()];
    const late: Job = { ...good, id: 'test_late', schedule: `${second} ${minute} ${hour} * * *` };
    const stop = startScheduler({ ...service.runtime, plugins: [{ ...jobs, jobs: [late] }] });
    try {
      // The event loop is blocked well past the second at which the job is due.
      while (Date.now() < due.getTime() + 1_500);
      while (!(await runsOf(late)).length) await sleep(20);
    } finally {
      await stop();
    }
    assert.deepEqual(
      (await runsOf(late)).map(({ status }) => status),
      ['ok'],
    );
  });

  it('schedules enabled jobs and reports their next run', async () => {
    assert.equal((await stageOf(good)).next_run_at, null);
    const stop = startScheduler(service.runtime);
    try {
      assert.match((await stageOf(good)).next_run_at, /T04:00:00\.000Z$/);
      assert.equal((await stageOf(off)).next_run_at, null);
      assert.equal((await stageOf(bad)).next_run_at, null);
    } finally {
      await stop();
    }
    assert.equal((await stageOf(good)).next_run_at, null);
  });
});
