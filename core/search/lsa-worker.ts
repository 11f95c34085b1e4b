/** Runs one training in a worker thread: takes the matrix as worker data, posts the projection, and exits. */
import { parentPort, workerData } from 'node:worker_threads';
import type { TrainingMatrix } from './lsa.ts';
import { trainProjection } from './lsa-train.ts';

const { matrix, dimensions, power } = workerData as { matrix: TrainingMatrix; dimensions: number; power: number };
const projection = trainProjection(matrix, dimensions, power);
parentPort?.postMessage(projection, [projection.buffer as ArrayBuffer]);
