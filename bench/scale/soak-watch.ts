/** Reads the metrics of a running service during a soak test, and determines whether its memory grows. */
import { ask, get } from './calls.ts';
import { lineThrough } from './figures.ts';
import { BENCH_PATH } from './made.ts';

const MB = 1_048_576;
/**
 * Maximum growth over the last two thirds of the time, as a share of the mean; less counts as flat. The heap immediately after a
 * collection hardly varies; resident memory depends on the operating system and the allocator.
 */
export const MOST = { heapMb: 0.02, rssMb: 0.05 } as const;
/** A slope within this many standard errors counts as zero. */
const ERRORS = 2;

/** Returns the value of a metric in Prometheus text format; NaN when it is missing. */
export const figureIn = (text: string, name: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line ? Number(line.slice(name.length + 1)) : Number.NaN;
};

export interface Memory {
  readonly rssMb: number;
  /** Heap in use immediately after a garbage collection. */
  readonly heapMb: number;
}

/** Reads the memory; resident memory is read before the collection, as an operator would see it. */
export const memoryOf = async (url: string, privateUrl: string): Promise<Memory> => {
  const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
  const { heap } = await ask<{ heap: number }>(url, get(`${BENCH_PATH}/memory`));
  return { rssMb: figureIn(metrics, 'process_resident_memory_bytes') / MB, heapMb: heap / MB };
};

/** Returns the p99 event loop delay over the preceding second, in seconds. */
export const lateness = async (privateUrl: string): Promise<number> => {
  const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
  return figureIn(metrics, 'nodejs_eventloop_delay_seconds{of="p99"}');
};

export interface Growth {
  readonly perMinuteMb: number;
  readonly errorMb: number;
  /** Growth over the evaluated period, as a share of the mean. */
  readonly share: number;
  readonly isFlat: boolean;
}

/**
 * Fits the growth to points in minutes and MB; the first third, in which caches fill, is ignored. At least three points must
 * remain.
 */
export const growthOf = (points: readonly (readonly [minute: number, mb: number])[], most: number): Growth => {
  const from = (points.at(-1)?.[0] ?? 0) / 3;
  const late = points.filter(([minute]) => minute >= from);
  const { slope, mean, standardError } = lineThrough(late);
  const minutes = (late.at(-1)?.[0] ?? 0) - (late[0]?.[0] ?? 0);
  const share = (slope * minutes) / mean;
  return {
    perMinuteMb: slope,
    errorMb: standardError,
    share,
    isFlat: share < most || slope < ERRORS * standardError,
  };
};
