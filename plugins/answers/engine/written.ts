/**
 * Builds the answer with a language model: sentences of the sources in the order of the model, followed by the best sentence
 * of each source.
 */
import type { Log } from '#core/log.ts';
import type { Permission } from '#core/models/permission.ts';
import type { LanguageModel } from '#core/models/port.ts';
import { attributedQuote } from './attribution.ts';
import { type CutReason, chosenSentences } from './chosen-sentences.ts';
import type { AnswerText } from './compose.ts';
import { type DraftClaim, draftClaims } from './draft.ts';
import { addLimits, addQuotes, type Evidence, openingOf } from './extractive.ts';
import type { AskRequest } from './port.ts';
import type { Question } from './question.ts';
import type { Quote } from './quotes.ts';

interface Writing {
  readonly model: LanguageModel;
  readonly permission: Permission;
  readonly question: Question;
  readonly request: AskRequest;
  readonly signal: AbortSignal;
  readonly log: Log;
}

interface Written {
  /** Name of the model; null when none of its choices is valid and the answer must be built without it. */
  readonly model: string | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

const UNAVAILABLE = {
  code: 'model_unavailable',
  message: 'The language model did not answer, so this answer is made of quotes alone.',
};

const draftOrNull = async (evidence: Evidence, { model, permission, question, request, signal, log }: Writing) => {
  try {
    return await draftClaims(model, { question, items: evidence.chosen, request }, { permission, signal });
  } catch (error) {
    signal.throwIfAborted();
    log.warn('answer_draft_failed', { error });
    return null;
  }
};

const cutWarning = (cut: readonly CutReason[], kept: number) => ({
  code: 'unsupported_claims_removed',
  message: `${cut.length} of ${cut.length + kept} choices of the language model were left out, because no source that it was given has these words (${[...new Set(cut)].sort().join(', ')}).`,
});

const keyOf = (n: number, { from, start }: Pick<Quote, 'from' | 'start'>): string => `${n} ${from} ${start}`;

/**
 * Adds the sentences that the model chose to `text`, in its order; adds nothing when none of its choices is valid. The best
 * sentence of each source is always shown, so that a choice of another sentence cannot hide it.
 */
export const addWritten = async (text: AnswerText, evidence: Evidence, writing: Writing): Promise<Written> => {
  const draft: readonly DraftClaim[] | null = await draftOrNull(evidence, writing);
  if (!draft) return { model: null, warnings: [UNAVAILABLE] };
  const { chosen } = evidence;
  const { audience } = writing.request;
  const judged = draft.map((claim) => chosenSentences(claim, chosen));
  const cut = judged.filter((result): result is CutReason => typeof result === 'string');
  const kept = judged.flatMap((result) => (typeof result === 'string' ? [] : result));
  const warnings = cut.length ? [cutWarning(cut, judged.length - cut.length)] : [];
  if (!kept.length) return { model: null, warnings: warnings.length ? warnings : [UNAVAILABLE] };
  const shown = new Set<string>();
  for (const { n, sentence } of kept) {
    const item = chosen[n - 1]!;
    if (shown.has(keyOf(n, sentence))) continue;
    shown.add(keyOf(n, sentence));
    text.claim(attributedQuote({ ...item, quote: { ...item.quote, ...sentence } }, audience), [n], 'item');
  }
  const opening = openingOf(evidence, writing.question);
  text.claim(opening.text, opening.citations);
  const isLeft = (n: number): boolean => !shown.has(keyOf(n, chosen[n - 1]!.quote));
  if (chosen.some((_, at) => isLeft(at + 1))) text.note('**Also found**');
  addQuotes(text, evidence, { audience, of: isLeft });
  addLimits(text, evidence, writing.question);
  return { model: writing.model.name, warnings };
};
