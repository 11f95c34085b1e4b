/** Builds the reply of both streams: a new answer, or the rest of an interrupted one. */
import type { Context, Reply } from '#core/plugin.ts';
import type { AskRequest } from '../engine/port.ts';
import type { AnswerServices } from '../services.ts';
import type { StreamEvent } from '../stream/buffer.ts';
import { eventStream, parseEventId, SESSION_LOST, STREAM_HEADERS } from '../stream/event-stream.ts';

async function* lost(): AsyncGenerator<StreamEvent> {
  yield SESSION_LOST;
}

const following = (context: Context<AnswerServices>, lastEventId: string) => {
  const place = parseEventId(lastEventId);
  if (!place) return { answerId: '', events: lost() };
  return { answerId: place.answerId, events: context.services.resume(context, place) };
};

/**
 * Builds the streaming reply.
 * @throws AppError 422 or 429 before the stream opens.
 */
export const streamReply = async (
  context: Context<AnswerServices>,
  headers: Readonly<Record<string, string | undefined>>,
  requestOf: () => AskRequest,
): Promise<Reply> => {
  const { services } = context;
  const lastEventId = headers['last-event-id']?.trim();
  const { answerId, events } = lastEventId
    ? following(context, lastEventId)
    : await services.begin(context, requestOf());
  return {
    type: 'text/event-stream',
    headers: STREAM_HEADERS,
    body: eventStream(answerId, events, services.heartbeatMs),
  };
};
