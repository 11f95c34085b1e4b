/** Defines the requests and replies of the label-image routes. */
import { type Static, Type } from 'typebox';

const MAX_INTEGER = 2_147_483_647;
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const KINDS = ['front', 'facts', 'ingredients', 'back', 'other'] as const;
export const SOURCES = ['upload', 'render', 'manufacturer'] as const;
export const STATUSES = ['active', 'hidden', 'pending'] as const;
const oneOf = <T extends readonly string[]>(values: T) => Type.Unsafe<T[number]>(Type.String({ enum: [...values] }));

export const ImageReply = Type.Object({
  image_id: Type.Integer(),
  dsld_id: Type.Integer(),
  url: Type.String({ description: 'The picture, at most 4096 pixels a side.' }),
  thumb_url: Type.String({ description: 'The same, 400 pixels wide.' }),
  width: Type.Integer(),
  height: Type.Integer(),
  mime: Type.String(),
  bytes: Type.Integer({ description: 'Of the file at `url`.' }),
  sha256: Type.String({ description: 'Of the file at `url`.' }),
  kind: oneOf(KINDS),
  source: oneOf(SOURCES),
  license: Type.String(),
  attribution: Type.String(),
  is_primary: Type.Boolean(),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  score: Type.Integer({ description: 'Upvotes less downvotes.' }),
  status: oneOf(STATUSES),
  uploaded_at: Type.String(),
});
export type ImageReply = Static<typeof ImageReply>;

export const UploadReply = Type.Object({
  ...ImageReply.properties,
  created: Type.Boolean({ description: 'False when the product had an image of the same bytes: nothing was changed.' }),
});

/** The text fields of the form, in addition to `file`. */
export const UploadFields = Type.Object({
  kind: Type.Unsafe<(typeof KINDS)[number]>(Type.String({ enum: [...KINDS], default: 'other' })),
  source: Type.Unsafe<(typeof SOURCES)[number]>(Type.String({ enum: [...SOURCES], default: 'upload' })),
  license: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    description: 'Under which the picture may be shown.',
  }),
  attribution: Type.String({ default: '', maxLength: 500 }),
  make_primary: Type.Boolean({ default: false }),
});

const id = Type.Integer({ minimum: 0, maximum: MAX_INTEGER });
export const ImagePath = Type.Object({ image_id: id });
export const ProductPath = Type.Object({ dsld_id: id });
export const PrimaryPath = Type.Object({ dsld_id: id, image_id: id });
export const FilePath = Type.Object({ name: Type.String({ maxLength: 100 }) });

export const VoteQuery = Type.Object({
  direction: Type.Unsafe<'up' | 'down'>(Type.String({ pattern: '^(up|down)$' })),
});
export const VoteReply = Type.Object({
  image_id: Type.Integer(),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  score: Type.Integer(),
  your_vote: nullable(
    Type.String({ description: 'Null when it does not count: three others voted from your address.' }),
  ),
});
export const PrimaryReply = Type.Object({ dsld_id: Type.Integer(), primary_image_id: Type.Integer() });

export const ReportBody = Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) });
export const ReportReply = Type.Object({ image_id: Type.Integer(), received: Type.Boolean(), status: oneOf(STATUSES) });

export const PendingQuery = Type.Object({
  after: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'The last `image_id` of the answer before.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});
export const StatusBody = Type.Object({ status: oneOf(STATUSES) });
export const UndoQuery = Type.Object({
  what: Type.String({
    enum: ['any', 'vote', 'primary', 'status'],
    default: 'any',
    description: 'Undo the last change of this sort only.',
  }),
});
export const UndoReply = Type.Object({
  undone: Type.Object({ what: Type.String(), who: Type.String(), at: Type.String() }),
  image: ImageReply,
});

const Counts = Type.Record(Type.String(), Type.Integer());
export const StatsReply = Type.Object({
  on_market_products: Type.Integer({ description: 'Known to be on the market; unknown ones do not count.' }),
  products_with_image: Type.Integer({ description: 'Of these, with at least one active image.' }),
  images_total: Type.Integer({ description: 'Active images of all products.' }),
  coverage_pct: Type.Number({ description: 'products_with_image of on_market_products, 0 to 100.' }),
  by_kind: Counts,
  by_source: Counts,
  known_missing_count: Type.Integer(),
  known_missing: Type.Array(Type.Integer(), { description: 'The first 200 of them, by id.' }),
  generated_at: Type.String(),
  ttl_seconds: Type.Integer(),
});
export type StatsReply = Static<typeof StatsReply>;
