import { readHints } from './hints.ts';
import { addOrientation } from './orientation.ts';
import { markRoles, type Prompt } from './roles.ts';
import { tokenize, unifyCharacters } from './tokens.ts';

/** A token as the model sees it: its text, its roles, and whether it is an inserted hint that is not in the text. */
export interface MarkedToken {
  readonly text: string;
  readonly roles: number;
  readonly isHint: boolean;
  /** Origin of the arrow, where the token is an arrow ("up", "down", "rise" or "fall"). */
  readonly source?: ArrowSource;
  /** Whether the arrow's word means better or worse instead of more or less. */
  readonly isGood?: boolean;
}

/**
 * Origin of an arrow: a word of change, the change of a figure, two adjacent figures, a ratio with its interval, or the figures
 * of both arms in a sentence.
 */
export type ArrowSource = 'word' | 'change' | 'pair' | 'ratio' | 'figures';

const PASSAGE_LIMIT = 2_500;

/** Shortens a passage, replaces its statistics with words, and marks the words of the prompt in it. */
export const markPassage = (prompt: Prompt, passage: string): MarkedToken[] => {
  const text = unifyCharacters(passage.slice(0, PASSAGE_LIMIT));
  const tokens = tokenize(text);
  const marker = markRoles(prompt);
  const roles = marker.mark(tokens);
  const marked: MarkedToken[] = [];
  const hints = readHints(text);
  const addHint = (words: readonly string[]): void => {
    for (const word of words) marked.push({ text: word, roles: 0, isHint: true });
  };
  let next = 0;
  for (const [index, token] of tokens.entries()) {
    for (; next < hints.length && hints[next]!.start <= token.start; next += 1) addHint(hints[next]!.words);
    const before = hints[next - 1];
    if (before && token.start < before.end) continue;
    marked.push({ text: token.text.toLowerCase(), roles: roles[index]!, isHint: false });
  }
  for (; next < hints.length; next += 1) addHint(hints[next]!.words);
  return addOrientation(marked, marker.control, marker.hasBaseline);
};
