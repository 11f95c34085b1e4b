/** Provides the book of biomarkers, cached in memory until the content changes. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { createVersionedCache } from '#core/db/versioned-cache.ts';
import type { Host } from '#core/plugin.ts';
import { type Book, createBook } from './book.ts';
import { Biomarker, type BiomarkerRow } from './entities.ts';

export interface BiomarkerServices {
  book(): Promise<Book>;
  /** Returns the biomarkers that measure a supplement, sorted by name. */
  ofSupplement(slug: string): Promise<readonly { readonly slug: string; readonly name: string }[]>;
  /** Returns all rows, sorted by name. */
  rows(): Promise<readonly BiomarkerRow[]>;
  forget(): void;
}

const VERSION =
  "select count(*)::int as n, coalesce(md5(string_agg(digest, '' order by slug)), '') as d from biomarker";

const readRows = async (em: EntityManager): Promise<readonly BiomarkerRow[]> => {
  const rows: readonly BiomarkerRow[] = await em.find(Biomarker, {}, { disableIdentityMap: true });
  return rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
};

export const startBiomarkers = ({ db }: Host): BiomarkerServices => {
  const { current, forget } = createVersionedCache(db, {
    version: VERSION,
    make: async (em) => {
      const rows = await readRows(em);
      return { rows, book: createBook(rows.map(({ marker }) => marker)) };
    },
  });
  return {
    book: async () => (await current()).book,
    ofSupplement: async (slug) =>
      (await current()).rows
        .filter(({ entry }) => entry.nutrients?.includes(slug))
        .map((row) => ({ slug: row.slug, name: row.name })),
    rows: async () => (await current()).rows,
    forget,
  };
};
