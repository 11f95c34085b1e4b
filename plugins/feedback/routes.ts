/**
 * Accepts feedback on pages and on answers, as JSON from scripts and programs and as form fields from pages without JavaScript.
 */
import { type Context, defineRoute, type Input, type Reply, type RequestSchemas, type Route } from '#core/plugin.ts';
import { readOutcomes } from './outcome-counts.ts';
import { AnswerFeedbackBody, FeedbackBody, FeedbackOutcomes, FeedbackStats, Received } from './schemas.ts';
import { readFeedbackStats } from './stats.ts';
import { keepAnswerFeedback, keepFeedback, voterOfDevice } from './store.ts';
import { wayBack } from './way-back.ts';

const tag = 'Feedback';
/** Rate limit per key or address, shared by both routes. */
const throttle = { bucket: 'feedback', perMinute: 5, perDay: 50 };
const replies = [
  { status: 200, mediaType: 'application/json', description: 'Received', schema: Received },
  { status: 303, mediaType: 'text/html', description: 'Received as a form: back to the page it was on' },
];
const raises = ['validation_failed', 'malformed_json', 'file_too_large'];
const FORMS =
  'Takes JSON, and form fields (`application/x-www-form-urlencoded`) from pages of this service, which are answered with 303.';

type Headers = Input<RequestSchemas>['headers'];

const answerWith = (
  received: Received,
  { config, headers, back }: { config: Context['config']; headers: Headers; back: string },
): Reply => {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  if (!isForm) return { body: received };
  return {
    status: 303,
    headers: { Location: wayBack(back, headers.referer ?? '', config.text('BASE_URL')) },
    type: 'text/html',
    body: '',
  };
};

const feedback = defineRoute<unknown, { body: typeof FeedbackBody }>({
  id: 'feedback.send',
  method: 'POST',
  path: '/api/feedback',
  summary: 'Say what is wrong, outdated, missing, unsafe or good',
  description: `${FORMS} An e-mail address is used to answer only, and is in no statistics and no log.`,
  tag,
  access: 'limited',
  device: 'make',
  throttle,
  request: { body: FeedbackBody },
  replies,
  raises,
  handle: async ({ db, config, principal, device }, { body, headers }) => {
    const sender = principal.kind === 'key' ? null : device;
    const received = await db.write((em) => keepFeedback(em, body, sender));
    return answerWith(received, { config, headers, back: body.back ?? '' });
  },
});

/** Identifies the voter: by the key if there is one, otherwise by the device. */
const voterOf = ({ principal, device, secrets }: Context): string =>
  principal.kind === 'key'
    ? `key:${secrets.pseudonym('feedback-key', principal.keyId)}`
    : voterOfDevice(device as string);

const answerFeedback = defineRoute<unknown, { body: typeof AnswerFeedbackBody }>({
  id: 'feedback.answer',
  method: 'POST',
  path: '/api/chat/feedback',
  summary: 'Say whether an answer was right, and what was wrong with it',
  description: `${FORMS} One vote for each answer and device (or key); a later one takes the place of the earlier.`,
  tag,
  access: 'limited',
  device: 'make',
  throttle,
  request: { body: AnswerFeedbackBody },
  replies,
  raises,
  handle: async (context, { body, headers }) => {
    const received = await context.db.write((em) => keepAnswerFeedback(em, body, voterOf(context)));
    return answerWith(received, { config: context.config, headers, back: body.back ?? '' });
  },
});

const stats = defineRoute<unknown, Record<string, never>>({
  id: 'feedback.stats',
  method: 'GET',
  path: '/api/feedback/stats',
  summary: 'Feedback in figures',
  tag,
  access: 'admin',
  request: {},
  replies: [{ status: 200, mediaType: 'application/json', description: 'Counts', schema: FeedbackStats }],
  raises: [],
  handle: async ({ db }) => ({ body: await db.read(readFeedbackStats) }),
});

const outcomes = defineRoute<unknown, Record<string, never>>({
  id: 'feedback.outcomes',
  method: 'GET',
  path: '/api/feedback/outcomes',
  summary: 'What became of feedback: how much came, was closed, and led to a change',
  description: 'Counts, and sentences that editors wrote for the public; nothing that a reader wrote.',
  tag,
  access: 'public',
  request: {},
  replies: [{ status: 200, mediaType: 'application/json', description: 'Counts', schema: FeedbackOutcomes }],
  raises: [],
  handle: async ({ db }) => ({
    headers: { 'Cache-Control': 'public, max-age=30' },
    body: await db.read((em) => readOutcomes(em)),
  }),
});

export const feedbackRoutes = [feedback, answerFeedback, stats, outcomes] as readonly Route[];
