/** Serves the page forms for asking, rerunning and deleting, for visitors without a key. */
import { Type } from 'typebox';
import { notFound } from '#core/errors.ts';
import { defineRoute, type Reply } from '#core/plugin.ts';
import { askRequestOf } from '../ask-request.ts';
import { VISITOR_THROTTLE } from '../caller.ts';
import type { AskRequest } from '../engine/port.ts';
import { AnswerParams, AskBody, AUDIENCES } from '../schemas.ts';
import type { AnswerServices } from '../services.ts';
import { permalinkOf } from '../store.ts';
import { parseEventId } from '../stream/event-stream.ts';
import { DEADLINE_SECONDS } from './ask.ts';
import { rerun } from './permalink.ts';
import { streamReply } from './stream-reply.ts';

/** Fields of the form, which are all strings; `about` is the supplement that fixes the topic. */
const ChatForm = Type.Object({
  question: AskBody.properties.question,
  about: Type.Optional(Type.String({ maxLength: 200 })),
  audience: Type.Optional(Type.String({ enum: ['', ...AUDIENCES] })),
  model_consent: AskBody.properties.model_consent,
});
const ChatBody = Type.Object({ ...ChatForm.properties, history: AskBody.properties.history });

type Asked = Pick<AskBody, 'question' | 'history' | 'model_consent'> & { about?: string; audience?: string };

const requestOf = ({ question, about, audience, history, model_consent }: Asked): AskRequest =>
  askRequestOf({
    question,
    model_consent: model_consent ?? false,
    ...(about && { supplement: about }),
    audience: audience === 'clinician' ? 'clinician' : 'consumer',
    ...(history && { history }),
  });

const seeOther = (location: string): Reply => ({
  status: 303,
  type: 'text/html',
  body: '',
  headers: { Location: location, 'Cache-Control': 'no-store' },
});

const form = (description: string) => [{ status: 303, mediaType: 'text/html', description }];

export const chatRoute = defineRoute<AnswerServices, { body: typeof ChatForm }>({
  id: 'chat.ask',
  method: 'POST',
  path: '/chat',
  summary: 'Ask from the page, without script',
  tag: 'Ask',
  access: 'public',
  device: 'make',
  throttle: VISITOR_THROTTLE,
  deadlineSeconds: DEADLINE_SECONDS,
  request: { body: ChatForm },
  replies: form('To the page of the answer'),
  raises: ['validation_failed', 'malformed_json'],
  handle: async (context, { body }) => {
    const { answer_id } = await context.services.ask(context, requestOf(body));
    return seeOther(permalinkOf(answer_id));
  },
});

export const chatStreamRoute = defineRoute<AnswerServices, { body: typeof ChatBody }>({
  id: 'chat.stream',
  method: 'POST',
  path: '/chat/ask/stream',
  summary: 'Ask from the page, with script: the events of POST /api/ask/stream',
  description:
    'For pages of this service: no key, same origin only; 5 a minute, 50 a day and one at a time for each address.',
  tag: 'Ask',
  access: 'public',
  device: 'make',
  throttle: VISITOR_THROTTLE,
  deadlineSeconds: DEADLINE_SECONDS,
  request: { body: ChatBody },
  replies: [{ status: 200, mediaType: 'text/event-stream', description: 'The events, in order' }],
  raises: ['validation_failed', 'malformed_json'],
  resumes: async (context, headers) => {
    const place = parseEventId(headers['last-event-id']);
    return place !== null && context.services.canResume(context, place);
  },
  handle: async (context, { body, headers }) => streamReply(context, headers, () => requestOf(body)),
});

type Params = { params: typeof AnswerParams };

const RerunForm = Type.Object({ model_consent: AskBody.properties.model_consent }, { default: {} });

export const rerunFormRoute = defineRoute<AnswerServices, Params & { body: typeof RerunForm }>({
  id: 'answers.rerun_form',
  method: 'POST',
  path: '/answers/{answer_id}/rerun',
  summary: 'Ask the question of an answer again, from its page',
  tag: 'Ask',
  access: 'public',
  device: 'make',
  throttle: VISITOR_THROTTLE,
  deadlineSeconds: DEADLINE_SECONDS,
  request: { params: AnswerParams, body: RerunForm },
  replies: form('To the page of today’s answer, with what differs'),
  raises: ['not_found', 'validation_failed', 'malformed_json'],
  handle: async (context, { params, body }) => {
    const { answer } = await rerun(context, params.answer_id, body.model_consent === true);
    return seeOther(permalinkOf(answer.answer_id));
  },
});

export const deleteFormRoute = defineRoute<AnswerServices, Params>({
  id: 'answers.delete_form',
  method: 'POST',
  path: '/answers/{answer_id}/delete',
  summary: 'Delete an answer that this device asked for, or stop it while it is being written',
  tag: 'Ask',
  access: 'public',
  device: 'read',
  request: { params: AnswerParams },
  replies: form('To the page for asking'),
  raises: ['not_found', 'validation_failed'],
  handle: async (context, { params: { answer_id } }) => {
    if (!(await context.services.delete(context, answer_id))) throw notFound('Answer', answer_id);
    return seeOther('/chat?notice=deleted');
  },
});
