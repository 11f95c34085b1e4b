/** Trains a model of the semantic leg in a worker thread, so that searches go on meanwhile. */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { type LsaModel, trainingSet } from './lsa.ts';
import type { Segment } from './segment.ts';

/** A model of the live documents; rejects when the signal aborts or the training fails. */
export async function trainModel(
  segments: readonly Segment[],
  settings: { dimensions: number; power: number },
  signal: AbortSignal,
): Promise<LsaModel> {
  signal.throwIfAborted();
  const trainedOn = segments.reduce((sum, segment) => sum + segment.live, 0);
  const { terms, idf, matrix } = trainingSet(segments);
  const dimensions = Math.min(settings.dimensions, Math.floor(matrix.documents / 4), terms.length);
  if (dimensions === 0) throw new Error('the documents share no terms to train on');
  const projection = await runWorker({ matrix, dimensions, power: settings.power }, signal);
  const digest = createHash('sha256').update(projection).digest('hex').slice(0, 8);
  return { rows: new Map(terms.map((term, row) => [term, row])), idf, projection, dimensions, trainedOn, digest };
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
      // Has no effect after a message or an error.
      reject(new Error('the training was stopped'));
    });
  });
}
