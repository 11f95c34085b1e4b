/** Provides the body of a request as a stream, and ends requests whose sender is silent. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

const LONGEST_MS = 6 * 3_600_000;
/** Number of bytes that are buffered while the handler is busy. */
const AHEAD = 256 * 1024;

/** Ends a request whose sender is silent for too long; returns a function that stops the check. */
export const endWhenSilent = (request: IncomingMessage, silentMs: number): (() => void) => {
  const { socket } = request;
  const startedAt = Date.now();
  let last = { bytes: socket.bytesRead, at: startedAt };
  const timer = setInterval(() => {
    const now = Date.now();
    if (socket.bytesRead !== last.bytes) last = { bytes: socket.bytesRead, at: now };
    if (now - last.at >= silentMs || now - startedAt >= LONGEST_MS) request.destroy();
  }, silentMs / 6);
  timer.unref();
  return () => clearInterval(timer);
};

export interface BodyStream {
  /** The body; emits an error when the sender disconnects before the end. */
  readonly stream: Readable;
  /** Releases the request, however much of it was read; safe to call twice. */
  close(): void;
}

/** Opens the body. @param onReceived called when the body is complete, from when the handler's deadline counts */
export const openBodyStream = (request: IncomingMessage, silentMs: number, onReceived: () => void): BodyStream => {
  // The stream is separate from the request, so that a handler may destroy it and still send a response.
  const stream = new PassThrough({ highWaterMark: AHEAD });
  stream.on('error', () => undefined);
  const isDone = endWhenSilent(request, silentMs);
  const received = (): void => {
    isDone();
    onReceived();
  };
  const leave = (): void => {
    isDone();
    if (!request.readableEnded) stream.destroy(new Error('The sender left'));
  };
  request.once('end', received).once('close', leave).pipe(stream);
  return {
    stream,
    close: () => {
      isDone();
      request.off('end', received).off('close', leave).unpipe(stream);
      stream.destroy();
    },
  };
};
