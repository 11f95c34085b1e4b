/**
 * Child processes that read untrusted files, each with limits on memory, processor time and wall time: a hostile or huge file can
 * crash its child process, but never the server. A process that exceeds a limit is killed; an idle process is kept for reuse for
 * a while.
 */
import { type ChildProcess, fork, type Serializable, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { usageOf } from './process-usage.ts';

export interface ProcessLimits {
  /** Limit of the JavaScript heap; buffers and native libraries are not included. */
  readonly heapMegabytes: number;
  /** Limit of the resident memory of the process. Enforced on Linux only. */
  readonly residentMegabytes: number;
  /** Timeout for one piece of work. */
  readonly seconds: number;
  /** How long an idle process is kept for reuse; 0 ends each process with its work. */
  readonly idleSeconds: number;
  /** Maximum number of concurrent workers; further work is queued in order. */
  readonly atOnce: number;
}

/** The reason why work ended without a final message. */
export type Failure = 'crashed' | 'took_too_long' | 'too_much_memory';

export interface Work<In, Out> {
  readonly message: In;
  /** Called with each message; returns true when it was the final one. */
  onMessage(message: Out, reply: (message: In) => void): boolean;
  /** Aborting it kills the process. */
  readonly signal?: AbortSignal | undefined;
  /** Called once with the processor seconds that the work used, whether it succeeded or failed. */
  readonly onSpent?: ((seconds: number) => void) | undefined;
  /** Called when the work ends without a final message. */
  readonly onFailure?: ((failure: Failure) => void) | undefined;
}

/** The callbacks with which a caller observes the process of its work. */
export type Reported = Pick<Work<never, never>, 'onSpent' | 'onFailure'>;

export interface BoundedProcesses<In, Out> {
  /**
   * Resolves with null after the final message, else with the failure; rejects only when the work is aborted or the pool is
   * stopped.
   */
  run(work: Work<In, Out>): Promise<Failure | null>;
  /** Lets running work finish, then ends each process. */
  retire(): Promise<void>;
  /** Kills all processes; running work rejects. */
  stop(): Promise<void>;
}

export interface Program<In> {
  readonly script: URL;
  /** First message to each new process. */
  readonly greeting?: In;
  readonly limits: ProcessLimits;
}

/** Interval of the memory checks; one check takes some hundredths of a millisecond. */
const LOOK_MS = 25;
/**
 * Extra memory above the limit before the kernel itself refuses allocations, in case memory grows faster than the checks run. It
 * covers the writable mappings of a process with a thread and WebAssembly that are never touched: 2.2 GB were measured.
 */
const HARD_EXTRA_MEGABYTES = 3_072;
/** A process that exits on its own while it uses more than this share of its limit is assumed to have failed an allocation. */
const NEAR_LIMIT = 0.5;

const OUT_OF_MEMORY: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGKILL']);

/**
 * `ulimit -d` limits all private writable memory (including buffers and libraries), but not the address space that V8 and
 * WebAssembly merely reserve, which `ulimit -v` would count. `ulimit -c 0` disables core dumps, which would contain the data of
 * the file.
 */
const LIMITED = 'ulimit -c 0; ulimit -d "$0"; exec "$@"';

const begin = ({ script, limits }: Pick<Program<never>, 'script' | 'limits'>): ChildProcess => {
  const path = fileURLToPath(script);
  const options = [`--max-old-space-size=${limits.heapMegabytes}`, '--max-semi-space-size=4'];
  // Output is ignored, because libraries print parts of their input and only our logger may write. The environment is empty, so
  // that the child receives no settings and no secrets.
  const stdio: ('ignore' | 'ipc')[] = ['ignore', 'ignore', 'ignore', 'ipc'];
  if (process.platform !== 'linux')
    return fork(path, [], { serialization: 'advanced', stdio, execArgv: options, env: {} });
  const kilobytes = String((limits.residentMegabytes + HARD_EXTRA_MEGABYTES) * 1024);
  return spawn('/bin/sh', ['-c', LIMITED, kilobytes, process.execPath, ...options, path], {
    serialization: 'advanced',
    stdio,
    env: {},
  });
};

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null || child.killed || !child.connected;

/** Sends a message, and ignores errors: a dying process cannot receive it, and its exit event reports the failure. */
const send = (child: ChildProcess, message: unknown): void =>
  void (child.connected && child.send(message as Serializable, () => undefined));

interface Watch {
  stop(): void;
  /** Returns the processor seconds used since the watch began. */
  processorSeconds(): number;
  /** Returns whether memory was near the limit at the last check. */
  wasNearLimit(): boolean;
}

const watch = (child: ChildProcess, residentMegabytes: number, onTooMuch: () => void): Watch => {
  const startedAt = performance.now();
  const pid = child.pid ?? 0;
  const before = usageOf(pid)?.processorSeconds;
  let seconds: number | null = null;
  let resident = 0;
  const look = (): void => {
    const usage = usageOf(pid);
    // A process that has ended but has not been reaped yet has no resident memory.
    if (!usage?.residentMegabytes) return;
    resident = usage.residentMegabytes;
    seconds = usage.processorSeconds - (before ?? 0);
    if (resident > residentMegabytes) onTooMuch();
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    stop: () => clearInterval(timer),
    processorSeconds: () => {
      look();
      // Where the system does not report processor time, the elapsed time is the upper bound for one thread.
      return seconds ?? (performance.now() - startedAt) / 1000;
    },
    wasNearLimit: () => resident > NEAR_LIMIT * residentMegabytes,
  };
};

const workIn = <In, Out>(
  child: ChildProcess,
  { message, onMessage, signal, onSpent, onFailure }: Work<In, Out>,
  { residentMegabytes, seconds }: ProcessLimits,
): Promise<Failure | null> =>
  new Promise((resolve, reject) => {
    const settle = (finish: () => void, isOver: boolean): void => {
      clearTimeout(timer);
      onSpent?.(watching.processorSeconds());
      watching.stop();
      child.off('message', heard).off('exit', crashed).off('error', crashed);
      signal?.removeEventListener('abort', aborted);
      if (isOver) child.kill('SIGKILL');
      finish();
    };
    const fail = (failure: Failure) => (): void => {
      onFailure?.(failure);
      settle(() => resolve(failure), true);
    };
    const heard = (told: unknown): void => {
      if (onMessage(told as Out, (answer) => send(child, answer))) settle(() => resolve(null), false);
    };
    // V8 exits with these signals when an allocation fails, and the kernel uses SIGKILL when it is out of memory.
    const crashed = (_code: unknown, by?: NodeJS.Signals | null): void =>
      fail((by && OUT_OF_MEMORY.has(by)) || watching.wasNearLimit() ? 'too_much_memory' : 'crashed')();
    const aborted = (): void => settle(() => reject(signal?.reason), true);
    let isTooMuch = false;
    const watching = watch(child, residentMegabytes, () => {
      if (isTooMuch) return;
      isTooMuch = true;
      fail('too_much_memory')();
    });
    const timer = setTimeout(fail('took_too_long'), seconds * 1000);
    child.on('message', heard).on('exit', crashed).on('error', crashed);
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted) aborted();
    else send(child, message);
  });

/** Lets this program exit while the idle process waits. */
const rest = (child: ChildProcess): void => {
  child.unref();
  child.channel?.unref();
};

const wake = (child: ChildProcess): void => {
  child.ref();
  child.channel?.ref();
};

export const createBoundedProcesses = <In, Out>({
  script,
  greeting,
  limits,
}: Program<In>): BoundedProcesses<In, Out> => {
  const stopping = new AbortController();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  const under = new Set<Promise<unknown>>();
  let working = 0;
  let isRetired = false;

  const endIdle = (): void => {
    for (const [child, timer] of idle) {
      clearTimeout(timer);
      child.kill('SIGKILL');
    }
    idle.clear();
  };
  const take = (): ChildProcess => {
    for (const [child, timer] of idle) {
      clearTimeout(timer);
      idle.delete(child);
      if (!hasEnded(child)) {
        wake(child);
        return child;
      }
    }
    const child = begin({ script, limits });
    child.on('error', () => undefined);
    if (greeting !== undefined) send(child, greeting);
    return child;
  };
  const keep = (child: ChildProcess): void => {
    if (hasEnded(child)) return;
    if (!limits.idleSeconds || isRetired || stopping.signal.aborted) {
      child.kill('SIGKILL');
      return;
    }
    rest(child);
    const timer = setTimeout(() => {
      idle.delete(child);
      child.kill();
    }, limits.idleSeconds * 1000);
    timer.unref();
    idle.set(child, timer);
  };
  const turn = async (): Promise<void> => {
    if (working >= limits.atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else working += 1;
  };
  const runNow = async (work: Work<In, Out>): Promise<Failure | null> => {
    await turn();
    try {
      const signal = work.signal ? AbortSignal.any([work.signal, stopping.signal]) : stopping.signal;
      signal.throwIfAborted();
      const child = take();
      try {
        return await workIn(child, { ...work, signal }, limits);
      } finally {
        keep(child);
      }
    } finally {
      // The permit passes to the next waiter, so `working` stays the same.
      const next = waiting.shift();
      if (next) next();
      else working -= 1;
    }
  };
  return {
    run: (work) => {
      const own = runNow(work);
      under.add(own);
      own.catch(() => undefined).finally(() => under.delete(own));
      return own;
    },
    retire: async () => {
      isRetired = true;
      endIdle();
      await Promise.allSettled(under);
    },
    stop: async () => {
      stopping.abort(new Error('the reader was stopped'));
      endIdle();
      await Promise.allSettled(under);
    },
  };
};
