/** Splits the text of a label into sentences, and recognises a sentence in another edition or another format. */
import { createHash } from 'node:crypto';
import { foldLetters } from '#core/search/name-fold.ts';
import type { DrugLabel } from './label.ts';

const LONGEST = 500;

/** Sentence boundary: a full stop before a capital letter, a bullet, or a heading with a number such as "7.1 Iron". */
const BREAK = /[.!?][)"”\]]{0,2}\s+(?=["“([]?[A-Z0-9•●])|\s+(?=[•●▪]\s)|\s+(?=\d{1,2}\.\d{1,2}\s+[A-Z])/g;
/** Abbreviations whose full stop does not end a sentence: "St. John's wort" is one sentence. */
const ABBREVIATION = /(?:\bst|\bvs|\be\.g|\bi\.e|\betc|\bdr|\bno|\bfig|\bapprox|\bal|\b[A-Z])\.$/i;

/** Splits a run of words without a full stop, such as a table converted to text, into pieces that a person can read. */
const pieces = (text: string): string[] => {
  const found: string[] = [];
  let rest = text;
  while (rest.length > LONGEST) {
    const part = rest.slice(0, LONGEST);
    const cut = Math.max(part.lastIndexOf('; ') + 1, part.lastIndexOf(' | ') + 2);
    const at = cut > LONGEST / 3 ? cut : part.lastIndexOf(' ') + 1 || LONGEST;
    found.push(rest.slice(0, at).trim());
    rest = rest.slice(at);
  }
  return [...found, rest.trim()].filter(Boolean);
};

export const splitSentences = (text: string): string[] => {
  const plain = text.replace(/\s+/g, ' ').trim();
  const sentences: string[] = [];
  let from = 0;
  for (const match of plain.matchAll(BREAK)) {
    const end = match.index + match[0].trimEnd().length;
    if (match[0].startsWith('.') && ABBREVIATION.test(plain.slice(Math.max(from, match.index - 7), match.index + 1)))
      continue;
    sentences.push(plain.slice(from, end));
    from = match.index + match[0].length;
  }
  return [...sentences, plain.slice(from)]
    .map((sentence) => sentence.trim())
    .filter(Boolean)
    .flatMap(pieces);
};

export interface PlacedSentence {
  /** openFDA's name; with `_table` for the row of a table. */
  readonly section: string;
  readonly text: string;
}

export function* sentencesOfLabel({ sections }: DrugLabel): Generator<PlacedSentence> {
  for (const { name, text, rows } of sections) {
    for (const sentence of splitSentences(text)) yield { section: name, text: sentence };
    for (const row of rows) for (const piece of pieces(row)) yield { section: `${name}_table`, text: piece };
  }
}

/** Cross-references: "[see Warnings and Precautions (5.3)]" may change its number although the sentence is the same. */
const REFERENCE =
  /\[\s*see\b[^\]]{0,200}\]|\(\s*(?:see\b[^)]{0,200}|\d{1,2}(?:\.\d{1,2})?(?:\s*,\s*\d{1,2}(?:\.\d{1,2})?)*)\s*\)/gi;

/** Folds a text to its words without case, punctuation and cross-references: equal for two printings of one sentence. */
export const foldText = (text: string): string => foldLetters(text.replace(REFERENCE, ' '));

/** Returns an id that is stable across imports, formats and manufacturers, so that an editor never decides twice. */
export const candidateId = (supplement: string, medicine: string, sentence: string): string =>
  createHash('sha256')
    .update(`${supplement}\n${medicine}\n${foldText(sentence)}`)
    .digest('hex')
    .slice(0, 12);
