/** Runs one measurement: wrk on one core against a server on another, with the processor time of the server's process. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Clock ticks per second, the unit of processor time in Linux. */
const TICKS = 100;
/** Number of connections, each with a request in flight at all times. */
export const CONNECTIONS = 64;

export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests per second of the server's processor time, a figure that remains meaningful on a busy machine. */
  readonly perCpuSecond: number;
  /** Number of failed requests and of responses other than 2xx. */
  readonly failed: number;
}

const milliseconds = (text: string): number => {
  const [, number = '0', unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? [];
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? Number.NaN);
};

/** Returns the processor time used so far in seconds, including children, because nginx works in one. */
const cpuSeconds = async (pid: number): Promise<number> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  let ticks = 0;
  for (const each of [pid, ...children.split(' ').filter(Boolean).map(Number)]) {
    const fields = (await readFile(`/proc/${each}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS;
};

export interface Target {
  readonly url: string;
  readonly pid: number;
}

export interface Wish {
  readonly seconds: number;
  readonly acceptEncoding?: string;
  readonly connections?: number;
  /** Core that wrk may use; null for any. */
  readonly core?: number | null;
}

export const measure = async ({ url, pid }: Target, wish: Wish): Promise<Figures> => {
  const { seconds, acceptEncoding, connections = CONNECTIONS, core = 1 } = wish;
  const words = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency'];
  if (acceptEncoding) words.push('-H', `Accept-Encoding: ${acceptEncoding}`);
  const [program = '', ...rest] = [...(core === null ? [] : ['taskset', '-c', String(core)]), ...words, url];
  const before = await cpuSeconds(pid);
  const { stdout } = await run(program, rest);
  const used = (await cpuSeconds(pid)) - before;
  const [, requests = '0'] = /(\d+) requests in/.exec(stdout) ?? [];
  const [, perSecond = '0'] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  const [, p50 = ''] = /^\s+50%\s+(\S+)/m.exec(stdout) ?? [];
  const [, p99 = ''] = /^\s+99%\s+(\S+)/m.exec(stdout) ?? [];
  const [, wrong = '0'] = /Non-2xx or 3xx responses: (\d+)/.exec(stdout) ?? [];
  const lost = /Socket errors: (.*)/.exec(stdout)?.[1]?.match(/\d+/g) ?? [];
  return {
    perSecond: Number(perSecond),
    p50Ms: milliseconds(p50),
    p99Ms: milliseconds(p99),
    perCpuSecond: used ? Number(requests) / used : Number.NaN,
    failed: lost.reduce((sum, count) => sum + Number(count), Number(wrong)),
  };
};
