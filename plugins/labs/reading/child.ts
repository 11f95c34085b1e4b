/**
 * Entry point of the process that reads reports, one at a time. It has no settings, no secrets and no network, and a crash
 * affects only this process.
 */
import { constants, setPriority } from 'node:os';
import { type Book, createBook } from './book.ts';
import { readReport } from './index.ts';
import type { FromChild, ToChild } from './messages.ts';
import type { Vision } from './vision.ts';

// The priority is set before any thread starts, because threads inherit it. Some containers refuse it; the process then has the
// same priority as the site.
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {}

let book: Book | null = null;
const waiting = new Map<number, (text: string) => void>();
const wanted = new Map<number, (bytes: Buffer | null) => void>();
let asked = 0;

const tell = (message: FromChild): void => void process.send?.(message);

/** Requests the model from the parent process, because only that process can reach it. */
const vision: Vision = (png, prompt, schema) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    tell({ kind: 'look', id: asked, png, prompt, schema });
  });

const fileAt = (at: number): Promise<Buffer | null> =>
  new Promise((resolve) => {
    wanted.set(at, resolve);
    tell({ kind: 'want', at });
  });

const read = async ({ names, testType, hasVision }: ToChild & { kind: 'read' }): Promise<FromChild> => {
  if (!book) return { kind: 'failed' };
  const uploads = names.map((name, at) => ({ name, bytes: () => fileAt(at) }));
  const onProgress = (progress: (FromChild & { kind: 'progress' })['progress']): void =>
    tell({ kind: 'progress', progress });
  const result = await readReport(uploads, { book, testType, onProgress, vision: hasVision ? vision : undefined });
  return { kind: 'done', result };
};

process.on('message', (message: ToChild) => {
  if (message.kind === 'book') book = createBook(message.markers);
  else if (message.kind === 'file') {
    const { at, bytes } = message;
    wanted.get(at)?.(bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    wanted.delete(at);
  } else if (message.kind === 'said') {
    waiting.get(message.id)?.(message.text);
    waiting.delete(message.id);
  } else read(message).then(tell, () => tell({ kind: 'failed' }));
});
