import { readText, splitSentences } from '../grading/record-text.ts';
import type { SourceRecord } from '../source-record.ts';
import { type Token, tokenise } from './tokens.ts';
import type { TermTrie } from './trie.ts';
import type { Entry, Where } from './vocabulary.ts';

/** One term of the vocabulary found in one field of a record. */
export interface Finding {
  readonly entry: Entry;
  readonly where: Where;
  /** The sentence of the abstract, the title, or one descriptor or keyword; the source of contextual cues. */
  readonly text: string;
  readonly inConclusion: boolean;
  readonly tokens: readonly Token[];
  /** Tokens `from` (inclusive) to `to` (exclusive) are the term. */
  readonly from: number;
  readonly to: number;
}

export interface Fields {
  readonly findings: readonly Finding[];
  readonly hasAbstract: boolean;
  /** Number of sentences in the abstract. */
  readonly sentenceCount: number;
}

interface Piece {
  readonly where: Where;
  readonly text: string;
  readonly inConclusion: boolean;
}

const VITAMIN_LIST = /\bvitamins ((?:[a-k]\d{0,2}|and|or|plus|[,/&] ?| )+)(?![a-z])/gi;

/** Expands a list of vitamins: "Vitamins C, D and E" becomes "vitamin C, vitamin D and vitamin E". */
export const expandVitamins = (text: string): string =>
  text.replace(VITAMIN_LIST, (_, list: string) => list.replace(/\b[a-k]\d{0,2}\b/gi, (letter) => `vitamin ${letter}`));

const piecesOf = (record: SourceRecord): Piece[] => {
  const text = readText(record);
  const pieces: Piece[] = [{ where: 'title', text: text.originalTitle, inConclusion: false }];
  for (const term of [...record.meshTerms, ...record.keywords])
    pieces.push({ where: 'terms', text: term.slice(0, 200), inConclusion: false });
  const conclusionLength = text.conclusion.length;
  let behind = text.originalAbstract.length;
  const sentences = splitSentences(text.originalAbstract);
  const abstract: Piece[] = [];
  for (const sentence of sentences.toReversed()) {
    behind -= sentence.length + 1;
    abstract.unshift({
      where: 'abstract',
      text: sentence,
      inConclusion: behind >= text.originalAbstract.length - conclusionLength - 20,
    });
  }
  return [...pieces, ...abstract];
};

/** Finds every term of the vocabulary in the title, descriptors, keywords and abstract. */
export const readFields = (record: SourceRecord, trie: TermTrie<Entry>): Fields => {
  const findings: Finding[] = [];
  const pieces = piecesOf(record);
  for (const piece of pieces) {
    const tokens = tokenise(expandVitamins(piece.text));
    for (const hit of trie.find(tokens))
      findings.push({ ...piece, entry: hit.value, tokens, from: hit.from, to: hit.to });
  }
  return {
    findings,
    hasAbstract: record.abstract !== '',
    sentenceCount: pieces.filter(({ where }) => where === 'abstract').length,
  };
};
