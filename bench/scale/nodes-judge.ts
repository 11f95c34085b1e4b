/**
 * Checks the outcome of bench/scale/nodes-run.ts and returns the problems as sentences; an empty list means that everything is
 * correct.
 */
import { TICK_SECONDS } from './made.ts';
import type { Counted, KeyTally } from './nodes-keys.ts';
import { KILLED, type Outcome } from './nodes-run.ts';

/** Requests sent up to this time after a kill may still use a connection that appears open, in milliseconds. */
const AFTER_KILL_MS = 1_000;
/** Duration of the job's lease that a killed node may hold, plus one clock tick before and one after it, in milliseconds. */
const LEASE_MS = (20 + 2 * TICK_SECONDS) * 1_000;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

export const failedOf = ({ failed }: KeyTally): number => sum(Object.values(failed));

const requestProblems = ({ tallies, moments, balancer }: Outcome): string[] => {
  const { killedAt, underWayAtKill, statusOfEnded } = moments;
  const wrong = tallies
    .filter((tally) => failedOf(tally))
    .map(({ name, failed }) => `${name}: failed with ${JSON.stringify(failed)}`);
  const isAllowed = ({ node, sentAt, lostAt }: Outcome['balancer']['lost'][number]): boolean =>
    node === KILLED && sentAt < killedAt + AFTER_KILL_MS && lostAt > killedAt;
  const others = balancer.lost.filter((lost) => !isAllowed(lost));
  const atKill = balancer.lost.filter((lost) => isAllowed(lost) && lost.sentAt <= killedAt);
  const told = sum(tallies.map(({ lost }) => lost));
  return [
    ...wrong,
    ...others.map(({ node, path, code }) => `${node} lost ${path} (${code}) though nobody killed it then`),
    ...(atKill.length > underWayAtKill
      ? [`${atKill.length} were lost at the kill, where ${underWayAtKill} were under way`]
      : []),
    ...(told === balancer.lost.length
      ? []
      : [`${told} answers say lost, where the balancer lost ${balancer.lost.length}`]),
    ...(statusOfEnded === 0 ? [] : [`the node that was asked to end ended with ${statusOfEnded}`]),
    ...tallies
      .filter((each) => each.sent !== each.answered + each.refused + each.lost + failedOf(each))
      .map(({ name }) => `${name}: not every request came to an end`),
  ];
};

const isBetween = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/**
 * Checks the quota counts. While Redis is too slow, the database counts from zero: by decision 0020 a caller may use a limit once
 * in each store.
 */
const quotaProblems = (tally: KeyTally, { redis, database }: Counted): string[] => {
  const { name, limit, answered, refused, lost } = tally;
  const problems: string[] = [];
  const [least, most] = [answered + refused, answered + refused + lost];
  if (!isBetween(redis + database, least, most))
    problems.push(`${name}: ${redis + database} calls are counted, where ${least} to ${most} were made`);
  if (limit === null) return problems;
  if (!refused) problems.push(`${name}: its quota of ${limit} was never met`);
  const allowed = limit + Math.min(limit, database);
  if (!isBetween(answered, limit - lost, allowed))
    problems.push(`${name}: ${answered} answers, where the quota is ${limit} and ${lost} were lost`);
  return problems;
};

const reportProblems = (tally: KeyTally, { reported }: Counted, unwritten: number): string[] => {
  const { name, answered, refused, lost } = tally;
  const [least, most] = [answered + refused - unwritten, answered + refused + lost];
  return isBetween(reported, least, most)
    ? []
    : [`${name}: ${reported} calls are reported, where ${least} to ${most} were to be`];
};

export interface Turns {
  readonly ticks: number;
  readonly runs: number;
  /** Ticks skipped because of the killed node's lease. */
  readonly passedOver: number;
  /** Ticks without a run for any other reason: each node was too busy, or failed. */
  readonly missed: number;
  /** Runs that occurred too often, as sentences. */
  readonly problems: readonly string[];
}

/**
 * Counts the ticks of the job's schedule with too many runs or none. A delayed run falls into the next tick, together with that
 * tick's own run, and leaves its own tick empty.
 */
export const judgeTurns = (jobRuns: readonly number[], killedOn: number): Turns => {
  const length = TICK_SECONDS * 1_000;
  const perTurn = new Map<number, number>();
  for (const began of jobRuns) {
    const turn = Math.floor(began / length);
    perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
  }
  const [first = 0, last = -1] = perTurn.size ? [Math.min(...perTurn.keys()), Math.max(...perTurn.keys())] : [];
  const runsIn = (turn: number): number => perTurn.get(turn) ?? 0;
  const problems = jobRuns.length ? [] : ['the job never ran'];
  let [passedOver, missed] = [0, 0];
  for (let turn = first; turn <= last; turn += 1) {
    const when = new Date(turn * length).toISOString();
    const [runs, before, after] = [runsIn(turn), runsIn(turn - 1), runsIn(turn + 1)];
    if (runs > 1 && !(runs === 2 && before === 0 && turn > first))
      problems.push(`the job of ${when} ran ${runs} times`);
    if (runs > 0 || after === 2) continue;
    const isOfKill = isBetween(turn * length, killedOn - length, killedOn + LEASE_MS);
    if (isOfKill) passedOver += 1;
    else missed += 1;
  }
  return { ticks: last - first + 1, runs: jobRuns.length, passedOver, missed, problems };
};

export const problemsOf = (outcome: Outcome): readonly string[] => {
  const { tallies, counted, moments, jobRuns } = outcome;
  const ofKeys = tallies.flatMap((tally) => {
    const counts = counted.get(tally.id) as Counted;
    // Calls that the killed node had answered but not yet written; the other node writes its own later.
    const mayMiss = moments.unreportedAtKill.get(tally.id) ?? 0;
    return [...quotaProblems(tally, counts), ...reportProblems(tally, counts, mayMiss)];
  });
  return [...requestProblems(outcome), ...ofKeys, ...judgeTurns(jobRuns, moments.killedOn).problems];
};
