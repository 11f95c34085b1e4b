/** The reading process: one report at a time, no database, no network, no secret. */
import { createBook } from './book.ts';
import { readReport } from './index.ts';
import type { FromChild, ToChild } from './messages.ts';

const say = (message: FromChild): void => {
  process.send?.(message);
};

let book = createBook([]);
const looks = new Map<number, (text: string | null) => void>();
let calls = 0;

/** Rejects when the parent has no answer: the page is then read by letters alone. */
const look = (png: Buffer, prompt: string, schema: object): Promise<string> =>
  new Promise((resolve, reject) => {
    calls += 1;
    const call = calls;
    looks.set(call, (text) => (text === null ? reject(new Error('no answer')) : resolve(text)));
    say({ kind: 'look', call, png, prompt, schema });
  });

process.on('message', (message: ToChild) => {
  if (message.kind === 'book') book = createBook(message.markers);
  else if (message.kind === 'seen') {
    looks.get(message.call)?.(message.text);
    looks.delete(message.call);
  } else void read(message);
});

const read = async ({ files, testType, hasVision }: Extract<ToChild, { kind: 'read' }>): Promise<void> => {
  try {
    // Advanced serialisation brings bytes as plain arrays.
    const uploads = files.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) }));
    const onProgress = (progress: Extract<FromChild, { kind: 'progress' }>['progress']): void =>
      say({ kind: 'progress', progress });
    const { reading, crops } = await readReport(uploads, {
      book,
      testType,
      onProgress,
      ...(hasVision && { vision: look }),
    });
    say({ kind: 'done', reading, crops: [...crops] });
  } catch {
    // What went wrong may quote the report: it is told to nobody.
    say({ kind: 'failed' });
  }
};

// The server is gone: nobody waits for what is being read.
process.on('disconnect', () => process.kill(process.pid));
