/** Checks whether a quoted sentence is still in a label, and finds the sentence that replaced it. */
import type { DrugLabel } from './label.ts';
import { withoutTable } from './label.ts';
import { foldText, sentencesOfLabel } from './label-sentences.ts';
import type { NameFinder } from './supplement-names.ts';

export interface FoldedLabel {
  hasSection(section: string): boolean;
  /** Returns the names of the sections that contain the quote; empty if there are none. */
  sectionsWith(quote: string): readonly string[];
  /** Returns the sentence most similar to the quote, preferring those that name the supplement; "" if none is similar enough. */
  nearest(quote: string, supplement: string, find: NameFinder): string;
}

const words = (text: string): ReadonlySet<string> => new Set(foldText(text).split(' '));

/** Returns the Jaccard similarity of two sets of words, 0 to 1. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  return both / Math.max(1, a.size + b.size - both);
};

/** Minimum similarity; a sentence below it is about something else. */
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
      // A quote may begin or end inside a word or a reference, so it is also searched for without word boundaries.
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

/** Returns whether two names mean one section; the text and the table of a section count as one. */
export const isSameSection = (a: string, b: string): boolean => withoutTable(a) === withoutTable(b);
