/** Metrics of the process: memory, processor time, garbage collection, and event loop delay. */
import { readdirSync } from 'node:fs';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import type { EventLoopWatch } from './event-loop.ts';
import { type Family, type Sample, single } from './exposition.ts';

const KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak',
};

export interface ProcessFigures {
  families(): readonly Family[];
  stop(): void;
}

/** Counts open file descriptors; only available on Linux. */
const openFiles = (): readonly Family[] => {
  try {
    const { length } = readdirSync('/proc/self/fd');
    return [single('process_open_fds', 'gauge', 'Open files and connections.', length)];
  } catch {
    return [];
  }
};

const memory = (): readonly Family[] => {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return [
    single('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
    single('process_heap_bytes', 'gauge', 'Heap in use.', heapUsed),
    single('nodejs_heap_size_total_bytes', 'gauge', 'Heap taken from the system.', heapTotal),
    single('nodejs_external_memory_bytes', 'gauge', 'Buffers and the like, outside the heap.', external),
  ];
};

const delay = ({ figures }: EventLoopWatch): readonly Family[] => {
  const { mean, p99, max, utilization } = figures();
  const samples = Object.entries({ mean, p99, max }).map(([of, value]) => ({ labels: { of }, value }));
  return [
    {
      name: 'nodejs_eventloop_delay_seconds',
      type: 'gauge',
      help: 'How late work began, over the last second.',
      samples,
    },
    single('nodejs_eventloop_utilization', 'gauge', 'Share of the last second that had work.', utilization),
  ];
};

export const processFigures = (startedAt: Date, loop: EventLoopWatch): ProcessFigures => {
  const collected = new Map<string, { seconds: number; count: number }>();
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { detail?: { kind?: number } })[]) {
      const { duration, detail } = entry;
      const kind = KINDS[detail?.kind ?? -1] ?? 'other';
      const known = collected.get(kind) ?? { seconds: 0, count: 0 };
      collected.set(kind, { seconds: known.seconds + duration / 1e3, count: known.count + 1 });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  const collections = (): Family => ({
    name: 'nodejs_gc_duration_seconds',
    type: 'histogram',
    help: 'Time in garbage collection.',
    samples: [...collected].flatMap(([kind, { seconds, count }]): Sample[] => [
      { suffix: '_bucket', labels: { kind, le: '+Inf' }, value: count },
      { suffix: '_sum', labels: { kind }, value: seconds },
      { suffix: '_count', labels: { kind }, value: count },
    ]),
  });
  const cpu = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  return {
    families: () => [
      ...memory(),
      single(
        'process_uptime_seconds',
        'gauge',
        'Since the start.',
        Math.round((Date.now() - startedAt.getTime()) / 1000),
      ),
      single('process_cpu_seconds_total', 'counter', 'Processor time, all threads.', cpu()),
      ...openFiles(),
      ...delay(loop),
      collections(),
    ],
    stop: () => observer.disconnect(),
  };
};
