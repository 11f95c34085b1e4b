/** Finds the maximum request rate that a service sustains, by increasing the rate until it fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered } from './calls.ts';
import { quantile, shown } from './figures.ts';
import type { Mix } from './mix.ts';
import { startOpenLoop } from './open-loop.ts';

const STEP = 1.5;
const FIRST_RATE = 10;
/**
 * A rate is not sustained when a smaller share of its requests is answered in time, or when the 99th percentile of the latency
 * exceeds SLOW_MS.
 */
const HELD = 0.95;
const SLOW_MS = 1_000;

export interface Target {
  readonly url: string;
  readonly privateUrl: string;
  readonly mix: Mix;
}

/** Collects responses; `take` returns the figures since its last call. */
export const createTally = () => {
  let times: number[] = [];
  const errors: Record<string, number> = {};
  return {
    errors,
    answered: (_: number, { status, bytes, error }: Answered, milliseconds: number): void => {
      times.push(milliseconds);
      const why = error || (bytes ? String(status) : 'empty');
      if (why !== '200') errors[why] = (errors[why] ?? 0) + 1;
    },
    take: () => {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
    },
  };
};

export const countOf = (errors: Readonly<Record<string, number>>): number =>
  Object.values(errors).reduce((sum, count) => sum + count, 0);

/** Returns the responses per second at a rate, or null when the rate is not sustained. */
const step = async ({ url, mix }: Target, perSecond: number, seconds: number): Promise<number | null> => {
  const tally = createTally();
  const began = performance.now();
  const loop = startOpenLoop({ base: url, perSecond, call: mix.call, answered: tally.answered });
  await sleep(seconds * 1000);
  await loop.stop();
  const { count, p99 } = tally.take();
  const reached = (1000 * count) / (performance.now() - began);
  const isHeld = reached >= HELD * perSecond && p99 <= SLOW_MS && countOf(tally.errors) === 0;
  console.log(
    `${shown(perSecond)}/s: ${shown(reached)}/s answered, p99 ${shown(p99)} ms ${countOf(tally.errors) ? JSON.stringify(tally.errors) : ''}`,
  );
  return isHeld ? reached : null;
};

/** Finds the peak rate. A single step may fail because of other work on the machine, so two consecutive steps must fail. */
export const peakOf = async (target: Target, stepSeconds: number): Promise<number> => {
  let [peak, misses] = [0, 0];
  await step(target, FIRST_RATE, stepSeconds);
  for (let rate = FIRST_RATE; misses < 2; rate *= misses ? 1 : STEP) {
    const reached = await step(target, rate, stepSeconds);
    misses = reached === null ? misses + 1 : 0;
    peak = Math.max(peak, reached ?? 0);
  }
  if (!peak) throw new Error(`Not even ${FIRST_RATE} requests a second are held`);
  return peak;
};
