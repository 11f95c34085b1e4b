/** A progress bar on stderr; it prints nothing when stderr is not a terminal. */
import type * as CliProgress from 'cli-progress';
import { requireOnce } from './lazy.ts';

export interface Progress {
  update(done: number, note: string): void;
  stop(): void;
}

/** Starts a progress bar; `total` null shows only a count. */
export const progressBar = (title: string, total: number | null = null): Progress => {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const format = total === null ? `${title}  {value}  {note}` : `${title}  [{bar}] {value}/{total}  {note}`;
  const { SingleBar } = requireOnce<typeof CliProgress>('cli-progress');
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true, barsize: 30 });
  bar.start(total ?? Number.MAX_SAFE_INTEGER, 0, { note: '' });
  return { update: (done, note) => bar.update(done, { note }), stop: () => bar.stop() };
};

const inWords = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
};

/** Returns the rate so far and the remaining time at this rate, such as "210 records/s, 3 min left". */
export const rateAndTimeLeft = (done: number, total: number, seconds: number): string => {
  if (!done || seconds <= 0) return '';
  const rate = done / seconds;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} records/s, ${inWords((total - done) / rate)} left`;
};
