/**
 * Entry point of the process that reads FHIR files. It has no settings, no secrets and no network, and a crash affects only this
 * process.
 */
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
  // Reports are sent one at a time, so that deserializing one does not block the site for long.
  for (const report of reports) await tell({ kind: 'report', report });
  return { kind: 'done', rest };
};

process.on('message', (message: ToChild) => {
  if (message.kind === 'book') book = createBook(message.markers);
  else read(message.path).then(tell, () => tell({ kind: 'failed' }));
});
