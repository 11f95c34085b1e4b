import { readEffectSize } from './effect-size.ts';
import type { Reading } from './reader.ts';
import type { Outcome, OutcomeFinding, Question, RecordToRead } from './reading.ts';
import type { Prompt } from './roles.ts';
import type { Sentence } from './sentences.ts';
import { readValence } from './valence.ts';

/** Maximum number of outcomes read in one abstract; each takes one run of the model. */
const MOST_OUTCOMES = 8;
const LEAST_PROBABILITY = 0.5;

const escapeTerm = (term: string): string => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const mentions = (sentence: Sentence, term: string): boolean =>
  new RegExp(`(?<![\\p{L}\\d])${escapeTerm(term.toLowerCase())}(?:s|es)?(?![\\p{L}\\d])`, 'u').test(
    sentence.text.toLowerCase(),
  );

/** Returns the first term of an outcome that a result sentence contains. */
const findTerm = ({ terms }: Outcome, sentences: readonly Sentence[]): string | null => {
  const stated = sentences.filter(({ section }) => section !== 'background' && section !== 'methods');
  return terms.find((term) => term.length < 80 && stated.some((sentence) => mentions(sentence, term))) ?? null;
};

const judge = (
  term: string,
  { effect }: Reading,
): Pick<OutcomeFinding, 'effect' | 'forThePerson' | 'probability'> | null => {
  const { increased, decreased, none } = effect;
  if (none >= increased && none >= decreased)
    return { effect: 'no_difference', forThePerson: 'no_difference', probability: none };
  const sign = readValence(term) * (increased > decreased ? 1 : -1);
  if (sign === 0) return null;
  return {
    effect: increased > decreased ? 'increased' : 'decreased',
    forThePerson: sign > 0 ? 'better' : 'worse',
    probability: Math.max(increased, decreased),
  };
};

/** Reads the outcomes of a question that an abstract mentions, and leaves out those that it cannot judge. */
export const readFindings = (
  record: RecordToRead,
  question: Question,
  sentences: readonly Sentence[],
  readOutcome: (prompt: Prompt, sentences: readonly Sentence[], abstract: string) => Reading | null,
): OutcomeFinding[] => {
  const intervention = question.interventions.slice(0, 3).join(', ');
  const findings: OutcomeFinding[] = [];
  let read = 0;
  for (const outcome of question.outcomes) {
    if (read >= MOST_OUTCOMES) break;
    const term = findTerm(outcome, sentences);
    if (term === null) continue;
    read += 1;
    const reading = readOutcome(
      { intervention, comparator: 'placebo or control', outcome: term },
      sentences,
      record.abstract,
    );
    const judged = reading && judge(term, reading);
    if (!judged || judged.probability < LEAST_PROBABILITY) continue;
    const { start, end, text } = reading.best.sentence;
    findings.push({
      key: outcome.key,
      outcome: term,
      ...judged,
      passage: { start, end },
      size: readEffectSize(text, term),
    });
  }
  return findings;
};
