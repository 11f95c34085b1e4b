import type { Prompt } from './roles.ts';
import { expandPrompt, scoreSentences, selectSentences } from './select.ts';
import { splitAbstract } from './sentences.ts';

const CONCLUDES =
  /^\W*(?:in (?:conclusion|summary)|we conclude|thus|therefore|overall|taken together|these (?:results|findings|data)|(?:our|this|the present|the current) (?:study|trial|results|findings|data|review|meta-analysis|analysis))\b/i;
const CONCLUSION_BONUS = 0.7;
const SENTENCES = 3;
const TITLE_LIMIT = 200;

export interface VerdictPassage {
  readonly prompt: Prompt;
  readonly passage: string;
  /** The sentence that fits the outcome best, and the best concluding sentence; empty when there is none. */
  readonly result: string;
  readonly conclusion: string;
  /** Share of the outcome's words that the best sentence and the conclusion contain. */
  readonly overlaps: readonly [number, number];
}

/**
 * Selects the text that indicates the direction of a source: its title, its conclusion and the result that fits the outcome best.
 */
export const chooseVerdictPassage = (prompt: Prompt, title: string, abstract: string): VerdictPassage => {
  const expanded = expandPrompt(prompt, abstract);
  const sentences = splitAbstract(abstract);
  const scored = scoreSentences(expanded, sentences);
  const result = scored.toSorted((left, right) => right.score - left.score)[0];
  const candidates = scored.map((candidate, index) => {
    const { section, text } = candidate.sentence;
    const concludes =
      section === 'conclusion' || CONCLUDES.test(text) || (section === 'unknown' && index >= sentences.length - 2);
    return concludes
      ? { ...candidate, score: candidate.score + CONCLUSION_BONUS, concludes }
      : { ...candidate, concludes };
  });
  const best = selectSentences(candidates, SENTENCES);
  // The conclusion comes first, because the text after the model's limit is cut.
  const ordered = best.toReversed().map(({ sentence }) => sentence.text);
  const conclusion = candidates
    .filter(({ concludes }) => concludes)
    .toSorted((left, right) => right.score - left.score)[0];
  return {
    prompt: expanded,
    passage: [`${title.slice(0, TITLE_LIMIT)}.`, ...ordered].join(' '),
    result: result?.sentence.text ?? '',
    conclusion: conclusion?.sentence.text ?? '',
    overlaps: [result?.overlap ?? 0, conclusion?.overlap ?? 0],
  };
};
