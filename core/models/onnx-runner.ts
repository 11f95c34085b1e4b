/** This side of an ONNX model: starts its process when there is something to do, and again after a failure. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ModelError } from './model-error.ts';
import type { OnnxAnswer, OnnxBatch, OnnxWork } from './onnx-process.ts';

export interface OnnxNumbers {
  readonly numbers: Float32Array;
  readonly perText: number;
}

export interface OnnxRunner {
  /** One batch at a time; the guard sees to that. An abort ends the process, as nothing else stops a computation. */
  run(batch: OnnxBatch, signal: AbortSignal): Promise<OnnxNumbers>;
  /** Loads the model before the first batch: a download may take longer than a batch may. */
  load(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What the process says next. Rejects when it ends, or the signal aborts. */
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

/** Without streams: on a failure the library prints the tokens of the texts, and only our log writes. */
const begin = (): ChildProcess => {
  const path = fileURLToPath(new URL('./onnx-process.ts', import.meta.url));
  const child = fork(path, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  // A failure to start or to send comes to nextAnswer as well.
  child.on('error', () => undefined);
  return child;
};

/** Only work keeps the program running, not a process that waits for some. */
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
      // It may still compute, or be half loaded; the next batch gets another process.
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
