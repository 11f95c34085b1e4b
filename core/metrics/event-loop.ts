/**
 * Measures the event loop delay. The mean over one second detects an overload: one long task among short ones hardly changes it,
 * but a second of long tasks does.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** Length of each window, in milliseconds. */
const WINDOW_MS = 1_000;
/** Sampling interval, in milliseconds; the excess of a sample over it is delay. */
const RESOLUTION_MS = 20;
/** Number of consecutive windows that must exceed the limit: a single window may contain only one long task. */
const WINDOWS = 2;

export interface EventLoopFigures {
  /** In seconds, for the last complete window. */
  readonly mean: number;
  readonly p99: number;
  readonly max: number;
  /** The share of the window in which the loop was busy, 0 to 1. */
  readonly utilization: number;
}

export interface EventLoopWatch {
  figures(): EventLoopFigures;
  /** Returns the minimum of the mean delays of the last windows, in milliseconds. */
  sustainedMs(): number;
  stop(): void;
}

export const watchEventLoop = (): EventLoopWatch => {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let used = performance.eventLoopUtilization();
  let figures: EventLoopFigures = { mean: 0, p99: 0, max: 0, utilization: 0 };
  let windowBegan = performance.now();
  const means: number[] = [];
  const beyond = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) / 1e3;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(used);
    used = performance.eventLoopUtilization();
    const now = performance.now();
    // The first sample after a reset is not recorded, so a window with one long task has no samples.
    const interval = (now - windowBegan) / (delays.count + 1);
    const mean = Math.max(0, interval - RESOLUTION_MS) / 1e3;
    const isEmpty = delays.count === 0;
    figures = {
      mean,
      p99: isEmpty ? mean : beyond(delays.percentile(99)),
      max: isEmpty ? mean : beyond(delays.max),
      utilization,
    };
    windowBegan = now;
    means.push(figures.mean * 1_000);
    if (means.length > WINDOWS) means.shift();
    delays.reset();
  }, WINDOW_MS).unref();
  return {
    figures: () => figures,
    sustainedMs: () => (means.length < WINDOWS ? 0 : Math.min(...means)),
    stop: () => {
      clearInterval(timer);
      delays.disable();
    },
  };
};
