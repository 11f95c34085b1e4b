/**
 * The worker thread that owns the embedded database: it runs PGlite and its wire server, so that no query blocks the main thread.
 */
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { startWireServer } from './wire-server.ts';

interface WorkerInput {
  readonly folder: string;
  readonly socketPath: string;
  /** Compiled WebAssembly modules of PostgreSQL and its initdb. */
  readonly wasm: object;
  readonly initdb: object;
}

// PGlite sets the mode of each new file with its own umask, which would let other users read the files.
const chmodSync = fs.chmodSync;
fs.chmodSync = (path, mode) => chmodSync(path, Number(mode) & 0o700);

const run = async ({ folder, socketPath, wasm, initdb }: WorkerInput): Promise<void> => {
  const db = await PGlite.create({
    dataDir: folder,
    extensions: { pg_trgm, unaccent },
    pgliteWasmModule: wasm as never,
    initdbWasmModule: initdb as never,
  });
  const server = await startWireServer(db, { socketPath, idleInTransactionSeconds: 60 });
  parentPort?.on('message', async (message) => {
    if (message !== 'close') return;
    await server.close();
    await db.close();
    parentPort?.postMessage({ closed: true });
    parentPort?.close();
  });
  parentPort?.postMessage({ ready: true });
};

run(workerData as WorkerInput).catch((error: Error) => parentPort?.postMessage({ failed: error.message }));
