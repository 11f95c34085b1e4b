/** From the body of a request to what the engine is asked. */
import { coreErrors } from '#core/errors.ts';
import type { Tier } from '#plugins/evidence/index.ts';
import type { AskRequest } from './engine/port.ts';
import { type AskBody, MAX_CITATIONS } from './schemas.ts';

/** What is stored with an answer, so that it can be asked again: never the history. */
export type StoredRequest = Omit<AskRequest, 'history'> & { readonly had_history: boolean };

const MIN_LENGTH = 3;

/** Trimmed, with null and "" taken as not given. @throws AppError 422 for a question that is blanks only. */
export const askRequestOf = (body: AskBody): AskRequest => {
  const question = body.question.trim();
  if (question.length < MIN_LENGTH) {
    const msg = `String should have at least ${MIN_LENGTH} characters`;
    const problem = { type: 'string_too_short', loc: ['body', 'question'], msg };
    throw coreErrors.validation_failed({}, { problems: [problem] });
  }
  const { vertical, supplement, source_class, min_quality_tier } = body;
  return {
    question,
    ...(vertical && { vertical }),
    ...(supplement && { supplement }),
    ...(source_class && { source_class }),
    ...(min_quality_tier && { min_quality_tier: min_quality_tier.toUpperCase() as Tier }),
    max_citations: body.max_citations ?? MAX_CITATIONS,
    audience: body.audience || 'consumer',
    language: body.language || 'en',
    history: body.history ?? [],
    model_consent: body.model_consent === true,
  };
};

export const storedRequest = ({ history, ...request }: AskRequest): StoredRequest => ({
  ...request,
  had_history: history.length > 0,
});

/** A consent counts for one time: who asks again says so again, and may be somebody else. */
export const askAgain = ({ had_history: _, ...request }: StoredRequest, hasConsented: boolean): AskRequest => ({
  ...request,
  history: [],
  model_consent: hasConsented,
});
