/** Defines the requests and replies of the asking endpoints: the shapes of conventions section 4, and additions to them. */
import { type Static, type TSchema, Type } from 'typebox';
import { EVIDENCE_LEVELS, TIERS } from '#plugins/evidence/index.ts';
import { CheckReply } from '#plugins/interactions/index.ts';

const word = (values: readonly string[]) => Type.String({ enum: [...values] });
/** Builds the schema of a string enum whose values TypeScript knows. */
const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(Type.String({ enum: [...values] }));
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const AUDIENCES = ['consumer', 'clinician'] as const;
export const STATUSES = ['answered', 'insufficient_evidence', 'refused'] as const;
export const CONFIDENCES = ['high', 'moderate', 'low', 'very_low'] as const;
const DIRECTIONS = ['positive', 'null', 'negative', 'mixed', 'unclear'] as const;
const STANCES = ['supports', 'contradicts', 'context'] as const;

/** Default number of citations in an answer. */
export const MAX_CITATIONS = 8;

/** Matches a text with at least one non-blank character. */
const NOT_BLANK = '\\S';

const Turn = Type.Object({
  role: oneOf(['user', 'assistant']),
  content: Type.String({ maxLength: 4000 }),
});

/**
 * Builds an optional field: absent, null and "" all mean "not given". `type` is a plain string, so that form fields are
 * converted.
 */
const given = (maxLength: number, rest: object = {}) =>
  Type.Optional(Type.Unsafe<string | null>({ type: 'string', nullable: true, maxLength, ...rest } as TSchema));

export const AskBody = Type.Object({
  question: Type.String({ minLength: 3, maxLength: 1000, pattern: NOT_BLANK, description: 'What to ask.' }),
  vertical: given(200, { description: '`<supplement>-<topic>`.' }),
  supplement: given(200, { description: 'Slug or name: fixes the topic.' }),
  source_class: given(100),
  min_quality_tier: given(1, {
    enum: [...TIERS, 'a', 'b', 'c', 'd', '', null],
    description: 'Minimum tier: A is the best.',
  }),
  max_citations: Type.Optional(
    Type.Unsafe<number | null>({
      type: 'integer',
      nullable: true,
      minimum: 1,
      maximum: 20,
      default: MAX_CITATIONS,
    } as TSchema),
  ),
  audience: Type.Optional(
    Type.Unsafe<(typeof AUDIENCES)[number] | '' | null>({
      type: 'string',
      nullable: true,
      enum: [...AUDIENCES, '', null],
      default: 'consumer',
    } as TSchema),
  ),
  language: given(35, {
    pattern: '^$|^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
    default: 'en',
    description: 'BCP 47.',
  }),
  model_consent: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: 'boolean',
      nullable: true,
      default: false,
      description:
        'The person who asks agrees that the question goes to the models that the operator chose. Without it no model sees it: the answer is made of quotes, `model` is `extractive`, and a warning `model_consent_missing` says so where a language model is configured.',
    } as TSchema),
  ),
  history: Type.Optional(
    Type.Unsafe<Static<typeof Turn>[] | null>({
      ...Type.Array(Turn, { maxItems: 10, default: [], description: 'Turns before the question; never stored.' }),
      nullable: true,
    } as TSchema),
  ),
});
export type AskBody = Static<typeof AskBody>;

/** A source that the answer cites. */
export const Citation = Type.Object({
  n: Type.Integer({ minimum: 1, description: 'Its mark in the answer.' }),
  source_id: Type.String(),
  pmid: Type.String(),
  doi: Type.String(),
  nct_id: nullable(Type.String()),
  title: Type.String(),
  year: nullable(Type.Integer()),
  source_class: Type.String(),
  quality_tier: oneOf(TIERS),
  quality_score: Type.Number(),
  url: Type.String(),
  quote: Type.String({ description: 'Verbatim from the stored text; "" where nothing may be quoted.' }),
  quote_verified: Type.Boolean({ description: 'The quote stands in the stored text, letter by letter.' }),
  quote_from: oneOf(['abstract', 'summary', 'title']),
  quote_start: Type.Integer({ description: 'Place of the quote in that text, in UTF-16 units.' }),
  quote_end: Type.Integer(),
  stance: oneOf(STANCES),
  direction: Type.Optional(
    Type.Unsafe<(typeof DIRECTIONS)[number]>(
      Type.String({
        enum: [...DIRECTIONS],
        description:
          'What it found: a benefit, no difference (`null`), a worse result (`negative`), or mixed; `unclear` for questions of harm. Tells the two kinds of `contradicts` apart; answers stored before November 2026 lack it.',
      }),
    ),
  ),
  retraction_status: oneOf(['none', 'corrected', 'concern', 'retracted']),
  evidence_level: word(EVIDENCE_LEVELS),
  sample_size: Type.String({ description: 'As the source says it; "" when unknown.' }),
  journal: Type.String(),
});
export type Citation = Static<typeof Citation>;

/** One factual sentence and its position in the answer. */
export const Claim = Type.Object({
  text: Type.String(),
  citations: Type.Array(Type.Integer(), { description: 'Marks: `n` of the citations.' }),
  start: Type.Integer({ description: 'Place in `answer`, in UTF-16 units.' }),
  end: Type.Integer(),
});
export type Claim = Static<typeof Claim>;

/** Sources in people that fit the question, by the direction of their result. */
export const Balance = Type.Object({
  positive: Type.Integer(),
  null: Type.Integer(),
  negative: Type.Integer(),
  mixed: Type.Integer(),
  unclear: Type.Integer({ description: 'Fitting, but pointing nowhere that is sure.' }),
  by_program: Type.Integer({ description: 'Of those counted: direction read by a program, not an editor.' }),
  weighted: Type.Object(
    { positive: Type.Integer(), null: Type.Integer(), negative: Type.Integer(), mixed: Type.Integer() },
    { description: 'The same, each source weighing 8, 4, 2 or 1 by its tier.' },
  ),
});

/** Why a question is not answered, what to do now, and what to read instead. */
export const Refusal = Type.Object({
  kind: Type.String({ description: 'Such as `emergency`, `stop_medicine`, `child_dose`, `pregnancy_dose`.' }),
  reason: Type.String(),
  emergency: Type.String({ description: 'What to do at once, shown above all else; "" when nothing is urgent.' }),
  pages: Type.Array(Type.Object({ title: Type.String(), url: Type.String() })),
});
export type Refusal = Static<typeof Refusal>;

const bodyMembers = {
  question: Type.String(),
  status: oneOf(STATUSES),
  answer: Type.String({ description: 'Markdown with marks: [1] [2].' }),
  summary: Type.String({ description: 'One sentence.' }),
  confidence: oneOf(CONFIDENCES),
  claims: Type.Array(Claim),
  citations: Type.Array(Citation),
  evidence_balance: Balance,
  interactions: Type.Array(CheckReply, { description: 'As GET /api/interactions/check answers.' }),
  follow_ups: Type.Array(Type.String()),
  disclaimer: Type.String(),
  disclaimer_url: Type.String(),
  retrieval_version: Type.String(),
  index_version: Type.String(),
  model: Type.String({
    description:
      'Which language model chose and ordered the sentences; `extractive` where none did. All of them are the sources’ own.',
  }),
  resolved: Type.Array(
    Type.Object({ input: Type.String(), id: Type.String(), type: Type.String(), match_type: Type.String() }),
  ),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  refusal: nullable(Refusal),
  coverage: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the question’s weight that sources hold.' }),
  what_would_answer: Type.String({ description: 'The study that would settle it; "" when the question is answered.' }),
};

/** The answer as the engine builds it, without the fields that belong to one request. */
export const AnswerBody = Type.Object(bodyMembers);
export type AnswerBody = Static<typeof AnswerBody>;

/** The complete object of POST /api/ask. */
export const Answer = Type.Object({
  answer_id: Type.String(),
  ...bodyMembers,
  latency_ms: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  permalink: Type.String({ description: 'Page of the stored answer; "" when answers are not kept.' }),
});
export type Answer = Static<typeof Answer>;

export const AnswerParams = Type.Object({ answer_id: Type.String({ pattern: '^ans_[A-Za-z0-9_-]{1,64}$' }) });

const changed = <T extends TSchema>(value: T) => nullable(Type.Object({ before: value, after: value }));
const CitedBriefly = Type.Object({
  source_id: Type.String(),
  title: Type.String(),
  year: nullable(Type.Integer()),
  quality_tier: oneOf(TIERS),
  url: Type.String(),
  stance: oneOf(STANCES),
  retraction_status: Type.String({ description: 'Of today, for sources that went too.' }),
});

/** Differences between a stored answer and today's. */
export const AnswerDiff = Type.Object({
  same: Type.Boolean({ description: 'Nothing of the below differs.' }),
  status: changed(oneOf(STATUSES)),
  confidence: changed(oneOf(CONFIDENCES)),
  summary: changed(Type.String()),
  evidence_balance: changed(Balance),
  citations_added: Type.Array(CitedBriefly),
  citations_removed: Type.Array(CitedBriefly),
  tiers_changed: Type.Array(
    Type.Object({ source_id: Type.String(), title: Type.String(), before: Type.String(), after: Type.String() }),
  ),
  interactions_added: Type.Array(Type.String()),
  interactions_removed: Type.Array(Type.String()),
  index_version: Type.Object({ before: Type.String(), after: Type.String() }),
  retrieval_version: Type.Object({ before: Type.String(), after: Type.String() }),
  model: Type.Object({ before: Type.String(), after: Type.String() }),
  asked_at: Type.Object({ before: Type.String(), after: Type.String() }),
});
export type AnswerDiff = Static<typeof AnswerDiff>;

/** Today's answer to the question of a stored one. */
export const RerunReply = Type.Object({ ...Answer.properties, rerun_of: Type.String(), diff: AnswerDiff });

/** A stored answer, by its id. */
export const StoredAnswerReply = Type.Object({
  ...Answer.properties,
  rerun_of: nullable(Type.String({ description: 'The answer that was asked again.' })),
  expires_at: Type.String({ format: 'date-time' }),
});

export const DeleteReply = Type.Object({ answer_id: Type.String(), deleted: Type.Boolean() });
