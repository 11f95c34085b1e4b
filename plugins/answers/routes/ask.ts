/** Serves POST /api/ask and its stream, for callers with a key. */
import { defineRoute } from '#core/plugin.ts';
import { askRequestOf } from '../ask-request.ts';
import { LONGEST_SECONDS } from '../asking.ts';
import { KEY_THROTTLE } from '../caller.ts';
import { Answer, AskBody } from '../schemas.ts';
import type { AnswerServices } from '../services.ts';
import { parseEventId } from '../stream/event-stream.ts';
import { streamReply } from './stream-reply.ts';

/**
 * Deadline of the request in seconds. It is later than the longest answer, so that the engine is stopped first and reports
 * it.
 */
export const DEADLINE_SECONDS = LONGEST_SECONDS + 10;

export const askRoute = defineRoute<AnswerServices, { body: typeof AskBody }>({
  id: 'ask',
  method: 'POST',
  path: '/api/ask',
  summary: 'Ask a question, and get an answer whose every claim cites its sources',
  description:
    'Claims are cut that no source supports; quotes are checked against the stored text letter by letter. Without evidence the status is `insufficient_evidence`; emergencies, stopping a medicine, and doses for children, pregnancy or breast-feeding are `refused`. Nothing here says that something is safe. Beside the quota: 10 a minute and 2 at a time for each key, bucket `ask`.',
  tag: 'Ask',
  access: 'key',
  request: { body: AskBody },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The answer', schema: Answer }],
  links: {
    'answers.read': { answer_id: '/answer_id' },
    'answers.rerun': { answer_id: '/answer_id' },
    'answers.delete': { answer_id: '/answer_id' },
  },
  raises: ['validation_failed', 'malformed_json'],
  throttle: KEY_THROTTLE,
  deadlineSeconds: DEADLINE_SECONDS,
  handle: async (context, { body }) => ({ body: await context.services.ask(context, askRequestOf(body)) }),
});

export const askStreamRoute = defineRoute<AnswerServices, { body: typeof AskBody }>({
  id: 'ask.stream',
  method: 'POST',
  path: '/api/ask/stream',
  summary: 'Ask a question, and watch the answer come: server-sent events',
  description:
    'Events: `meta`, `status`, `sources` (before any text), `delta`, `citation`, `warning`, `final` (what POST /api/ask answers), `error`, `done`; a comment every 15 seconds. Each has an id `<answer_id>/<n>`. When the connection breaks the answer goes on: within five minutes the same request with `Last-Event-ID` and the same key gets what came after, and is not charged again; otherwise one event `session_lost`.',
  tag: 'Ask',
  access: 'key',
  request: { body: AskBody },
  replies: [{ status: 200, mediaType: 'text/event-stream', description: 'The events, in order' }],
  raises: ['validation_failed', 'malformed_json'],
  throttle: KEY_THROTTLE,
  deadlineSeconds: DEADLINE_SECONDS,
  resumes: async (context, headers) => {
    const place = parseEventId(headers['last-event-id']);
    return place !== null && context.services.canResume(context, place);
  },
  handle: async (context, { body, headers }) => streamReply(context, headers, () => askRequestOf(body)),
});
