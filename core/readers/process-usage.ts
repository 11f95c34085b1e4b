/** Reads the memory and processor time of a process from /proc on Linux. */
import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  readonly residentMegabytes: number;
  /** Processor time of all threads so far. */
  readonly processorSeconds: number;
}

/** Linux reports processor time in hundredths of a second on every machine. */
const TICKS_PER_SECOND = 100;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Returns null when the process does not exist, and on systems without /proc. */
export const usageOf = (pid: number): ProcessUsage | null => {
  try {
    // The program name precedes the last parenthesis and may contain spaces.
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
