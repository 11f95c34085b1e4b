/**
 * Serves PostgreSQL's wire protocol on a Unix socket in front of one PGlite instance, so that several processes (and psql) share
 * it. PGlite has a single session: a client owns it from its first message until ReadyForQuery reports the idle status.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';

const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;
const TERMINATE = 0x58;
const READY_FOR_QUERY = 0x5a;
const IDLE = 0x49;

/** Builds the wire message of a simple query. */
const queryMessage = (sql: string): Uint8Array => {
  const text = Buffer.from(`${sql}\0`);
  const message = Buffer.alloc(5 + text.length);
  message.write('Q', 0);
  message.writeInt32BE(4 + text.length, 1);
  text.copy(message, 5);
  return message;
};
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

const fatalMessage = (code: string, text: string): Buffer => {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E', 0);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
};

/** Returns the transaction status of the last ReadyForQuery in a reply, or null when it contains none. */
const lastStatus = (reply: Uint8Array): number | null => {
  const view = new DataView(reply.buffer, reply.byteOffset, reply.byteLength);
  let status: number | null = null;
  for (let at = 0; at + 5 <= reply.length; ) {
    if (reply[at] === READY_FOR_QUERY) status = reply[at + 5] ?? null;
    at += 1 + view.getInt32(at + 1);
  }
  return status;
};

/**
 * Returns PGlite's reply to one message. It uses the raw stream: otherwise PGlite (0.5) also parses every row and retains the
 * parsed parts, so that the memory of the server would grow with all data that it ever read.
 */
const replyTo = async (db: PGlite, message: Uint8Array): Promise<Buffer> => {
  const parts: Buffer[] = [];
  // The bytes are in PGlite's memory, which the next message overwrites.
  const onRawData = (data: Uint8Array): void => {
    parts.push(Buffer.from(data));
  };
  await db.execProtocolRawStream(message, { syncToFs: false, onRawData });
  return Buffer.concat(parts);
};

interface WireOptions {
  readonly socketPath: string;
  /** Timeout of a client that is silent inside a transaction: the transaction is rolled back and the client is disconnected. */
  readonly idleInTransactionSeconds: number;
}

class Connection {
  readonly #db: PGlite;
  readonly #socket: Socket;
  readonly #idleMs: number;
  #buffer: Buffer = Buffer.alloc(0);
  #started = false;
  #gone = false;
  #leaving = false;
  #running = false;
  #wake: (() => void) | null = null;

  constructor(db: PGlite, socket: Socket, idleSeconds: number) {
    this.#db = db;
    this.#socket = socket;
    this.#idleMs = idleSeconds * 1000;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.#buffer = this.#buffer.length ? Buffer.concat([this.#buffer, chunk]) : chunk;
      this.#wake?.();
      void this.#serve();
    });
    const leave = (): void => {
      this.#gone = true;
      this.#wake?.();
    };
    socket.on('error', leave);
    socket.on('close', leave);
  }

  #take(): Uint8Array | null {
    const buffer = this.#buffer;
    const head = this.#started ? 1 : 0;
    if (buffer.length < head + 4) return null;
    const length = head + buffer.readInt32BE(head);
    if (length < head + 4 || length > 0x3fffffff) {
      this.#socket.destroy();
      return null;
    }
    if (buffer.length < length) return null;
    this.#buffer = buffer.subarray(length);
    return new Uint8Array(buffer.subarray(0, length));
  }

  /** Handles startup packets that PGlite must not receive; returns true when it did. */
  #handledAtStart(message: Uint8Array): boolean {
    const code = Buffer.from(message.buffer, message.byteOffset).readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) {
      this.#socket.write('N');
      return true;
    }
    if (code === CANCEL_REQUEST) {
      this.#socket.end();
      return true;
    }
    this.#started = true;
    return false;
  }

  async #serve(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let message = this.#take(); message && !this.#gone && !this.#leaving; message = this.#take()) {
        if (!this.#started && this.#handledAtStart(message)) continue;
        if (this.#started && message[0] === TERMINATE) {
          this.#socket.end();
          return;
        }
        const first = message;
        await this.#db._runExclusiveTransaction(() => this.#converse(first));
      }
    } catch (error) {
      this.#socket.destroy(error as Error);
    } finally {
      this.#running = false;
      if (this.#leaving) this.#socket.destroySoon();
    }
  }

  /** Disconnects the client after the current conversation. */
  leave(): void {
    this.#leaving = true;
    if (!this.#running) this.#socket.destroy();
  }

  /** Owns the session until it is idle again, even when the client disconnects meanwhile. */
  async #converse(first: Uint8Array): Promise<void> {
    let message: Uint8Array | null = first;
    while (message) {
      if (message[0] === TERMINATE && message !== first) break;
      const reply = await replyTo(this.#db, message);
      if (reply.length && !this.#gone) this.#socket.write(reply);
      if (lastStatus(reply) === IDLE) return;
      message = this.#take() ?? (await this.#next());
    }
    await replyTo(this.#db, SYNC);
    await replyTo(this.#db, queryMessage('ROLLBACK'));
    this.#socket.destroy();
  }

  /** Waits for the client's next message; returns null when the client disconnected or exceeded the idle timeout. */
  async #next(): Promise<Uint8Array | null> {
    while (!this.#gone) {
      const message = this.#take();
      if (message) return message;
      if (!(await this.#somethingCame())) {
        this.#socket.write(fatalMessage('25P03', 'terminating connection due to idle-in-transaction timeout'));
        return null;
      }
    }
    return null;
  }

  /**
   * Waits for data; returns false when the client sent nothing during the whole idle timeout. A partial message counts as data.
   */
  async #somethingCame(): Promise<boolean> {
    const came = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#idleMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    this.#wake = null;
    return came;
  }
}

/** How long transactions may take to end when the server closes, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Starts listening. `close` lets every transaction in progress end, so that another process can take over at any time. */
export const startWireServer = async (db: PGlite, options: WireOptions): Promise<{ close(): Promise<void> }> => {
  const connections = new Map<Socket, Connection>();
  const server: Server = createServer((socket) => {
    connections.set(socket, new Connection(db, socket, options.idleInTransactionSeconds));
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socketPath, () => resolve());
  });
  return {
    close: () =>
      new Promise((resolve) => {
        const impatient = setTimeout(() => {
          for (const socket of connections.keys()) socket.destroy();
        }, PATIENCE_MS);
        server.close(() => {
          clearTimeout(impatient);
          resolve();
        });
        for (const connection of connections.values()) connection.leave();
      }),
  };
};
