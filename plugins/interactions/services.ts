/** The book of interactions, kept in memory and made anew when content or a cited source changed. */
import type { Host } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import {
  legalStatusOf,
  pagelessSubstances,
  type SubstanceRow,
  type Terms,
  vocabularyPlugin,
} from '#plugins/vocabulary/index.ts';
import { buildInteractionBook, type InteractionBook } from './book/interaction-book.ts';
import type { Subject } from './book/rule-record.ts';
import { type Names, namesOf } from './checker/names.ts';
import type { DrugBook } from './drugs/drug-book.ts';
import { type DrugServices, startDrugs } from './drugs/drug-services.ts';
import { medicineWords } from './drugs/medicine-words.ts';
import { readCitedSources } from './rules/cited-sources.ts';
import { type EntryRow, readEntries, readEntriesState } from './rules/entries.ts';
import {
  type CautionSummary,
  cautionsBySlug,
  countsOf,
  type InteractionCount,
  type InteractionPair,
  type InteractionSummary,
  pairsOf,
  summariesOf,
} from './summaries.ts';

export interface InteractionServices extends DrugServices {
  /** One per rule that is about the supplement or names it, gravest first. */
  ofSupplement(slug: string): Promise<readonly InteractionSummary[]>;
  counts(): Promise<ReadonlyMap<string, InteractionCount>>;
  /** States of health that need care, by supplement or substance. */
  cautions(): Promise<ReadonlyMap<string, readonly CautionSummary[]>>;
  pairs(): Promise<readonly InteractionPair[]>;
  book(): Promise<InteractionBook>;
  /** What words mean, in the book of the same moment. */
  names(book: InteractionBook): Names;
  forget(): void;
  /** The folder that editors write in. */
  readonly contentDir: string;
}

/** How long another process's change of content may go unseen, in milliseconds. */
const TTL = 1_000;

const sourcesIn = (entries: readonly EntryRow[]) =>
  entries.flatMap((row) => {
    if (row.kind !== 'rule' && row.kind !== 'caution' && row.kind !== 'depletion') return [];
    const { exceptions = [], studied = [] } = row.kind === 'rule' ? row.data : {};
    return [...row.data.sources, ...[...exceptions, ...studied].flatMap(({ sources = [] }) => sources)];
  });

const NO_STATUS = { substanceKind: '', statement: '', authority: null, statusAsOf: '' };

const statusOf = ({ kind, statement, authority, statusAsOf }: SubstanceRow) => ({
  substanceKind: kind,
  statement,
  authority,
  statusAsOf,
});

const subjectsOf = (terms: Terms): ReadonlyMap<string, Subject> =>
  new Map([
    ...pagelessSubstances(terms).map((row): [string, Subject] => [
      row.slug,
      { slug: row.slug, name: row.name, kind: 'substance', ...statusOf(row) },
    ]),
    ...[...terms.supplements.values()].map(({ slug, name }): [string, Subject] => {
      const status = legalStatusOf(terms, slug);
      return [slug, { slug, name, kind: 'supplement', ...(status ? statusOf(status) : NO_STATUS) }];
    }),
  ]);

interface Kept {
  readonly book: InteractionBook;
  readonly state: string;
  readonly drugs: DrugBook;
  readonly terms: Terms;
}

export const startInteractions = ({ db, use, contentDir }: Host): InteractionServices => {
  const drugServices = startDrugs(db);
  const vocabulary = use(vocabularyPlugin);
  use(evidencePlugin).knowMedicines(async () => medicineWords(await drugServices.drugs()));
  let kept: Kept | null = null;
  let lookedAt = 0;
  let forgotten = 0;
  let running: Promise<InteractionBook> | null = null;

  const load = async (): Promise<Kept> => {
    const [terms, drugs] = [await vocabulary.terms(), await drugServices.drugs()];
    // The state first: what changes in between is read again the next time.
    const state = await db.read(readEntriesState);
    if (kept?.state === state && kept.drugs === drugs && kept.terms === terms) return kept;
    return db.read(async (em) => {
      const entries = await readEntries(em);
      const find = await readCitedSources(em, sourcesIn(entries));
      const book = buildInteractionBook(entries, { subjects: subjectsOf(terms), drugs, find });
      return { book: kept?.book.version === book.version ? kept.book : book, state, drugs, terms };
    });
  };

  const look = async (): Promise<InteractionBook> => {
    const at = Date.now();
    const epoch = forgotten;
    const now = await load();
    // Forgotten meanwhile: what was read may be from before the change.
    if (forgotten === epoch) {
      kept = now;
      lookedAt = at;
    }
    return now.book;
  };

  const book = async (): Promise<InteractionBook> => {
    if (kept && Date.now() - lookedAt < TTL) return kept.book;
    running ??= look().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    ...drugServices,
    contentDir,
    book,
    names: (of) => namesOf(of, vocabulary),
    ofSupplement: async (slug) => summariesOf(await book(), slug),
    counts: async () => countsOf(await book()),
    cautions: async () => cautionsBySlug(await book()),
    pairs: async () => pairsOf(await book()),
    forget: () => {
      forgotten += 1;
      lookedAt = 0;
      running = null;
    },
  };
};
