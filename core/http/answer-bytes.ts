/**
 * Assembles responses in one reused buffer before they are written to a socket. A new string or buffer for each response
 * would create hundreds of megabytes of garbage per second.
 */
import type { Socket } from 'node:net';

const SIZE = 65_536;
/** Size above which a body is written separately, in bytes; copying a smaller one is cheaper than a separate write. */
const LARGE = 16_384;
/** Space for the status line and the headers that differ between responses, in bytes. */
const HEAD = 1_024;

export class AnswerBytes {
  #bytes = Buffer.allocUnsafe(SIZE);
  #used = 0;

  /** Adds a response, flushing the buffer when it is full. `head` has the lines that differ between responses, in latin1. */
  add(socket: Socket, head: string, [headers, body]: readonly [headers: Buffer, body: Buffer]): void {
    const isLarge = body.length > LARGE;
    if (this.#used + HEAD + headers.length + (isLarge ? 0 : body.length) > SIZE) this.send(socket);
    this.#used += this.#bytes.write(head, this.#used, 'latin1');
    this.#copy(headers);
    if (isLarge) this.send(socket, body);
    else this.#copy(body);
  }

  /** Writes the buffer, followed by `body`. */
  send(socket: Socket, body?: Buffer): void {
    if (!this.#used) return;
    if (body) socket.cork();
    socket.write(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
    if (body) {
      socket.write(body);
      socket.uncork();
    }
    // Data that the system has not accepted yet will be read from this buffer later, so it cannot be reused.
    if (socket.writableLength) this.#bytes = Buffer.allocUnsafe(SIZE);
  }

  #copy(part: Buffer): void {
    this.#used += part.copy(this.#bytes, this.#used);
  }
}
