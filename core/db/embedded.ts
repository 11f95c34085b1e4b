/**
 * The embedded database of a data folder. The first process runs it in a worker thread; further processes connect as clients.
 * When the owning process ends, one of the clients takes over.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { tryLock } from './file-lock.ts';

/** Maximum length of a socket path, in bytes; Linux allows 107. */
const LONGEST_SOCKET_PATH = 100;
const SOCKET_NAME = '.s.PGSQL.5432';

export interface EmbeddedDatabase {
  /** The folder of the socket, which `pg` takes as its host. */
  readonly host: string;
  readonly owned: () => boolean;
  close(): Promise<void>;
}

const socketFolder = (dataDir: string): string => {
  const inside = join(dataDir, 'run');
  if (Buffer.byteLength(join(inside, SOCKET_NAME)) <= LONGEST_SOCKET_PATH) return inside;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `evidence-base-${process.getuid?.() ?? 0}-${name}`);
};

/** Opens the embedded database of `dataDir`, and runs it in this process when no other process does. */
export const openEmbedded = async (dataDir: string, log: Log): Promise<EmbeddedDatabase> => {
  const host = socketFolder(dataDir);
  await mkdir(join(dataDir, 'db'), { recursive: true });
  await mkdir(host, { recursive: true, mode: 0o700 });
  await chmod(host, 0o700);
  const embedded = new Embedded(dataDir, host, log);
  await embedded.join();
  return embedded;
};

class Embedded implements EmbeddedDatabase {
  readonly host: string;
  readonly #dataDir: string;
  readonly #log: Log;
  #lock: { release(): void } | null = null;
  #worker: Worker | null = null;
  #watch: Socket | null = null;
  #closing = false;
  #joining: Promise<void> = Promise.resolve();

  constructor(dataDir: string, host: string, log: Log) {
    this.#dataDir = dataDir;
    this.host = host;
    this.#log = log;
  }

  owned = (): boolean => this.#worker !== null;

  get #socketPath(): string {
    return join(this.host, SOCKET_NAME);
  }

  /** Becomes the owner or a client; waits while another process is starting or shutting down. */
  join(): Promise<void> {
    this.#joining = this.#findPlace();
    return this.#joining;
  }

  async #findPlace(): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline && !this.#closing) {
      this.#lock = tryLock(join(this.#dataDir, 'db.lock'));
      if (this.#lock) return this.#own(this.#lock);
      if (await this.#follow()) return;
      await sleep(50 + Math.random() * 100);
    }
    if (this.#closing) return;
    const owner = await readFile(join(this.#dataDir, 'db.owner'), 'utf8').catch(() => 'another process');
    throw new OperatorError(`The data folder ${this.#dataDir} is locked by ${owner.trim()}, which does not answer.`);
  }

  async #own(lock: { release(): void }): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      lock.release();
      this.#lock = null;
      throw error;
    }
  }

  async #run(): Promise<void> {
    const partial = join(this.#dataDir, 'db.partial');
    const folder = join(this.#dataDir, 'db', 'pg');
    await rm(this.#socketPath, { force: true });
    await writeFile(join(this.#dataDir, 'db.owner'), `process ${process.pid}\n`);
    await this.#prepareFolder(folder, partial);
    this.#worker = await startWorker(folder, this.#socketPath);
    await chmod(this.#socketPath, 0o600);
    this.#worker.on('exit', (code) => {
      if (this.#closing) return;
      this.#worker = null;
      this.#log.error('embedded_database_ended', { code });
      this.#lock?.release();
      this.#lock = null;
      this.#rejoin();
    });
  }

  /**
   * Creates the database folder. A first initdb that is killed leaves a folder that cannot be opened, so it runs in a temporary
   * folder, which is then renamed.
   */
  async #prepareFolder(folder: string, partial: string): Promise<void> {
    const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
    if (made) return;
    await rm(folder, { recursive: true, force: true });
    await rm(partial, { recursive: true, force: true });
    const worker = await startWorker(partial, this.#socketPath);
    await stopWorker(worker);
    await rm(this.#socketPath, { force: true });
    await rename(partial, folder);
  }

  /** Opens an idle connection to the owner; when it closes, the owner has ended. */
  async #follow(): Promise<boolean> {
    const socket = connect(this.#socketPath);
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (!connected) return false;
    this.#watch = socket;
    socket.unref();
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#watch = null;
      if (!this.#closing) this.#rejoin();
    });
    return true;
  }

  #rejoin(): void {
    this.join().catch((error) => this.#log.error('embedded_database_lost', { error }));
  }

  async close(): Promise<void> {
    this.#closing = true;
    // A failover in progress must not start the database after it was closed.
    await this.#joining.catch(() => undefined);
    this.#watch?.destroy();
    if (this.#worker) await stopWorker(this.#worker);
    this.#worker = null;
    this.#lock?.release();
    this.#lock = null;
  }
}

/** Node provides it, but TypeScript's ES library does not declare it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const compiled = new Map<string, Promise<object>>();

/**
 * Compiles a WebAssembly module of PGlite once per process, however often the database is opened. This saves time, and avoids
 * repeated compilation and release of the same code in V8 (Node 24), which occasionally crashes the process (nodejs/node#64500).
 */
const compileOnce = (file: 'pglite.wasm' | 'initdb.wasm'): Promise<object> => {
  const known = compiled.get(file);
  if (known) return known;
  const path = new URL(`./${file}`, import.meta.resolve('@electric-sql/pglite'));
  const made = readFile(path).then((bytes) => WebAssembly.compile(bytes));
  compiled.set(file, made);
  return made;
};

const startWorker = async (folder: string, socketPath: string): Promise<Worker> => {
  const [wasm, initdb] = await Promise.all([compileOnce('pglite.wasm'), compileOnce('initdb.wasm')]);
  const script = new URL('./pglite-worker.ts', import.meta.url);
  return started(new Worker(script, { workerData: { folder, socketPath, wasm, initdb } }), folder);
};

const started = (worker: Worker, folder: string): Promise<Worker> =>
  new Promise((resolve, reject) => {
    worker.once('error', (error) =>
      reject(new OperatorError(`The embedded database in ${folder} does not open: ${(error as Error).message}`)),
    );
    worker.once('message', (message: { ready?: true; failed?: string }) => {
      if (message.ready) resolve(worker);
      else reject(new OperatorError(`The embedded database in ${folder} does not open: ${message.failed}`));
    });
  });

const stopWorker = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage('close');
  });
