/**
 * Processes that read foreign files: each bounded in memory, processor time and wall time, so that a hostile or huge file costs
 * its own process its life and never the server its own. A process is kept for a while after its work, and ended when a limit
 * is passed.
 */
import { type ChildProcess, fork, type Serializable, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { usageOf } from './process-usage.ts';

export interface ProcessLimits {
  /** Of JavaScript's heap; buffers and libraries come on top. */
  readonly heapMegabytes: number;
  /** Of all memory that the process has resident. Enforced on Linux. */
  readonly residentMegabytes: number;
  /** For one piece of work. */
  readonly seconds: number;
  /** How long a process without work is kept; 0: each ends with its work. */
  readonly idleSeconds: number;
  /** How many may work at the same time; further work waits in order. */
  readonly atOnce: number;
}

/** How a piece of work ended without a last message. */
export type Failure = 'crashed' | 'took_too_long' | 'too_much_memory';

export interface Work<In, Out> {
  readonly message: In;
  /** Called with each message; true: that was the last one. */
  onMessage(message: Out, reply: (message: In) => void): boolean;
  /** Its abort ends the process. */
  readonly signal?: AbortSignal | undefined;
  /** Called once with the processor seconds that the work took, however it ended. */
  readonly onSpent?: ((seconds: number) => void) | undefined;
  /** Called when it ends without a last message. */
  readonly onFailure?: ((failure: Failure) => void) | undefined;
}

/** What the caller of a reader may want to know of its process. */
export type Reported = Pick<Work<never, never>, 'onSpent' | 'onFailure'>;

export interface BoundedProcesses<In, Out> {
  /** Resolves with null after the last message, else with what went wrong; rejects only when it is aborted or stopped. */
  run(work: Work<In, Out>): Promise<Failure | null>;
  /** Lets what is under way end, and ends each process after it. */
  retire(): Promise<void>;
  /** Ends all processes; what was under way rejects. */
  stop(): Promise<void>;
}

export interface Program<In> {
  readonly script: URL;
  /** Sent to each new process first. */
  readonly greeting?: In;
  readonly limits: ProcessLimits;
}

/** How often memory is looked at, which takes some hundredths of a millisecond. */
const LOOK_MS = 25;
/**
 * Beyond the limit and these, the system itself refuses memory, should it grow faster than the looks. They are what a process
 * with a thread and WebAssembly maps writable without ever touching it: 2.2 GB were measured.
 */
const HARD_EXTRA_MEGABYTES = 3_072;
/** A process that ends by itself with this share of its memory in use is taken to have been refused more. */
const NEAR_LIMIT = 0.5;

const OUT_OF_MEMORY: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGKILL']);

/**
 * `ulimit -d` bounds all memory that is private and writable (buffers and libraries too), and leaves alone what V8 and
 * WebAssembly merely reserve, which `ulimit -v` would count. `ulimit -c 0`: a core dump would hold what was being read.
 */
const LIMITED = 'ulimit -c 0; ulimit -d "$0"; exec "$@"';

const begin = ({ script, limits }: Pick<Program<never>, 'script' | 'limits'>): ChildProcess => {
  const path = fileURLToPath(script);
  const options = [`--max-old-space-size=${limits.heapMegabytes}`, '--max-semi-space-size=4'];
  // Libraries print pieces of what they read, and only our log writes. It gets no settings, and with them no secrets.
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

/** A process that is just dying cannot be told anything; its end is seen by itself. */
const send = (child: ChildProcess, message: unknown): void =>
  void (child.connected && child.send(message as Serializable, () => undefined));

interface Watch {
  stop(): void;
  /** Since the watch began. */
  processorSeconds(): number;
  /** Whether the last look found it near its limit. */
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
    // One that has ended and that nobody has waited for yet has no memory left.
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
      // Where no system tells it, the time that it took is the most that it can be of one thread.
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
    // V8 ends itself so where memory is refused, and the system ends a process so where it has none left.
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

/** A waiting process keeps no program running. */
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
      // A turn that is handed on stays counted.
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
