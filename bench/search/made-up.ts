/**
 * Generates synthetic documents for measurements at scale: real abstracts are repeated, with a third of the words in each copy
 * replaced by words from other abstracts, about 220 words each. Deterministic.
 */
import type { SearchDocument } from '#core/search/port.ts';
import type { Dataset } from './datasets.ts';
import { random } from './random.ts';

export const WORDS = 220;

/** Returns a generator of synthetic documents by number, or null when there are no abstracts to derive them from. */
export function madeUpFrom(datasets: readonly Dataset[]): ((number: number) => SearchDocument) | null {
  const originals = [...new Set(datasets.flatMap((dataset) => dataset.documents))].map(({ text }) =>
    (text.abstract ?? '').split(/\s+/),
  );
  if (originals.length === 0) return null;
  return (number) => {
    const below = random(`made up ${number}`);
    const own = originals[number % originals.length]!;
    const words = Array.from({ length: WORDS }, (_, w) => {
      if (below(3) > 0) return own[w % own.length]!;
      const other = originals[below(originals.length)]!;
      return other[below(other.length)]!;
    });
    return {
      id: `doc-${number}`,
      text: { title: words.slice(0, 12).join(' '), abstract: words.join(' ') },
      filters: {
        year: 1980 + below(45),
        type: ['trial', 'review', 'cohort'][below(3)]!,
        supplements: [`s${below(400)}`],
      },
    };
  };
}

export interface AskedQuery {
  readonly kind: 'keywords' | 'question' | 'title';
  readonly text: string;
}

/** Returns real queries by kind: those of at most four words, PubMedQA's questions, titles of articles. */
export function askedOf(datasets: readonly Dataset[], each: number): AskedQuery[] {
  const texts = (name: RegExp) =>
    datasets.filter((dataset) => name.test(dataset.name)).flatMap(({ queries }) => queries.map(({ text }) => text));
  const keywords = texts(/nfcorpus dev/).filter((text) => text.split(/\s+/).length <= 4);
  const all = { keywords, question: texts(/question/), title: texts(/title/) };
  return Object.entries(all).flatMap(([kind, found]) =>
    found.slice(0, each).map((text) => ({ kind: kind as AskedQuery['kind'], text })),
  );
}
