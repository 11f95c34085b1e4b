/** A progress line for work whose end is not known; silent where there is no terminal. */
import type * as CliProgress from 'cli-progress';
import { requireOnce } from './lazy.ts';

export interface Progress {
  update(done: number, note: string): void;
  stop(): void;
}

/** `total` null: only counts. */
export const progressBar = (title: string, total: number | null = null): Progress => {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const format = total === null ? `${title}  {value}  {note}` : `${title}  [{bar}] {value}/{total}  {note}`;
  const { SingleBar } = requireOnce<typeof CliProgress>('cli-progress');
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true, barsize: 30 });
  bar.start(total ?? Number.MAX_SAFE_INTEGER, 0, { note: '' });
  return { update: (done, note) => bar.update(done, { note }), stop: () => bar.stop() };
};
