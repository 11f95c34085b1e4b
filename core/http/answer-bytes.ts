/**
 * Answers on their way to a socket, put together in one piece of memory that is used again: a text or a buffer made for
 * each would be garbage by the hundred megabytes a second.
 */
import type { Socket } from 'node:net';

const SIZE = 65_536;
/** A body of more bytes is sent from where it lies; a smaller one is copied sooner than it is sent apart. */
const LARGE = 16_384;
/** Room for a status line and the headers that each answer has of its own. */
const HEAD = 1_024;

export class AnswerBytes {
  #bytes = Buffer.allocUnsafe(SIZE);
  #used = 0;

  /** Adds an answer; what does not fit is sent at once. `head` is what differs from answer to answer, in latin1. */
  add(socket: Socket, head: string, [headers, body]: readonly [headers: Buffer, body: Buffer]): void {
    const isLarge = body.length > LARGE;
    if (this.#used + HEAD + headers.length + (isLarge ? 0 : body.length) > SIZE) this.send(socket);
    this.#used += this.#bytes.write(head, this.#used, 'latin1');
    this.#copy(headers);
    if (isLarge) this.send(socket, body);
    else this.#copy(body);
  }

  /** Sends what was added, and `body` behind it. */
  send(socket: Socket, body?: Buffer): void {
    if (!this.#used) return;
    if (body) socket.cork();
    socket.write(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
    if (body) {
      socket.write(body);
      socket.uncork();
    }
    // What the system has not taken yet is read from this memory later.
    if (socket.writableLength) this.#bytes = Buffer.allocUnsafe(SIZE);
  }

  #copy(part: Buffer): void {
    this.#used += part.copy(this.#bytes, this.#used);
  }
}
