import { readHints } from './hints.ts';
import { markRoles, type Prompt, ROLE } from './roles.ts';
import type { Section, Sentence } from './sentences.ts';
import { stem, tokenize } from './tokens.ts';

/** A sentence and its score for the question. */
export interface Candidate {
  readonly sentence: Sentence;
  readonly score: number;
  /** Share of the outcome's words that the sentence contains. */
  readonly overlap: number;
}

const SECTION_SCORE: Readonly<Record<Section, number>> = {
  background: -1,
  methods: -0.8,
  results: 0.5,
  conclusion: 0.45,
  unknown: 0,
};
const AIM =
  /\b(?:aim(?:ed|s)?|objective|purpose|hypothesi[sz]ed?|to (?:determine|evaluate|assess|investigate|examine|compare|test|study)|whether|we (?:investigated|examined|evaluated|assessed|compared)|were (?:randomi[sz]ed|randomly|measured|assessed|recorded|allocated|assigned)|(?:primary|secondary) (?:outcome|end-?point)s? (?:was|were|included)|registered|is known|further (?:research|studies|trials))\b/i;
const RESULT =
  /\b(?:signific\w+|increas\w+|decreas\w+|reduc\w+|improv\w+|higher|lower|greater|longer|shorter|less|more|fewer|better|worse|differen\w+|similar|compar(?:ed|able)|effect\w*|no|not|superior|prevent\w*|associated)\b/i;

/**
 * Adds the abbreviations that an abstract introduces, as in "blood pressure (BP)", to the parts of a prompt that contain the full
 * words.
 */
export const expandPrompt = (prompt: Prompt, abstract: string): Prompt => {
  const found = { intervention: '', comparator: '', outcome: '' };
  for (const match of abstract.matchAll(/((?:[\p{L}\d-]+[ -]){1,6})\(([A-Z][A-Za-z\d-]{1,7})s?[);,]/gu)) {
    const short = match[2]!;
    const initial = short[0]!.toLowerCase();
    const words = match[1]!.trim().toLowerCase().split(/[ -]/);
    const from = words.findLastIndex(
      (word, index) => word[0] === initial && words.length - index >= Math.min(short.length - 1, 2),
    );
    const long = words.slice(Math.max(from, 0)).map(stem);
    for (const part of ['intervention', 'comparator', 'outcome'] as const) {
      const held = new Set(tokenize(prompt[part].toLowerCase()).map(({ text }) => stem(text)));
      if (long.every((word) => held.has(word)) && !held.has(short.toLowerCase())) found[part] += ` ${short}`;
    }
  }
  return {
    intervention: prompt.intervention + found.intervention,
    comparator: prompt.comparator + found.comparator,
    outcome: prompt.outcome + found.outcome,
  };
};

/** Scores every sentence of an abstract for a prompt. */
export const scoreSentences = (prompt: Prompt, sentences: readonly Sentence[]): Candidate[] => {
  const marker = markRoles(prompt);
  const wanted = new Set<string>();
  const asked = tokenize(prompt.outcome.slice(0, 400));
  for (const [index, role] of marker.mark(asked).entries())
    if (role & ROLE.outcome) wanted.add(stem(asked[index]!.text.toLowerCase()));
  const read = sentences.map((sentence) => {
    const tokens = tokenize(sentence.text.slice(0, 1_500));
    const held = new Set<string>();
    let roles = 0;
    for (const [place, role] of marker.mark(tokens).entries()) {
      roles |= role;
      if (role & ROLE.outcome) held.add(stem(tokens[place]!.text.toLowerCase()));
    }
    return { held, roles };
  });
  // A word that occurs in many sentences is weak evidence of where the outcome is reported.
  const weights = new Map<string, number>();
  for (const word of wanted) {
    const count = read.filter(({ held }) => held.has(word)).length;
    weights.set(word, count === 0 ? ABSENT : 1 / Math.sqrt(count));
  }
  const total = [...weights.values()].reduce((left, right) => left + right, 0);
  return sentences.map((sentence, index) => {
    const { held, roles } = read[index]!;
    let sum = 0;
    for (const word of held) sum += weights.get(word) ?? 0;
    const overlap = total === 0 ? 0 : Math.min(1, sum / total);
    return {
      sentence,
      score: OVERLAP_WEIGHT * overlap + scoreForm(sentence, roles, index / sentences.length),
      overlap,
    };
  });
};

const ABSENT = 0.5;
const OVERLAP_WEIGHT = 2.5;

/** Scores how much a sentence resembles a result, apart from its outcome. */
const scoreForm = ({ text, section }: Sentence, roles: number, place: number): number => {
  let score = SECTION_SCORE[section] + (section === 'unknown' ? 0.6 * place : 0);
  if (roles & ROLE.intervention) score += 0.3;
  if (roles & ROLE.comparator) score += 0.3;
  if (RESULT.test(text)) score += 0.4;
  if (readHints(text).length > 0) score += 0.3;
  return AIM.test(text) ? score - 0.8 : score;
};

/** Returns the best sentences in the order of the text, at most `count`. */
export const selectSentences = (candidates: readonly Candidate[], count: number): Candidate[] => {
  const chosen = candidates
    .map((candidate, index) => ({ candidate, index }))
    .toSorted((left, right) => right.candidate.score - left.candidate.score || left.index - right.index)
    .slice(0, count)
    .toSorted((left, right) => left.index - right.index);
  return chosen.map(({ candidate }) => candidate);
};

const NEARLY = 0.35;

/**
 * Selects the passage to label an outcome by: the best sentence, and the second-best when it names nearly as many of the
 * outcome's words.
 */
export const choosePassage = (
  candidates: readonly Candidate[],
): { readonly best: Candidate; readonly passage: string } | null => {
  const [best, next] = candidates.toSorted((left, right) => right.score - left.score);
  if (!best) return null;
  const both = next !== undefined && next.overlap > 0 && next.overlap >= NEARLY * best.overlap;
  return { best, passage: both ? `${best.sentence.text} ${next.sentence.text}` : best.sentence.text };
};
