/** A short run of `npm run bench -- nodes`: two real nodes under load, of which one is killed and one is stopped. */
import { strict as assert } from 'node:assert';
import { JOB } from '../../../bench/scale/made.ts';
import { judgeTurns, problemsOf } from '../../../bench/scale/nodes-judge.ts';
import { type Outcome, runNodes } from '../../../bench/scale/nodes-run.ts';
import { postgresPrograms, type Server, startPostgres, startRedis } from '../../../bench/scale/servers.ts';

const SHORT = { seconds: 18, perSecond: 12, quotaPerSecond: 8 };

describe('two nodes behind a load balancer', () => {
  let postgres: Server | undefined;
  let redis: Server | null = null;
  let outcome: Outcome;
  before(async function () {
    this.timeout(600_000);
    const programs = await postgresPrograms();
    redis = programs ? await startRedis() : null;
    if (!programs || !redis) {
      console.log(
        `      there is no ${programs ? 'redis-server' : 'PostgreSQL'} on this machine: two nodes are not tried`,
      );
      this.skip();
    }
    postgres = await startPostgres(programs);
    outcome = await runNodes(SHORT, { postgres, redis, job: JOB });
  });
  after(async () => {
    await postgres?.stop();
    await redis?.stop();
  });

  it('lose only requests in flight at a kill, count quotas exactly and run a job once per tick', () => {
    assert.deepEqual(problemsOf(outcome), []);
  });

  it('both answer requests, and every quota is exceeded during the run', () => {
    const quotas = outcome.tallies.filter(({ limit }) => limit !== null);
    assert.equal(quotas.length, 3);
    assert.ok(quotas.every(({ refused }) => refused > 0));
    for (const name of ['node 1', 'node 2']) assert.ok(outcome.balancer.answersOf(name).length > 20, name);
    assert.ok(outcome.jobRuns.length > 3);
  });
});

describe('judgeTurns', () => {
  /** Returns timestamps for seconds after a whole minute; the job ticks every two seconds. */
  const at = (...seconds: number[]): number[] => seconds.map((second) => 1_800_000_000_000 + second * 1000);
  const judge = (runs: readonly number[], killedOn = 0) => judgeTurns(runs, killedOn);

  it('reports no problem for one run per tick', () => {
    assert.deepEqual(judge(at(0, 2, 4.1, 6)), { ticks: 4, runs: 4, passedOver: 0, missed: 0, problems: [] });
  });

  it('reports a duplicate run, missed ticks and a job that never ran', () => {
    assert.deepEqual(judge(at(0, 2, 2.01, 4)).problems, ['the job of 2027-01-15T08:00:02.000Z ran 2 times']);
    assert.equal(judge(at(0, 6)).missed, 2);
    assert.deepEqual(judge([]).problems, ['the job never ran']);
  });

  it('assigns a late run to its own tick', () => {
    assert.deepEqual(judge(at(0, 4.1, 4.2, 6)), { ticks: 4, runs: 4, passedOver: 0, missed: 0, problems: [] });
  });

  it('tolerates skipped ticks only for as long as a killed node may hold the lease', () => {
    const killedOn = at(3)[0];
    assert.deepEqual(judge(at(0, 2, 24), killedOn), { ticks: 13, runs: 3, passedOver: 10, missed: 0, problems: [] });
    assert.ok(judge(at(0, 2, 60), killedOn).missed > 0);
  });
});
