import { ONES } from '../grading/number-words.ts';
import type { MarkedToken } from './marked-passage.ts';

/** A figure of a sentence that may be the result of an arm, with its token index. */
export interface Figure {
  readonly at: number;
  readonly value: number;
  readonly isShare: boolean;
}

const LARGEST_WORD = 10;
/** Number words that are read as figures. Larger numbers in words mostly count people; the model was trained with this limit. */
const WORDS: Readonly<Record<string, number>> = {
  none: 0,
  ...Object.fromEntries(Object.entries(ONES).filter(([, value]) => value <= LARGEST_WORD)),
};
const DOSE_OR_TIME = /^(?:weeks?|months?|years?|wk|mg|g|ml|iu|n|st|nd|rd|th)$/;
const LABEL_BEFORE = /^(?:weeks?|months?|days?|years?|n|table|fig|figure|type|grade|stage|phase|least|t)$/;
const STATISTIC = /^(?:n|f|t|z|p|r|d|df|or|hr|rr|es|md|smd|chi|ratio|ci|u|β|α|χ|η)$/;
const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d/.test(text);

/**
 * Returns whether a figure is not a result: a spread, a dose, a time, a count of people, a test statistic or a bound of an
 * interval.
 */
const isAside = (tokens: readonly MarkedToken[], at: number): boolean => {
  const text = (place: number): string => tokens[place]?.text ?? '';
  const [before, second, after] = [text(at - 1), text(at - 2), text(at + 1)];
  if (tokens[at]!.roles !== 0) return true;
  if (before === '±' || (before === '-' && second === '/') || before === '/' || after === '/') return true;
  if ((before === '-' && isNumber(second)) || (after === '-' && isNumber(text(at + 2)))) return true;
  if (DOSE_OR_TIME.test(after) && !(after === 'mg' && text(at + 2) === '/')) return true;
  if (LABEL_BEFORE.test(before) || /^(?:ci|interval|ratio|hr|rr)$/.test(before)) return true;
  if (before === '=' && STATISTIC.test(second)) return true;
  if (/^(?:%|percent)$/.test(after) && /^(?:ci|confidence)$/.test(text(at + 2))) return true;
  return before === '(' && isNumber(second) && after === ')';
};

const readValue = (tokens: readonly MarkedToken[], at: number): number => {
  const { text } = tokens[at]!;
  const rest = tokens[at + 2]?.text ?? '';
  // The tokenizer splits "6,277" into three tokens.
  const value =
    /^\d{1,3}$/.test(text) && tokens[at + 1]?.text === ',' && /^\d{3}(?:\.\d+)?$/.test(rest) ? `${text}${rest}` : text;
  const sign =
    tokens[at - 1]?.text === '-' && /^(?:\(|was|were|of|by|:|,|=|is|\[)$/.test(tokens[at - 2]?.text ?? '') ? -1 : 1;
  return sign * Number(value);
};

/** Returns the figures in a run of tokens that may be results; a share replaces the count before it: "19 of 70 (27 %)". */
export const readFigures = (tokens: readonly MarkedToken[]): Figure[] => {
  const found: Figure[] = [];
  for (const [at, { text, isHint }] of tokens.entries()) {
    if (isHint) continue;
    const word = WORDS[text];
    if (word !== undefined) {
      if (/^(?:of|patients?|participants?|subjects?|women|men|children|\()$/.test(tokens[at + 1]?.text ?? ''))
        found.push({ at, value: word, isShare: false });
      continue;
    }
    if (!isNumber(text)) continue;
    if (/^\d{3}(?:\.\d+)?$/.test(text) && tokens[at - 1]?.text === ',' && /^\d{1,3}$/.test(tokens[at - 2]?.text ?? ''))
      continue;
    const isShare = /^(?:%|percent)$/.test(tokens[at + 1]?.text ?? '');
    if (isAside(tokens, at)) continue;
    const last = found.at(-1);
    if (isShare && last && !last.isShare && tokens[at - 1]?.text === '(' && at - last.at < 9) found.pop();
    found.push({ at, value: readValue(tokens, at), isShare });
  }
  return found;
};
