/** The answer with a language model: its draft verified claim by claim, and every source it left out quoted behind. */
import type { Log } from '#core/log.ts';
import type { Permission } from '#core/models/permission.ts';
import type { LanguageModel } from '#core/models/port.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { asMarkdown } from './attribution.ts';
import type { AnswerText } from './compose.ts';
import { type DraftClaim, draftClaims } from './draft.ts';
import { addLimits, addQuotes, type Evidence, openingOf } from './extractive.ts';
import type { AskRequest } from './port.ts';
import type { Question } from './question.ts';
import { type CutReason, type VerifiedClaim, verifyClaim } from './verify-draft.ts';

interface Writing {
  readonly model: LanguageModel;
  readonly permission: Permission;
  readonly index: SearchIndex;
  readonly question: Question;
  readonly request: AskRequest;
  readonly signal: AbortSignal;
  readonly log: Log;
}

interface Written {
  /** The model's name; null when nothing of it stands and the answer is to be made without it. */
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
  message: `${cut.length} of ${cut.length + kept} sentences of the language model were cut, because no source carries them (${[...new Set(cut)].sort().join(', ')}).`,
});

/** Adds what stands of the draft to `text`; adds nothing when nothing stands. */
export const addWritten = async (text: AnswerText, evidence: Evidence, writing: Writing): Promise<Written> => {
  const draft: readonly DraftClaim[] | null = await draftOrNull(evidence, writing);
  if (!draft) return { model: null, warnings: [UNAVAILABLE] };
  const judged = draft.map((claim) => verifyClaim(claim, evidence.chosen, writing.index));
  const kept = judged.filter((result): result is VerifiedClaim => typeof result !== 'string');
  const cut = judged.filter((result): result is CutReason => typeof result === 'string');
  const warnings = cut.length ? [cutWarning(cut, kept.length)] : [];
  if (!kept.length) return { model: null, warnings: warnings.length ? warnings : [UNAVAILABLE] };
  for (const claim of kept) text.claim(asMarkdown(claim.text), claim.citations);
  const opening = openingOf(evidence, writing.question);
  text.claim(opening.text, opening.citations);
  const used = new Set(kept.flatMap(({ citations }) => citations));
  const left = evidence.chosen.some((_, at) => !used.has(at + 1));
  if (left) text.note('**Also found**');
  addQuotes(text, evidence, { audience: writing.request.audience, of: (n) => !used.has(n) });
  addLimits(text, evidence, writing.question);
  return { model: writing.model.name, warnings };
};
