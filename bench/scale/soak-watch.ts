/** What a running service says of itself during a soak, and whether its memory grows. */
import { ask, get } from './calls.ts';
import { lineThrough } from './figures.ts';
import { BENCH_PATH } from './made.ts';

const MB = 1_048_576;
/**
 * Over the last two thirds of the time, as a share of the mean: less is flat. The heap right behind a collection hardly
 * swings; resident memory goes by when the system and the allocator see fit.
 */
export const MOST = { heapMb: 0.02, rssMb: 0.05 } as const;
/** A slope within so many of its standard errors is none. */
const ERRORS = 2;

/** The value of a figure in the text that Prometheus reads; NaN where there is none. */
export const figureIn = (text: string, name: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line ? Number(line.slice(name.length + 1)) : Number.NaN;
};

export interface Memory {
  readonly rssMb: number;
  /** What the program holds, right behind a collection. */
  readonly heapMb: number;
}

/** The resident memory is read before the collection, as an operator would see it. */
export const memoryOf = async (url: string, privateUrl: string): Promise<Memory> => {
  const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
  const { heap } = await ask<{ heap: number }>(url, get(`${BENCH_PATH}/memory`));
  return { rssMb: figureIn(metrics, 'process_resident_memory_bytes') / MB, heapMb: heap / MB };
};

/** Seconds, of the second before it is asked. */
export const lateness = async (privateUrl: string): Promise<number> => {
  const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
  return figureIn(metrics, 'nodejs_eventloop_delay_seconds{of="p99"}');
};

export interface Growth {
  readonly perMinuteMb: number;
  readonly errorMb: number;
  /** Over the stretch that was looked at, as a share of the mean. */
  readonly share: number;
  readonly isFlat: boolean;
}

/** Of points in minutes and MB; the first third, in which caches fill, is left out. At least three must be left. */
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
