/** Whether a quoted sentence still stands in a label, and what stands in its place. */
import type { DrugLabel } from './label.ts';
import { withoutTable } from './label.ts';
import { foldText, sentencesOfLabel } from './label-sentences.ts';
import type { NameFinder } from './supplement-names.ts';

export interface FoldedLabel {
  hasSection(section: string): boolean;
  /** Sections that have the words, by name; empty where none has. */
  sectionsWith(quote: string): readonly string[];
  /** The sentence nearest to the quote that names the supplement; "" where none does. */
  nearest(quote: string, supplement: string, find: NameFinder): string;
}

const words = (text: string): ReadonlySet<string> => new Set(foldText(text).split(' '));

/** How much of either is in the other, 0 to 1. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  return both / Math.max(1, a.size + b.size - both);
};

/** A sentence that shares less with the quote speaks of something else. */
const NEAR = 0.3;

export const foldLabel = (label: DrugLabel): FoldedLabel => {
  const folded = label.sections.map(({ name, text, rows }) => ({
    name,
    text: ` ${foldText(text)} ${rows.map((row) => foldText(row)).join(' ')} `,
  }));
  return {
    hasSection: (section) => folded.some(({ name }) => isSameSection(name, section)),
    sectionsWith: (quote) => {
      const wanted = ` ${foldText(quote)} `;
      // A quote may begin or end inside a word or a reference: then the words without their edges decide.
      return folded.filter(({ text }) => text.includes(wanted) || text.includes(wanted.trim())).map(({ name }) => name);
    },
    nearest: (quote, supplement, find) => {
      const wanted = words(quote);
      let best = { text: '', score: 0 };
      for (const { text } of sentencesOfLabel(label)) {
        const score = likeness(wanted, words(text)) + (find(text).includes(supplement) ? NEAR : 0);
        if (score >= NEAR && score > best.score) best = { text, score };
      }
      return best.text;
    },
  };
};

/** The text and the table of a section are one section. */
export const isSameSection = (a: string, b: string): boolean => withoutTable(a) === withoutTable(b);
