/**
 * Builds /answers/{answer_id}: an answer, how long it is stored, and the differences from its original when it is a rerun.
 */
import { Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import { CrumbList, dayInWords } from '#plugins/evidence/index.ts';
import { ownerOf } from '../caller.ts';
import { diffOf } from '../diff.ts';
import { AnswerParams } from '../schemas.ts';
import type { AnswerServices } from '../services.ts';
import type { StoredAnswer } from '../store.ts';
import { asOfToday, readSourceStates } from '../today.ts';
import { AnswerView, answerView } from './answer-view.ts';
import { DiffView, diffView } from './diff-view.ts';

const View = Type.Object({
  crumbs: CrumbList,
  ...AnswerView.properties,
  kept: Type.Object({
    /** Last day of storage; "" when the answer is not stored. */
    until: Type.String(),
    mine: Type.Boolean(),
    byKey: Type.Boolean(),
    hadHistory: Type.Boolean(),
    /** Whether a language model may choose the sentences of a rerun, if its asker agrees. */
    hasModel: Type.Boolean(),
  }),
  diff: Type.Union([DiffView, Type.Null()]),
});

type Calling = Context<AnswerServices>;

const keptView = ({ kept, expiresAt, owner, request }: StoredAnswer, caller: string, hasModel: boolean) => ({
  hasModel,
  until: kept ? dayInWords(expiresAt) : '',
  mine: owner !== '' && owner === caller,
  byKey: owner.startsWith('key:'),
  hadHistory: request.had_history,
});

const load = async (context: Calling, answerId: string) => {
  const caller = ownerOf(context);
  const stored = await context.services.read(answerId, caller);
  if (!stored) return { missing: { resource: 'Answer', id: answerId, near: [{ name: 'Ask again', href: '/chat' }] } };
  const before = stored.rerunOf ? await context.services.read(stored.rerunOf, caller) : null;
  const cited = [stored, before].flatMap((one) => one?.answer.citations ?? []);
  const states = await context.db.read((em) =>
    readSourceStates(
      em,
      cited.map(({ source_id }) => source_id),
    ),
  );
  const answer = asOfToday(stored.answer, states);
  const { question } = answer;
  return {
    head: {
      title: question.length > 70 ? `${question.slice(0, 69)}…` : question,
      description: 'A question answered from graded sources, with each claim cited.',
      noindex: true,
    },
    view: {
      crumbs: [
        { name: 'Ask', href: '/chat' },
        { name: 'An answer', href: '' },
      ],
      ...answerView({ ...stored, answer }, states),
      kept: keptView(stored, caller, context.models.language !== null),
      diff: before && diffView(diffOf(before.answer, stored.answer, states), before.answer),
    },
  };
};

export const answerPage = definePage({
  id: 'answers.answer',
  path: '/answers/{answer_id}',
  summary: 'A stored answer with its sources',
  template: 'answers/answer',
  params: AnswerParams,
  view: View,
  scope: 'device',
  sitemap: null,
  revision: 1,
  load: (context: Calling, { params }) => load(context, params.answer_id),
});
