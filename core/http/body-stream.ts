/** A body that its handler reads itself, as it comes; and the watch over senders who have time. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

const LONGEST_MS = 6 * 3_600_000;
/** Read ahead of a handler that is busy for a moment. */
const AHEAD = 256 * 1024;

/** Ends a request whose sender has gone quiet; answers what stops watching. */
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
  /** Fails when the sender leaves before the end. */
  readonly stream: Readable;
  /** Lets go of the request, however much of it was read; safe to call twice. */
  close(): void;
}

/** @param onReceived all of it has come: only now the handler is what takes time */
export const openBodyStream = (request: IncomingMessage, silentMs: number, onReceived: () => void): BodyStream => {
  // Not the request itself: who has read enough may destroy the stream, and still answer.
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
