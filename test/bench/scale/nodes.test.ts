/** The short form of `npm run bench -- nodes`: two real nodes, one killed and one asked to end while they are read. */
import { strict as assert } from 'node:assert';
import { JOB } from '../../../bench/scale/made.ts';
import { judgeTurns, problemsOf } from '../../../bench/scale/nodes-judge.ts';
import { type Outcome, runNodes } from '../../../bench/scale/nodes-run.ts';
import { postgresPrograms, type Server, startPostgres, startRedis } from '../../../bench/scale/servers.ts';

const SHORT = { seconds: 18, perSecond: 12, quotaPerSecond: 8 };

describe('two nodes behind a balancer', () => {
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

  it('lose nothing but what was under way at a kill, count every quota exactly, and run a job once at each turn', () => {
    assert.deepEqual(problemsOf(outcome), []);
  });

  it('were used as they were to be: every quota was met, and both nodes answered', () => {
    const quotas = outcome.tallies.filter(({ limit }) => limit !== null);
    assert.equal(quotas.length, 3);
    assert.ok(quotas.every(({ refused }) => refused > 0));
    for (const name of ['node 1', 'node 2']) assert.ok(outcome.balancer.answersOf(name).length > 20, name);
    assert.ok(outcome.jobRuns.length > 3);
  });
});

describe('the judge of a job’s turns', () => {
  /** A clock that ticks every two seconds, from a whole minute on. */
  const at = (...seconds: number[]): number[] => seconds.map((second) => 1_800_000_000_000 + second * 1000);
  const judge = (runs: readonly number[], killedOn = 0) => judgeTurns(runs, killedOn);

  it('finds nothing wrong with one run in each turn', () => {
    assert.deepEqual(judge(at(0, 2, 4.1, 6)), { ticks: 4, runs: 4, passedOver: 0, missed: 0, problems: [] });
  });

  it('tells a job that ran twice, that missed turns, and that never ran', () => {
    assert.deepEqual(judge(at(0, 2, 2.01, 4)).problems, ['the job of 2027-01-15T08:00:02.000Z ran 2 times']);
    assert.equal(judge(at(0, 6)).missed, 2);
    assert.deepEqual(judge([]).problems, ['the job never ran']);
  });

  it('takes a run that came late for that of its own turn', () => {
    assert.deepEqual(judge(at(0, 4.1, 4.2, 6)), { ticks: 4, runs: 4, passedOver: 0, missed: 0, problems: [] });
  });

  it('lets turns pass for as long as a killed node may hold the lease, and no longer', () => {
    const killedOn = at(3)[0];
    assert.deepEqual(judge(at(0, 2, 24), killedOn), { ticks: 13, runs: 3, passedOver: 10, missed: 0, problems: [] });
    assert.ok(judge(at(0, 2, 60), killedOn).missed > 0);
  });
});
