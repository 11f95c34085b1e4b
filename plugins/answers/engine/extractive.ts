/** Builds the answer without a language model from chosen, ordered and attributed sentences. It generates no factual text. */
import { attributedQuote } from './attribution.ts';
import { balanceSentence, inBalance } from './balance.ts';
import type { AnswerText } from './compose.ts';
import type { EvidenceItem } from './evidence-item.ts';
import { gapsOf } from './gaps.ts';
import { NOT_SAFE_NOTE } from './missing-evidence.ts';
import type { AskRequest } from './port.ts';
import { comparesNamed, isOverview, type Question } from './question.ts';
import { asksForBoth } from './retrieval.ts';

export interface Evidence {
  /** Quoted items in the order of their marks: mark 1 is the first. */
  readonly chosen: readonly EvidenceItem[];
  /** All items that fit, including the chosen ones. */
  readonly fitting: readonly EvidenceItem[];
}

/**
 * Returns why results are not counted together (different supplements or different outcomes), or an empty string when they
 * are.
 */
export const apartBecause = ({ fitting }: Evidence, question: Question): string => {
  if (question.asks.has('harm')) return '';
  if (asksForBoth(question)) return 'it takes a study of the two together to answer it';
  if (comparesNamed(question)) return 'they are on one or the other of what was asked about';
  const counted = inBalance(fitting);
  const subjects = new Set(counted.map(({ row }) => row.supplements[0] ?? ''));
  if (!question.supplements.length && question.topics.length && subjects.size > 1)
    return 'they are on different supplements';
  return '';
};

/**
 * Returns whether the sources are on different outcomes, so that their counts do not answer the question for any one outcome.
 */
export const isScattered = ({ fitting }: Evidence, question: Question): boolean =>
  !question.topics.length && new Set(inBalance(fitting).map(({ row }) => row.topics[0] ?? '')).size > 1;

/** Returns the counts in one sentence, with the marks of the quoted items. */
export const openingOf = ({ chosen, fitting }: Evidence, question: Question): { text: string; citations: number[] } => {
  const counted = new Set(inBalance(chosen));
  const citations = chosen.flatMap((item, at) => (counted.has(item) ? [at + 1] : []));
  const counts = balanceSentence(fitting, {
    aboutSupplement: question.supplements.length > 0,
    asksHarm: question.asks.has('harm'),
    apart: apartBecause({ chosen, fitting }, question),
  });
  // These counts combine different outcomes, so the sentence must say so.
  const text =
    isOverview(question) || isScattered({ chosen, fitting }, question)
      ? counts.replace(' that fit this question,', ' that look at different outcomes,')
      : counts;
  return { text, citations: citations.length ? citations : chosen.map((_, at) => at + 1) };
};

/** Adds the quotes whose marks pass the filter, one list item each. */
export const addQuotes = (
  text: AnswerText,
  { chosen }: Evidence,
  { audience, of }: { readonly audience: AskRequest['audience']; readonly of: (n: number) => boolean },
): void => {
  chosen.forEach((item, at) => {
    if (of(at + 1)) text.claim(attributedQuote(item, audience), [at + 1], 'item');
  });
};

const DOSE_NOTE =
  'What a study gave is not what one person should take: ask a doctor or pharmacist, and do not go above an upper limit.';

const comparisonNote = (chosen: readonly EvidenceItem[], { supplements }: Question): string => {
  const both = chosen.filter(({ row }) => supplements.every(({ slug }) => row.supplements.includes(slug)));
  return both.length
    ? 'A study that names both need not have compared them with each other: read what each arm took.'
    : 'None of these sources compared them with each other, so they do not tell which is better.';
};

/** Adds what the quoted sources leave open, and the warning for a question of harm. */
export const addLimits = (text: AnswerText, { chosen }: Evidence, question: Question): void => {
  const gaps = gapsOf(chosen);
  if (gaps.length) text.note('**What these sources leave open**');
  for (const gap of gaps) text.claim(gap.text, gap.citations, 'item');
  if (comparesNamed(question)) text.note(`_${comparisonNote(chosen, question)}_`);
  if (question.asks.has('dose')) text.note(`_${DOSE_NOTE}_`);
  if (question.asks.has('harm')) text.note(`_${NOT_SAFE_NOTE}_`);
};

/** Appends the whole extractive answer to `text`. */
export const addExtractive = (
  text: AnswerText,
  evidence: Evidence,
  question: Question,
  audience: AskRequest['audience'],
): void => {
  const opening = openingOf(evidence, question);
  text.claim(opening.text, opening.citations);
  addQuotes(text, evidence, { audience, of: () => true });
  addLimits(text, evidence, question);
};
