/** Metrics of the database: duration of units of work, errors by reason, and use of the connection pool. */
import type { Pool } from 'pg';
import type { Family } from '../metrics/exposition.ts';
import { createHistogram } from '../metrics/histogram.ts';
import type { Database } from '../plugin.ts';
import { codeOf, isConnectionLost } from './lost-connection.ts';

/** Names of SQLSTATE classes in the error metric. */
const CLASSES: Readonly<Record<string, string>> = {
  '08': 'connection',
  '40': 'conflict',
  '53': 'resources',
  '57': 'intervention',
  '23': 'constraint',
  '22': 'value',
  '42': 'statement',
};

const kindOf = (error: unknown): string => {
  if (isConnectionLost(error)) return 'connection';
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) ? (CLASSES[code.slice(0, 2)] ?? 'other') : 'program';
};

export interface WorkFigures {
  /** Wraps units of work so that they are measured. */
  measure(work: Pick<Database, 'read' | 'write'>): Pick<Database, 'read' | 'write'>;
  watch(pool: Pool): void;
  families(): readonly Family[];
}

export const createWorkFigures = (): WorkFigures => {
  const durations = createHistogram();
  const errors = new Map<string, number>();
  const pools: Pool[] = [];
  const timed = async <T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await work();
    } catch (error) {
      const why = kindOf(error);
      errors.set(why, (errors.get(why) ?? 0) + 1);
      throw error;
    } finally {
      durations.observe(kind, () => ({ kind }), (performance.now() - startedAt) / 1000);
    }
  };
  const connections = (): Family['samples'] => {
    const sum = (value: (pool: Pool) => number): number => pools.reduce((total, pool) => total + value(pool), 0);
    return [
      { labels: { state: 'open' }, value: sum(({ totalCount }) => totalCount) },
      { labels: { state: 'idle' }, value: sum(({ idleCount }) => idleCount) },
    ];
  };
  return {
    measure: ({ read, write }) => ({
      read: (work) => timed('read', () => read(work)),
      write: (work) => timed('write', () => write(work)),
    }),
    watch: (pool) => pools.push(pool),
    families: () => [
      {
        name: 'ekb_database_work_seconds',
        type: 'histogram',
        help: 'Time of a unit of work, waiting for a connection included.',
        samples: durations.samples(),
      },
      {
        name: 'ekb_database_errors_total',
        type: 'counter',
        help: 'Units of work that failed, by the class of the reason; program: no word of the database.',
        samples: [...errors].map(([why, value]) => ({ labels: { why }, value })),
      },
      {
        name: 'ekb_database_connections',
        type: 'gauge',
        help: 'Connections of this process to the database.',
        samples: connections(),
      },
      {
        name: 'ekb_database_waiting',
        type: 'gauge',
        help: 'Units of work that wait for a connection.',
        samples: pools.length ? [{ value: pools.reduce((total, { waitingCount }) => total + waitingCount, 0) }] : [],
      },
    ],
  };
};
