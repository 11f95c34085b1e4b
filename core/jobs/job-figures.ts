/** Metrics of the last runs of jobs, from the rows of job_run: they are the same on every node. */
import type { Family, Labels } from '../metrics/exposition.ts';
import type { Job } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';

/** The last run of a job; times are in seconds since 1970, null when there is none. */
export interface JobRow {
  readonly job: string;
  readonly status: string;
  readonly started: number;
  readonly seconds: number | null;
  readonly succeeded: number | null;
  /** Number of failures in the last thirty days. */
  readonly failures: number;
}

const LAST = `select distinct on (job) job, status, extract(epoch from started_at)::float8 as started,
    extract(epoch from finished_at - started_at)::float8 as seconds,
    (select extract(epoch from max(finished_at))::float8 from job_run good
      where good.job = job_run.job and good.status = 'ok') as succeeded,
    (select count(*)::int from job_run bad
      where bad.job = job_run.job and bad.status = 'failed' and bad.started_at > now() - interval '30 days') as failures
  from job_run order by job, id desc`;

/** Returns the last run of each job that ever ran. */
export const lastRuns = async (runtime: Pick<Runtime, 'db'>): Promise<readonly JobRow[]> =>
  (await runtime.db.read((em) => em.execute(LAST))) as unknown as readonly JobRow[];

export const jobFamilies = async (runtime: Pick<Runtime, 'db' | 'plugins'>): Promise<readonly Family[]> => {
  // Rows of jobs that no longer exist are ignored.
  const known = new Set(runtime.plugins.flatMap(({ jobs = [] }) => jobs.map(({ id }: Pick<Job, 'id'>) => id)));
  const rows = (await lastRuns(runtime)).filter(({ job }) => known.has(job));
  const gauge = (name: string, help: string, value: (row: JobRow) => number | null): Family => ({
    name: `ekb_job_${name}`,
    type: 'gauge',
    help,
    samples: rows.flatMap((row) => {
      const [labels, figure]: [Labels, number | null] = [{ job: row.job }, value(row)];
      return figure === null ? [] : [{ labels, value: figure }];
    }),
  });
  return [
    gauge('last_run_timestamp_seconds', 'When the job began last.', ({ started }) => started),
    gauge('last_success_timestamp_seconds', 'When the job last ended well.', ({ succeeded }) => succeeded),
    gauge('last_duration_seconds', 'How long its last run took.', ({ seconds }) => seconds),
    gauge('last_run_failed', 'Whether its last run failed.', ({ status }) => (status === 'failed' ? 1 : 0)),
    gauge('failures_30d', 'Failed runs of the last thirty days.', ({ failures }) => failures),
  ];
};
