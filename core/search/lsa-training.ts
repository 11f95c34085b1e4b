/** Trains a model of the semantic retriever in a worker thread, so that searches continue meanwhile. */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { LsaModel, TrainingSet } from './lsa.ts';

/** Trains a model on a training set; rejects when the signal aborts or the training fails. */
export async function trainModel(
  { terms, idf, matrix }: TrainingSet,
  settings: { dimensions: number; power: number; trainedOn: number },
  signal: AbortSignal,
): Promise<LsaModel> {
  signal.throwIfAborted();
  // Only a real reduction generalises: few documents or terms get few dimensions.
  const dimensions = Math.min(settings.dimensions, matrix.documents >> 2, terms.length >> 2);
  if (dimensions === 0) throw new Error('the documents share too few terms to train on');
  const projection = await runWorker({ matrix, dimensions, power: settings.power }, signal);
  const digest = createHash('sha256').update(projection).digest('hex').slice(0, 8);
  const rows = new Map(terms.map((term, row) => [term, row]));
  return { rows, idf, projection, dimensions, trainedOn: settings.trainedOn, digest };
}

function runWorker(workerData: unknown, signal: AbortSignal): Promise<Float32Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./lsa-worker.ts', import.meta.url), { workerData });
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop);
      // This has no effect after a message or an error.
      reject(new Error('the training was stopped'));
    });
  });
}
