/**
 * How late this process comes to its work. The mean over a second says whether it is overrun: one long turn among short
 * ones hardly moves it, and a second in which every turn is long does.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** Of each window, in milliseconds. */
const WINDOW_MS = 1_000;
/** How often the delay is sampled, in milliseconds; what a sample says beyond this is delay. */
const RESOLUTION_MS = 20;
/** Windows that must be over the limit: one alone may hold a single long turn and nothing else. */
const WINDOWS = 2;

export interface EventLoopFigures {
  /** Seconds, of the last whole window. */
  readonly mean: number;
  readonly p99: number;
  readonly max: number;
  /** The share of the window in which it had work, 0 to 1. */
  readonly utilization: number;
}

export interface EventLoopWatch {
  figures(): EventLoopFigures;
  /** The mean delay that the last windows all reached, in milliseconds. */
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
    // The first sample behind a reset is not noted: a window of one long turn has none.
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
