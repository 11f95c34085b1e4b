/** Builds the book of content/biomarkers without a database. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFrontMatter } from '#core/content-file.ts';
import { type Book, createBook } from '#plugins/biomarkers/book.ts';
import { markerOf } from '#plugins/biomarkers/marker-of.ts';
import { BiomarkerEntry } from '#plugins/biomarkers/schemas.ts';

const folder = join(import.meta.dirname, '../../content/biomarkers');

export const contentBook = (): Book => {
  const markers = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const path = `biomarkers/${name}`;
      const { data } = readFrontMatter(
        { path, text: readFileSync(join(folder, name), 'utf8'), digest: '' },
        BiomarkerEntry,
      );
      return markerOf(name.slice(0, -3), data, (pointer, words) => {
        throw new Error(`${path}: ${pointer.join('.')}: ${words}`);
      });
    });
  return createBook(markers);
};
