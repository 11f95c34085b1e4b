/** The book of biomarkers, kept in memory until content changes. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Host } from '#core/plugin.ts';
import { type Book, createBook } from './book.ts';
import { Biomarker, type BiomarkerRow } from './entities.ts';

export interface BiomarkerServices {
  book(): Promise<Book>;
  /** Biomarkers that are a laboratory value of a supplement, by name. */
  ofSupplement(slug: string): Promise<readonly { readonly slug: string; readonly name: string }[]>;
  /** All rows, by name. */
  rows(): Promise<readonly BiomarkerRow[]>;
  forget(): void;
}

/** How long another process's change of content may go unseen, in milliseconds. */
const TTL = 2_000;

const VERSION =
  "select count(*)::int as n, coalesce(md5(string_agg(digest, '' order by slug)), '') as d from biomarker";

const readRows = async (em: EntityManager): Promise<readonly BiomarkerRow[]> => {
  const rows: readonly BiomarkerRow[] = await em.find(Biomarker, {}, { disableIdentityMap: true });
  return rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
};

interface Kept {
  readonly rows: readonly BiomarkerRow[];
  readonly book: Book;
  readonly version: string;
  readonly until: number;
}

export const startBiomarkers = ({ db }: Host): BiomarkerServices => {
  let kept: Kept | null = null;
  let forgotten = 0;
  const current = async (): Promise<Kept> => {
    if (kept && Date.now() < kept.until) return kept;
    const [before, epoch] = [kept, forgotten];
    // The version first: what changes in between is read again the next time.
    const now = await db.read(async (em): Promise<Kept> => {
      const version = JSON.stringify(await em.execute(VERSION));
      const until = Date.now() + TTL;
      if (before?.version === version) return { ...before, until };
      const rows = await readRows(em);
      return { rows, book: createBook(rows.map(({ marker }) => marker)), version, until };
    });
    // Forgotten meanwhile: what was read may be from before the change.
    if (forgotten === epoch) kept = now;
    return now;
  };
  return {
    book: async () => (await current()).book,
    ofSupplement: async (slug) =>
      (await current()).rows
        .filter(({ entry }) => entry.nutrients?.includes(slug))
        .map((row) => ({ slug: row.slug, name: row.name })),
    rows: async () => (await current()).rows,
    forget: () => {
      forgotten += 1;
      kept = null;
    },
  };
};
