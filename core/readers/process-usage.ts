/** What a process uses, as Linux tells it under /proc. */
import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  readonly residentMegabytes: number;
  /** Of all its threads so far. */
  readonly processorSeconds: number;
}

/** Linux counts processor time in hundredths of a second, whatever the machine. */
const TICKS_PER_SECOND = 100;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Returns null when there is no such process, and on systems without /proc. */
export const usageOf = (pid: number): ProcessUsage | null => {
  try {
    // The name of the program comes before the last bracket, and may hold blanks.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return {
      residentMegabytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
      processorSeconds: (Number(stat[USER_TIME]) + Number(stat[SYSTEM_TIME])) / TICKS_PER_SECOND,
    };
  } catch {
    return null;
  }
};
