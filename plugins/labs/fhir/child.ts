/** The process that reads files of FHIR. It has no settings, no secrets, no network; what breaks it breaks only it. */
import { readFile } from 'node:fs/promises';
import { lowerPriority, tell } from '#core/readers/child.ts';
import { type Book, createBook } from '../reading/book.ts';
import type { FromChild, ToChild } from './process.ts';
import { readFhir } from './read-fhir.ts';

lowerPriority();

let book: Book | null = null;

const read = async (path: string): Promise<FromChild> => {
  if (!book) return { kind: 'failed' };
  const result = readFhir(await readFile(path), book);
  if ('type' in result) return { kind: 'problem', problem: result };
  const { reports, ...rest } = result;
  // One at a time, so that none takes the site long to unpack.
  for (const report of reports) await tell({ kind: 'report', report });
  return { kind: 'done', rest };
};

process.on('message', (message: ToChild) => {
  if (message.kind === 'book') book = createBook(message.markers);
  else read(message.path).then(tell, () => tell({ kind: 'failed' }));
});
