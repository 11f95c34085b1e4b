/** Registers the scheduled tasks of this process, so that the next run of each job can be looked up. */
import type { ScheduledTask } from 'node-cron';

const tasks = new Map<string, ScheduledTask>();

export const remember = (jobId: string, task: ScheduledTask): void => {
  tasks.set(jobId, task);
};

export const forgetAll = (): void => tasks.clear();

export const nextRun = (jobId: string): Date | null => tasks.get(jobId)?.getNextRun() ?? null;
