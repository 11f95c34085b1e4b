/** Serves answers by id: read, rerun, delete. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { type Context, defineRoute } from '#core/plugin.ts';
import { askAgain } from '../ask-request.ts';
import { ownerOf, VISITOR_THROTTLE } from '../caller.ts';
import { diffOf } from '../diff.ts';
import { AnswerParams, DeleteReply, RerunReply, StoredAnswerReply } from '../schemas.ts';
import type { AnswerServices } from '../services.ts';
import type { StoredAnswer } from '../store.ts';
import { asOfToday, readSourceStates } from '../today.ts';
import { DEADLINE_SECONDS } from './ask.ts';

type Calling = Context<AnswerServices>;
type Params = { params: typeof AnswerParams };

/**
 * Returns a stored answer.
 * @throws AppError 404 when there is none.
 */
const find = async (context: Calling, answerId: string): Promise<StoredAnswer> => {
  const stored = await context.services.read(answerId, ownerOf(context));
  if (!stored) throw notFound('Answer', answerId);
  return stored;
};

const statesOf = (context: Calling, ids: readonly string[]) =>
  context.db.read((em: EntityManager) => readSourceStates(em, ids));

/** Asks the question of a stored answer again. The new answer is stored in addition to the old one. */
export const rerun = async (context: Calling, answerId: string, hasConsented: boolean) => {
  const stored = await find(context, answerId);
  const answer = await context.services.ask(context, askAgain(stored.request, hasConsented), answerId);
  return { stored, answer };
};

export const readRoute = defineRoute<AnswerServices, Params>({
  id: 'answers.read',
  method: 'GET',
  path: '/api/answers/{answer_id}',
  summary: 'A stored answer',
  description:
    'As it was given, except that sources which were retracted since are marked, with a warning. Whoever has the id may read it; answers are kept for as many days as the operator set, 400 unless changed.',
  tag: 'Ask',
  access: 'limited',
  device: 'read',
  request: { params: AnswerParams },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The answer', schema: StoredAnswerReply }],
  links: { 'answers.rerun': { answer_id: '/answer_id' } },
  raises: ['not_found', 'validation_failed'],
  handle: async (context, { params }) => {
    const { answer, rerunOf, expiresAt } = await find(context, params.answer_id);
    const states = await statesOf(
      context,
      answer.citations.map(({ source_id }) => source_id),
    );
    return {
      headers: { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' },
      body: { ...asOfToday(answer, states), rerun_of: rerunOf, expires_at: expiresAt },
    };
  },
});

const RerunQuery = Type.Object({
  model_consent: Type.Boolean({
    default: false,
    description: 'As for POST /api/ask; the consent that came with the first question does not count again.',
  }),
});

export const rerunRoute = defineRoute<AnswerServices, Params & { query: typeof RerunQuery }>({
  id: 'answers.rerun',
  method: 'POST',
  path: '/api/answers/{answer_id}/rerun',
  summary: 'Ask the question of a stored answer again, and see what differs',
  description:
    'Today’s answer, with `diff`: citations that came and went, and what changed in status, confidence and balance. What was said before the question was never stored, so it is asked without. At most 5 a minute and 50 a day, bucket `ask`.',
  tag: 'Ask',
  access: 'limited',
  device: 'read',
  throttle: VISITOR_THROTTLE,
  deadlineSeconds: DEADLINE_SECONDS,
  request: { params: AnswerParams, query: RerunQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'Today’s answer', schema: RerunReply }],
  links: { 'answers.read': { answer_id: '/answer_id' }, 'answers.delete': { answer_id: '/answer_id' } },
  raises: ['not_found', 'validation_failed'],
  handle: async (context, { params, query }) => {
    const { stored, answer } = await rerun(context, params.answer_id, query.model_consent);
    const states = await statesOf(
      context,
      stored.answer.citations.map(({ source_id }) => source_id),
    );
    return { body: { ...answer, rerun_of: params.answer_id, diff: diffOf(stored.answer, answer, states) } };
  },
});

export const deleteRoute = defineRoute<AnswerServices, Params>({
  id: 'answers.delete',
  method: 'DELETE',
  path: '/api/answers/{answer_id}',
  summary: 'Delete an answer that this key asked for, or stop it while it is being written',
  description:
    'With it go the answers to the same question that were asked again from it. One that is still being written (its id is in the `meta` event of the stream) is stopped at once and never stored; its stream ends with an `error` event, code `not_found`.',
  tag: 'Ask',
  access: 'key',
  request: { params: AnswerParams },
  replies: [{ status: 200, mediaType: 'application/json', description: 'It is gone', schema: DeleteReply }],
  raises: ['not_found', 'validation_failed'],
  handle: async (context, { params: { answer_id } }) => {
    if (!(await context.services.delete(context, answer_id))) throw notFound('Answer', answer_id);
    return { body: { answer_id, deleted: true } };
  },
});
