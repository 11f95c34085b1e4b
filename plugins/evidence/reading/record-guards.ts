import type { RecordToRead } from './reading.ts';
import type { Sentence } from './sentences.ts';

const NOTICE =
  /^\W*(?:correction|corrigendum|erratum|errata|retraction|retracted|withdrawn|expression of concern|publisher'?s note|addendum)\b/i;
const LETTER =
  /^\W*(?:letter|reply|response|comment|re:|author'?s'? repl(?:y|ies)|in reply|editorial)\b|\b(?:letter to the editor)\b/i;
const PROTOCOL =
  /\b(?:study|trial|review) protocol\b|\bprotocol (?:for|of) (?:a|an|the)\b|\bwill be (?:randomi[sz]ed|randomly|recruited|enrolled|assigned|allocated|measured|assessed|conducted|performed|searched)\b/i;
const HAS_RESULTS =
  /\b(?:results?|found|showed|shown|observed|signific\w+|differ\w+|increased|decreased|reduced|improved|lower|higher|shorter|longer|fewer|shortened|prolonged|prevented|alleviated|relieved|effective|no effect|did not|was associated|were associated)\b|\bp ?[<=>] ?0?\.\d/i;
const COMMON = new Set([
  'the',
  'of',
  'and',
  'in',
  'to',
  'was',
  'were',
  'with',
  'for',
  'a',
  'on',
  'is',
  'by',
  'that',
  'or',
  'from',
  'than',
]);
const ENGLISH_SHARE = 0.12;
const SHORTEST = 80;

const isEnglish = (text: string): boolean => {
  const words =
    text
      .slice(0, 3_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words.length > 0 && words.filter((word) => COMMON.has(word)).length / words.length >= ENGLISH_SHARE;
};

/** Returns why a record cannot be read, or null when it can. */
export const findObstacle = ({ title, abstract }: RecordToRead, sentences: readonly Sentence[]): string | null => {
  if (NOTICE.test(title)) return 'notice';
  if (LETTER.test(title)) return 'letter';
  if (abstract.trim().length < SHORTEST) return 'no abstract';
  if (!isEnglish(abstract)) return 'not English';
  const stated = sentences.filter(({ section }) => section !== 'background' && section !== 'methods');
  if (PROTOCOL.test(`${title} ${abstract.slice(0, 6_000)}`) && !stated.some(({ section }) => section === 'results'))
    return 'protocol';
  return stated.some(({ text }) => HAS_RESULTS.test(text)) ? null : 'no results';
};
