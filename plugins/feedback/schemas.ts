/** Defines the request and response schemas of the feedback routes. */
import { type Static, type TSchema, Type } from 'typebox';

export const CATEGORIES = ['error', 'outdated', 'missing', 'unsafe', 'praise', 'other'] as const;
export const TARGET_TYPES = [
  'source',
  'supplement',
  'interaction',
  'product',
  'condition',
  'article',
  'biomarker',
  'label_image',
  'page',
  'answer',
] as const;
export const REASONS = ['wrong_citation', 'outdated', 'unsafe', 'incomplete', 'off_topic', 'unclear', 'other'] as const;

type Optional<T> = T | '' | null;

/**
 * Defines an optional field; omitted, null and "" all mean "not given". `type` is a single type name, so that form fields are
 * converted.
 */
const given = (maxLength: number, rest: object = {}) =>
  Type.Optional(Type.Unsafe<string | null>({ type: 'string', nullable: true, maxLength, ...rest } as TSchema));

/** Redirect target of a form: a page of this service. Ignored for JSON. */
const back = given(2_000, { description: 'For forms: the page of this service to go back to.' });

export const FeedbackBody = Type.Object({
  category: Type.Unsafe<(typeof CATEGORIES)[number]>(Type.String({ enum: [...CATEGORIES] })),
  message: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
  target_type: Type.Optional(
    Type.Unsafe<Optional<(typeof TARGET_TYPES)[number]>>({
      type: 'string',
      nullable: true,
      enum: [...TARGET_TYPES, '', null],
    } as TSchema),
  ),
  target_id: given(300),
  page_url: given(2_000),
  rating: Type.Optional(
    Type.Unsafe<number | null>({ type: 'integer', nullable: true, minimum: 1, maximum: 5 } as TSchema),
  ),
  email: given(254, {
    pattern: '^$|^[^@\\s<>]+@[^@\\s<>]+$',
    description: 'Only to answer you: erased 90 days after the matter is closed, at the latest after 400 days.',
  }),
  suggested_pmid: given(9, { pattern: '^$|^[1-9][0-9]{0,8}$' }),
  back,
});
export type FeedbackBody = Static<typeof FeedbackBody>;

export const AnswerFeedbackBody = Type.Object({
  answer_id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }),
  rating: Type.Unsafe<'up' | 'down' | 1 | -1 | '1' | '-1'>({
    enum: ['up', 'down', 1, -1, '1', '-1'],
    description: '`up` or `down`; also 1 or -1.',
  } as TSchema),
  reasons: Type.Optional(
    Type.Unsafe<(typeof REASONS)[number][] | null>({
      ...Type.Array(Type.String({ enum: [...REASONS] }), { maxItems: 20 }),
      nullable: true,
    } as TSchema),
  ),
  comment: given(2_000),
  question: given(1_000),
  answer_excerpt: given(4_000),
  back,
});
export type AnswerFeedbackBody = Static<typeof AnswerFeedbackBody>;

export const Received = Type.Object({
  id: Type.String({ description: '`fb_…`' }),
  status: Type.String({ enum: ['received'] }),
  created_at: Type.String({ format: 'date-time' }),
});
export type Received = Static<typeof Received>;

const Counts = Type.Record(Type.String(), Type.Integer());
const nullableNumber = Type.Union([Type.Number(), Type.Null()]);

const ByOutcome = Type.Object(
  {
    changed: Type.Integer({ description: 'Led to a change.' }),
    already_known: Type.Integer({ description: 'Was known already.' }),
    not_changed: Type.Integer({ description: 'Was looked into, and nothing was changed.' }),
    not_for_us: Type.Integer({ description: 'Is not about the content of this site.' }),
    thanks: Type.Integer({ description: 'Says thanks.' }),
    not_said: Type.Integer({ description: 'Was closed without a recorded outcome.' }),
  },
  { description: 'What came of what is closed; also of what has been deleted since.' },
);

export const FeedbackStats = Type.Object({
  total: Type.Integer({ description: 'Messages; votes on answers are counted under `chat`.' }),
  open: Type.Integer(),
  by_category: Counts,
  by_outcome: ByOutcome,
  by_target_type: Type.Record(Type.String(), Type.Integer(), { description: 'Messages that name a target.' }),
  rating_avg: { ...nullableNumber, description: 'Of the messages with a rating, to one decimal; null without any.' },
  chat: Type.Object({
    up: Type.Integer(),
    down: Type.Integer(),
    by_reason: Counts,
    open: Type.Integer({ description: 'Votes that say what is wrong and wait to be read.' }),
  }),
  last_7_days: Type.Integer({ description: 'Messages.' }),
  median_hours_to_close: { ...nullableNumber, description: 'Of closed messages; null without any.' },
  generated_at: Type.String({ format: 'date-time' }),
});
export type FeedbackStats = Static<typeof FeedbackStats>;

const figures = {
  received: Type.Integer({ description: 'Messages, and votes on answers that say what is wrong.' }),
  open: Type.Integer({ description: 'Waiting.' }),
  closed: Type.Integer({ description: 'By an editor: the sum of `by_outcome`.' }),
  changed: Type.Integer({ description: 'Of those closed, how many led to a change.' }),
  lapsed: Type.Integer({ description: 'Never closed, and deleted because they were too old to keep.' }),
  by_outcome: ByOutcome,
};
const OutcomeFigures = Type.Object(figures);
export type OutcomeFigures = Static<typeof OutcomeFigures>;

export const FeedbackOutcomes = Type.Object({
  ...figures,
  by_month: Type.Array(Type.Object({ month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }), ...figures }), {
    description:
      'The last 12 months (UTC), the current month first: messages received in the month, and their outcomes.',
  }),
  median_hours_to_close: {
    ...nullableNumber,
    description: 'Of what was closed in the last 12 months and is still kept, to one decimal; null without any.',
  },
  last_changes: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      path: Type.String({ description: 'The page on this service that shows it.' }),
      note: Type.String({ description: 'What was changed, in the words of an editor.' }),
    }),
    { description: 'At most 10, the newest first: those that an editor wrote a public sentence on.' },
  ),
  generated_at: Type.String({ format: 'date-time' }),
});
export type FeedbackOutcomes = Static<typeof FeedbackOutcomes>;
