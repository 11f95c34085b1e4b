/** Builds the dependencies of a search once per process. */
import type { Host } from '#core/plugin.ts';
import type { SearchIndex } from '#core/search/port.ts';
import type { Terms, VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { Grader } from './corpus.ts';
import { knownWords } from './query/known-names.ts';
import { readTyped } from './query/query-reader.ts';
import { wordSource } from './query/word-source.ts';
import { createReranker } from './rerank/index.ts';
import type { SearchParts } from './search.ts';
import { createSourceRows } from './source-rows.ts';

/** Returns single words of medicines' names, in lower case. Every search calls it, so the provider must cache the words. */
export type MedicineWords = () => Promise<ReadonlySet<string>>;

interface Sources {
  readonly index: SearchIndex;
  readonly vocabulary: Pick<VocabularyServices, 'terms' | 'resolve'>;
  graderOf(terms: Terms): Grader;
}

export const searchParts = (
  { db, log, models }: Host,
  { index, vocabulary, graderOf }: Sources,
): SearchParts & { knowMedicines(words: MedicineWords): void } => {
  const near = wordSource(index, async () => knownWords(await vocabulary.terms()).all);
  let medicineWords: MedicineWords = async () => new Set();
  const namesNow = async (): Promise<ReadonlySet<string>> => {
    try {
      return await medicineWords();
    } catch (error) {
      // Without the names, the search still works, but is less precise.
      log.warn('medicine_names_unread', { error });
      return new Set();
    }
  };
  return {
    db,
    rows: createSourceRows(db),
    index,
    log,
    reranker: createReranker(models, index),
    read: async (text, correct) => {
      const [words, medicines] = [await vocabulary.terms(), await namesNow()];
      const { matcher } = graderOf(words);
      return readTyped(text, correct, {
        index,
        terms: words,
        matcher,
        near,
        resolve: (name) => vocabulary.resolve(name, ['supplement']),
        isMedicine: (word) => medicines.has(word),
      });
    },
    knowMedicines: (words) => {
      medicineWords = words;
    },
  };
};
