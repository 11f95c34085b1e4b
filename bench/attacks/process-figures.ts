/** Reads the processor time and memory of a process and all its descendants from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface Figures {
  readonly seconds: number;
  readonly residentMb: number;
}

const parents = (): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      found.set(Number(name), Number(fields[1]));
    } catch {
      // The process ended while the list was read.
    }
  }
  return found;
};

const familyOf = (pid: number): readonly number[] => {
  const all = parents();
  const family = [pid];
  for (const one of family) for (const [child, parent] of all) if (parent === one) family.push(child);
  return family;
};

/** Returns the figures; includes the time of children that ended and were waited for. */
export const processFigures = (pid: number): Figures => {
  let [ticks, kilobytes] = [0, 0];
  for (const one of familyOf(pid)) {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      for (const at of [11, 12, 13, 14]) ticks += Number(fields[at]);
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process ended in the meantime.
    }
  }
  return { seconds: ticks / TICKS_PER_SECOND, residentMb: kilobytes / 1024 };
};
