/** The client of an ONNX model process: starts the process on demand, and restarts it after a failure. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ModelError } from './model-error.ts';
import type { OnnxAnswer, OnnxBatch, OnnxWork } from './onnx-process.ts';

export interface OnnxNumbers {
  readonly numbers: Float32Array;
  readonly perText: number;
}

export interface OnnxRunner {
  /**
   * Runs one batch at a time, which the guard ensures. An abort kills the process, because nothing else can stop a computation.
   */
  run(batch: OnnxBatch, signal: AbortSignal): Promise<OnnxNumbers>;
  /** Loads the model before the first batch, because a download may exceed the timeout of a batch. */
  load(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Resolves with the next message of the process. Rejects when it ends or the signal aborts. */
const nextAnswer = (child: ChildProcess, name: string, signal: AbortSignal): Promise<OnnxAnswer> =>
  new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      child.off('message', said).off('error', ended).off('exit', ended);
      signal.removeEventListener('abort', aborted);
      finish();
    };
    const said = (answer: unknown): void => settle(() => resolve(answer as OnnxAnswer));
    const ended = (): void => settle(() => reject(new ModelError('unavailable', `The process of the ${name} ended`)));
    const aborted = (): void => settle(() => reject(signal.reason));
    child.on('message', said).on('error', ended).on('exit', ended);
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
  });

/**
 * Starts the process without output streams: on an error the library prints the tokens of the texts, and only our logger may
 * write.
 */
const begin = (): ChildProcess => {
  const path = fileURLToPath(new URL('./onnx-process.ts', import.meta.url));
  const child = fork(path, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  // nextAnswer handles errors of starting and sending, too.
  child.on('error', () => undefined);
  return child;
};

/** Lets the program exit while the process is idle. */
const rest = (child: ChildProcess): void => {
  child.unref();
  child.channel?.unref();
};

export const createOnnxRunner = (name: string, work: OnnxWork): OnnxRunner => {
  let running: ChildProcess | null = null;

  const ask = async (child: ChildProcess, message: OnnxWork | OnnxBatch, signal: AbortSignal): Promise<OnnxAnswer> => {
    child.ref();
    child.channel?.ref();
    try {
      const coming = nextAnswer(child, name, signal);
      if (child.connected) child.send(message);
      const answer = await coming;
      if (answer.kind === 'failed') throw new ModelError('refused', `The ${name}: ${answer.message}`);
      return answer;
    } catch (error) {
      // The process may still compute, or be partially loaded; the next batch gets a new process.
      if (signal.aborted || message === work) end(child);
      throw error;
    } finally {
      rest(child);
    }
  };
  const end = (child: ChildProcess): void => {
    if (running === child) running = null;
    child.kill('SIGKILL');
  };
  const ready = async (signal: AbortSignal): Promise<ChildProcess> => {
    if (running) return running;
    const child = begin();
    child.once('exit', () => {
      if (running === child) running = null;
    });
    await ask(child, work, signal);
    running = child;
    return child;
  };

  return {
    run: async (batch, signal) => {
      const answer = await ask(await ready(signal), batch, signal);
      if (answer.kind !== 'numbers') throw new ModelError('bad_reply', `The ${name} answered out of turn`);
      return answer;
    },
    load: async (signal) => {
      await ready(signal);
    },
    close: async () => {
      if (running) end(running);
    },
  };
};
