import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFrontMatter } from '#core/content-file.ts';
import { type Book, createBook } from '#plugins/biomarkers/book.ts';
import { markerOf } from '#plugins/biomarkers/marker-of.ts';
import { BiomarkerEntry } from '#plugins/biomarkers/schemas.ts';

export const folder = join(import.meta.dirname, '../../../content/biomarkers');

export interface Shipped {
  readonly slug: string;
  readonly entry: BiomarkerEntry;
  readonly body: string;
}

/** Returns every biomarker file of content/. */
export const readShipped = async (): Promise<readonly Shipped[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    names.map(async (name) => {
      const file = { path: `biomarkers/${name}`, text: await readFile(join(folder, name), 'utf8'), digest: '' };
      const { data, body } = readFrontMatter(file, BiomarkerEntry);
      return { slug: name.slice(0, -3), entry: data, body };
    }),
  );
};

/** Returns the book of shipped markers after a JSON round trip, as a process without a database receives it. */
export const readBook = async (): Promise<Book> => {
  const markers = (await readShipped()).map(({ slug, entry }) =>
    markerOf(slug, entry, (pointer, words) => {
      throw new Error(`${slug}: field ${pointer.join('.')}: ${words}`);
    }),
  );
  return createBook(JSON.parse(JSON.stringify(markers)));
};
