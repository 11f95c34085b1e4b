/** Converts the body of a request to a request for the engine. */
import { coreErrors } from '#core/errors.ts';
import type { Tier } from '#plugins/evidence/index.ts';
import type { AskRequest } from './engine/port.ts';
import { type AskBody, MAX_CITATIONS } from './schemas.ts';

/** The request as it is stored with an answer, so that it can be asked again. The history is never stored. */
export type StoredRequest = Omit<AskRequest, 'history'> & { readonly had_history: boolean };

const MIN_LENGTH = 3;

/**
 * Trims the question and treats null and "" as not given.
 * @throws AppError 422 for a blank question.
 */
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

/**
 * Builds the request of a rerun. Consent applies to one request only: a rerun needs new consent and may come from somebody
 * else.
 */
export const askAgain = ({ had_history: _, ...request }: StoredRequest, hasConsented: boolean): AskRequest => ({
  ...request,
  history: [],
  model_consent: hasConsented,
});
