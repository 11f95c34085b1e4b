/**
 * Runs two nodes behind a balancer, with a separate PostgreSQL and Redis: one node is killed and restarted, and the other is
 * stopped, while keys are used at a constant rate. Exits 1 when anything is lost unnecessarily, counted wrongly, or done twice.
 * Usage: node bench/scale/nodes.ts [seconds, default 90] [requests a second, default 60]
 */
import { loadavg } from 'node:os';
import { printTable, quantile, shown } from './figures.ts';
import { JOB } from './made.ts';
import { failedOf, judgeTurns, problemsOf } from './nodes-judge.ts';
import type { KeyTally } from './nodes-keys.ts';
import { type Outcome, runNodes } from './nodes-run.ts';
import { postgresPrograms, type Server, startPostgres, startRedis } from './servers.ts';

const seconds = Number(process.argv[2] ?? 90);
const perSecond = Number(process.argv[3] ?? 60);

const rowOf =
  ({ tallies, counted }: Outcome) =>
  (name: string, wanted: (tally: KeyTally) => boolean): string[] => {
    const these = tallies.filter(wanted);
    const sum = (figure: (tally: KeyTally) => number): string =>
      shown(these.reduce((all, each) => all + figure(each), 0)).replace(/\.0+$/, '');
    const quota = these.every(({ limit }) => limit !== null) ? sum(({ limit }) => limit ?? 0) : '';
    return [
      name,
      quota,
      ...[
        (tally: KeyTally) => tally.sent,
        (tally: KeyTally) => tally.answered,
        (tally: KeyTally) => tally.refused,
        (tally: KeyTally) => tally.lost,
        failedOf,
        ({ id }: KeyTally) => counted.get(id)?.redis ?? 0,
        ({ id }: KeyTally) => counted.get(id)?.database ?? 0,
        ({ id }: KeyTally) => counted.get(id)?.reported ?? 0,
      ].map(sum),
    ];
  };

const tell = (outcome: Outcome): void => {
  const { tallies, moments, jobRuns } = outcome;
  const row = rowOf(outcome);
  const quotas = tallies.filter(({ limit }) => limit !== null);
  printTable(
    [
      'keys',
      'quota',
      'sent',
      'answered',
      'refused',
      'lost at the kill',
      'failed',
      'counted in Redis',
      'in the database',
      'reported',
    ],
    [
      row('four readers', ({ limit }) => limit === null),
      ...quotas.map(({ name }) => row(name, (tally) => tally.name === name)),
      row('all', () => true),
    ],
  );
  const times = outcome.times.toSorted((a, b) => a - b);
  const { ticks, runs, passedOver, missed } = judgeTurns(jobRuns, moments.killedOn);
  const unreported = [...moments.unreportedAtKill.values()].reduce((all, calls) => all + calls, 0);
  console.log(
    `\np50 ${shown(quantile(times, 0.5))} ms, p99 ${shown(quantile(times, 0.99))} ms from the planned start; ` +
      `${moments.underWayAtKill} were under way at the kill; ${unreported} answers before it stood in no report of use yet. ` +
      `The job: ${ticks} turns of its clock, ${runs} runs, ${passedOver} turns passed over for the lease of the killed node, ${missed} missed.`,
  );
};

const measure = async (postgres: Server, redis: Server): Promise<void> => {
  console.log(
    `${perSecond} requests a second for ${seconds} s and what starting a node takes; load average ${loadavg()[0]?.toFixed(1)}\n`,
  );
  const plan = { seconds, perSecond, quotaPerSecond: 20 };
  const outcome = await runNodes(plan, { postgres, redis, job: JOB });
  tell(outcome);
  const { missed } = judgeTurns(outcome.jobRuns, outcome.moments.killedOn);
  const problems = [...problemsOf(outcome), ...(missed ? [`the job did not run at ${missed} turns of its clock`] : [])];
  console.log(problems.length ? `\nWrong:\n- ${problems.join('\n- ')}` : '\nNothing is wrong.');
  if (problems.length) process.exitCode = 1;
};

const programs = await postgresPrograms();
const redis = await startRedis();
if (programs && redis) {
  const postgres = await startPostgres(programs);
  await measure(postgres, redis).finally(() => postgres.stop());
} else
  console.log(
    `not measured; it needs ${[!programs && 'PostgreSQL', !redis && 'redis-server'].filter(Boolean).join(' and ')}`,
  );
await redis?.stop();
