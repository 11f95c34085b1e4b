/** The answer without a language model: sentences chosen, ordered and attributed; no word of fact is made up. */
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
  /** Quoted, in the order of their marks: mark 1 is the first. */
  readonly chosen: readonly EvidenceItem[];
  /** All that fit, the chosen among them. */
  readonly fitting: readonly EvidenceItem[];
}

/** Why results are not counted together: they are on different supplements, or on different outcomes. */
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

/** Sources that look at different outcomes: what is counted over them is no answer on any one. */
export const isScattered = ({ fitting }: Evidence, question: Question): boolean =>
  !question.topics.length && new Set(inBalance(fitting).map(({ row }) => row.topics[0] ?? '')).size > 1;

/** The counts in one sentence, with the marks of those that are quoted. */
export const openingOf = ({ chosen, fitting }: Evidence, question: Question): { text: string; citations: number[] } => {
  const counted = new Set(inBalance(chosen));
  const citations = chosen.flatMap((item, at) => (counted.has(item) ? [at + 1] : []));
  const counts = balanceSentence(fitting, {
    aboutSupplement: question.supplements.length > 0,
    asksHarm: question.asks.has('harm'),
    apart: apartBecause({ chosen, fitting }, question),
  });
  // Counts over different outcomes add up what does not belong together, which the sentence must say.
  const text =
    isOverview(question) || isScattered({ chosen, fitting }, question)
      ? counts.replace(' that fit this question,', ' that look at different outcomes,')
      : counts;
  return { text, citations: citations.length ? citations : chosen.map((_, at) => at + 1) };
};

/** Quotes of some of the chosen, one item each. */
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

/** What the quoted sources leave open, and what a question of harm must hear. */
export const addLimits = (text: AnswerText, { chosen }: Evidence, question: Question): void => {
  const gaps = gapsOf(chosen);
  if (gaps.length) text.note('**What these sources leave open**');
  for (const gap of gaps) text.claim(gap.text, gap.citations, 'item');
  if (comparesNamed(question)) text.note(`_${comparisonNote(chosen, question)}_`);
  if (question.asks.has('dose')) text.note(`_${DOSE_NOTE}_`);
  if (question.asks.has('harm')) text.note(`_${NOT_SAFE_NOTE}_`);
};

/** The whole extractive answer behind what stands in `text` already. */
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
