/** Defines /feedback, the form behind the link "something wrong here?"; it works without JavaScript. */
import { type Static, Type } from 'typebox';
import { definePage } from '#core/plugin.ts';
import { readOutcomes } from './outcome-counts.ts';
import { OutcomesView, outcomesView } from './outcomes-view.ts';
import { isOwnPath } from './own-path.ts';
import { CATEGORIES, TARGET_TYPES } from './schemas.ts';

const CATEGORY_WORDS: Readonly<Record<(typeof CATEGORIES)[number], string>> = {
  error: 'Something is wrong',
  outdated: 'Something is out of date',
  missing: 'Something is missing',
  unsafe: 'Something could harm a reader',
  praise: 'Something is good',
  other: 'Something else',
};

const View = Type.Object({
  categories: Type.Array(Type.Object({ value: Type.String(), name: Type.String() })),
  category: Type.String(),
  targetType: Type.String(),
  targetId: Type.String(),
  /** Path of the page that the message is about, on this service; "" for none. */
  about: Type.String(),
  outcomes: OutcomesView,
});
type View = Static<typeof View>;

const Query = Type.Object({
  page: Type.String({ maxLength: 500, default: '' }),
  target_type: Type.String({ enum: ['', ...TARGET_TYPES], default: '' }),
  target_id: Type.String({ maxLength: 300, default: '' }),
  category: Type.String({ enum: ['', ...CATEGORIES], default: '' }),
});

const viewOf = (query: Static<typeof Query>): Omit<View, 'outcomes'> => ({
  categories: CATEGORIES.map((value) => ({ value, name: CATEGORY_WORDS[value] })),
  category: query.category || 'error',
  targetType: query.target_type || (query.page ? 'page' : ''),
  targetId: query.target_id || (isOwnPath(query.page) ? query.page : ''),
  about: isOwnPath(query.page) ? query.page : '',
});

export const feedbackPage = definePage({
  id: 'feedback.form',
  path: '/feedback',
  summary: 'The form for corrections and other feedback',
  template: 'feedback/form',
  query: Query,
  view: View,
  scope: 'public',
  sitemap: null,
  revision: 2,
  load: async ({ db }, { query }) => ({
    head: {
      title: 'Say what is wrong',
      description: 'Tell the editors what is wrong, out of date, missing or unsafe, here or in a source.',
      noindex: true,
    },
    view: { ...viewOf(query), outcomes: outcomesView(await db.read((em) => readOutcomes(em))) },
  }),
});
