/** A worker thread of `generate`: boots the program, then renders the batches that it receives. */
import { parentPort, workerData } from 'node:worker_threads';
import { boot } from '#core/boot.ts';
import type { AnyPlugin } from '#core/plugin.ts';
import { PackWriter } from '#core/site/pack-writer.ts';
import { PageMaker } from './making.ts';
import type { Answer, Failure, Question, WorkerOrder } from './workers.ts';

const { source, siteDir, prefix, twins } = workerData as WorkerOrder;
const { plugins } = (await import(source.plugins)) as { plugins: readonly AnyPlugin[] };
const runtime = await boot({
  plugins,
  role: 'command',
  isPrepared: true,
  ...(source.environment && { environment: source.environment, dotEnvPath: null }),
});
const pack = prefix === null ? null : new PackWriter(siteDir, prefix);
const maker = new PageMaker({ runtime, pack, twins, signal: new AbortController().signal });

const failureOf = (error: unknown): Failure => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack };
};

const answerTo = async (question: Question): Promise<Answer> => {
  const { id } = question;
  try {
    if ('finish' in question) return { id, packs: (await pack?.finish()) ?? [] };
    return { id, made: await maker.make(question.batch) };
  } catch (error) {
    return { id, failed: failureOf(error) };
  }
};

const tell = (answer: Answer): void => parentPort?.postMessage(answer);
parentPort?.on('message', async (question: Question) => tell(await answerTo(question)));
tell({ ready: true });
