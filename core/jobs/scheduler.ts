/**
 * Runs scheduled jobs: node-cron triggers them, a lease row gives each run to one process, and a row in job_run records the
 * outcome.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import cron from 'node-cron';
import { recordChanges } from '../db/change-log.ts';
import { JobRun } from '../db/entities.ts';
import { withLease } from '../db/lease.ts';
import { messageOf } from '../log.ts';
import type { AnyPlugin, Job } from '../plugin.ts';
import { publisherOf } from '../publisher.ts';
import type { Runtime } from '../runtime.ts';
import { systemContext } from '../system-context.ts';
import { type JobRow, lastRuns } from './job-figures.ts';
import { forgetAll, remember } from './schedule.ts';

export type JobOutcome =
  | { readonly status: 'ok'; readonly counts: Readonly<Record<string, number>> }
  | { readonly status: 'failed'; readonly error: string }
  | { readonly status: 'stopped' }
  /** Another process is running the job, or ran it for the same scheduled time. */
  | { readonly status: 'busy' };

/**
 * Runs one job now, unless another process is running it.
 * @param due scheduled time of a run that the clock triggered. If another process has started the job since that time, even if
 *   that run has ended, it is not started again; the clocks of the processes may differ.
 */
export const runJob = async (
  runtime: Runtime,
  plugin: AnyPlugin,
  job: Job,
  stopping: AbortSignal = new AbortController().signal,
  due: Date | null = null,
): Promise<JobOutcome> => {
  const held = await withLease(runtime.db, `job:${job.id}`, { waitSeconds: 0 }, async (): Promise<JobOutcome> => {
    if (due && (await hasBegunSince(runtime, job, due))) return { status: 'busy' };
    return record(runtime, { plugin, job, stopping });
  });
  return held?.result ?? { status: 'busy' };
};

/**
 * Returns whether a run started since `due`. The caller holds the lease, so no other process records a run of this job meanwhile.
 */
const hasBegunSince = async ({ db }: Runtime, { id }: Job, due: Date): Promise<boolean> => {
  const last = await db.read((em) => em.findOne(JobRun, { job: id }, { orderBy: { id: 'desc' } }));
  return last !== null && last.startedAt >= due;
};

interface Work {
  readonly plugin: AnyPlugin;
  readonly job: Job;
  /** Aborts when the process ends: the job must leave its data consistent, and continues at its next run. */
  readonly stopping: AbortSignal;
}

const record = async (runtime: Runtime, work: Work): Promise<JobOutcome> => {
  const { job } = work;
  const id = await runtime.db.write(async (em) => {
    const run = em.create(JobRun, {
      job: job.id,
      status: 'running',
      startedAt: new Date(),
      finishedAt: null,
      counts: {},
      error: '',
    });
    await em.flush();
    return run.id;
  });
  const outcome = await attempt(runtime, work);
  await runtime.db.write(async (em) => {
    const failed = outcome.status === 'failed';
    await em.nativeUpdate(
      JobRun,
      { id },
      {
        status: outcome.status,
        finishedAt: new Date(),
        counts: outcome.status === 'ok' ? { ...outcome.counts } : {},
        error: failed ? outcome.error : '',
      },
    );
    if (failed) await recordChanges(em, [{ kind: 'pipeline.failed', subjectType: 'job', subjectId: job.id }]);
  });
  runtime.log[outcome.status === 'failed' ? 'warn' : 'info']('job', { job: job.id, ...outcome });
  return outcome;
};

const attempt = async (runtime: Runtime, { plugin, job, stopping }: Work): Promise<JobOutcome> => {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(job.timeoutSeconds * 1000), stopping]);
    return { status: 'ok', counts: await job.run(systemContext(runtime, plugin, signal)) };
  } catch (error) {
    if (stopping.aborted) return { status: 'stopped' };
    return { status: 'failed', error: (error instanceof Error ? messageOf(error) : 'unknown').slice(0, 500) };
  }
};

const allJobs = (runtime: Runtime) =>
  runtime.plugins.flatMap((plugin) => (plugin.jobs ?? []).map((job) => ({ plugin, job: job as Job })));

/** Returns whether long background work is running, which a deferrable job would only prolong. */
const isBusyBehind = (runtime: Runtime): boolean =>
  [
    ...runtime.plugins.flatMap((plugin) => plugin.stages?.(runtime.servicesOf(plugin)) ?? []),
    publisherOf(runtime)?.stage(),
  ].some((stage) => stage?.status === 'running');

/** Returns whether the job runs at this scheduled time. */
export const isTime = async (runtime: Runtime, { plugin, job, stopping }: Work): Promise<boolean> =>
  !job.due || (!isBusyBehind(runtime) && (await job.due(systemContext(runtime, plugin, stopping))));

/** How long the shutdown waits for a job that ignores its signal, in milliseconds. */
const LAST_WORDS_MS = 5_000;

/**
 * Maximum delay of a run, in milliseconds; a later run is skipped until the next scheduled time, as is one whose next time has
 * passed.
 */
const LATEST_MS = 3_600_000;

const runInTime = async (runtime: Runtime, work: Work, due: Date): Promise<void> => {
  if (await isTime(runtime, work)) await runJob(runtime, work.plugin, work.job, work.stopping, due);
};

/** Starts the scheduler; the returned function stops it and aborts running jobs. */
export const startScheduler = (runtime: Runtime): (() => Promise<void>) => {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const tasks = allJobs(runtime)
    .filter(({ job }) => job.schedule && (job.enabled?.(runtime.config) ?? true))
    .map(({ plugin, job }) => {
      const run = ({ date }: { readonly date: Date }): void => {
        const run = runInTime(runtime, { plugin, job, stopping: stopping.signal }, date)
          .catch((error) => runtime.log.warn('job_not_run', { job: job.id, error }))
          .finally(() => running.delete(run));
        running.add(run);
      };
      const task = cron.schedule(job.schedule as string, run, {
        timezone: 'UTC',
        noOverlap: true,
        name: job.id,
        // Tolerate delays, so that a nightly job is not skipped because the event loop was blocked at its second.
        missedExecutionTolerance: LATEST_MS,
      });
      // With a listener, node-cron does not print a warning to the terminal.
      task.on('execution:missed', ({ date }) =>
        runtime.log.warn('job_missed', { job: job.id, due: date.toISOString() }),
      );
      remember(job.id, task);
      return task;
    });
  return async () => {
    forgetAll();
    for (const task of tasks) await task.destroy();
    stopping.abort(new Error('the server stops'));
    await Promise.race([Promise.allSettled(running), sleep(LAST_WORDS_MS, undefined, { ref: false })]);
  };
};

/** Returns the next time at which a server would run the schedule, in RFC 3339 and UTC. */
const nextTime = async (schedule: string): Promise<string | null> => {
  const task = cron.schedule(schedule, () => undefined, { timezone: 'UTC' });
  const next = task.getNextRun();
  await task.destroy();
  return next?.toISOString() ?? null;
};

const lastInWords = (row: JobRow | undefined): string => {
  if (!row) return 'never';
  const took = row.seconds === null ? '' : ` in ${row.seconds.toFixed(1)} s`;
  return `${row.status} ${new Date(row.started * 1000).toISOString()}${took}`;
};

/** Runs the `jobs` command: `jobs` or `jobs -- list` lists the jobs, `jobs -- run <id>` runs one. */
export const jobsCommand = async (
  runtime: Runtime,
  args: readonly string[],
  out: (line: string) => unknown,
): Promise<number> => {
  const [action, id] = args;
  if (action === 'run') {
    const found = allJobs(runtime).find(({ job }) => job.id === id);
    if (!found) {
      out(`No job is called ${id ?? ''}.`);
      return 2;
    }
    const outcome = await runJob(runtime, found.plugin, found.job);
    out(JSON.stringify(outcome));
    return outcome.status === 'ok' ? 0 : 1;
  }
  if (action !== undefined && action !== 'list') {
    out(`jobs takes list or run <id>, and no "${action}".`);
    return 2;
  }
  const last = new Map((await lastRuns(runtime)).map((row) => [row.job, row]));
  for (const { job } of allJobs(runtime)) {
    const isOn = job.enabled?.(runtime.config) ?? true;
    const next = job.schedule && isOn ? await nextTime(job.schedule) : null;
    const when = isOn ? (job.schedule ?? 'by hand') : 'off (settings)';
    out(`${job.id}  ${when}  last: ${lastInWords(last.get(job.id))}  next: ${next ?? 'none'}  ${job.summary}`);
  }
  return 0;
};
