/** Services of the plugin: caches the interaction book in memory, and rebuilds it when content or a cited source changes. */
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
  /** Returns one summary for each rule that is about the supplement or names it, most serious first. */
  ofSupplement(slug: string): Promise<readonly InteractionSummary[]>;
  counts(): Promise<ReadonlyMap<string, InteractionCount>>;
  /** Returns the states of health that need care, by supplement or substance. */
  cautions(): Promise<ReadonlyMap<string, readonly CautionSummary[]>>;
  pairs(): Promise<readonly InteractionPair[]>;
  book(): Promise<InteractionBook>;
  /** Returns the resolvers of names for the given book. */
  names(book: InteractionBook): Names;
  forget(): void;
  /** The folder in which editors write. */
  readonly contentDir: string;
}

/** Maximum time in milliseconds until a change of content by another process is noticed. */
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
    // Read the state first: a change between the two reads is then picked up by the next load.
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
    // If the cache was invalidated in the meantime, the book may predate the change, so it is not cached.
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
