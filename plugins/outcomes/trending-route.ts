import { defineRoute } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { TrendingReply, TrendingRequest } from './schemas.ts';
import type { OutcomeServices } from './services.ts';
import { computeTrending, DEFAULT_QUERY, readSnapshot } from './trending.ts';
import { TRENDING_METHOD, TRENDING_VERSION, type TrendingAnswer } from './trending-figures.ts';

export const trendingRoute = defineRoute<OutcomeServices, { query: typeof TrendingRequest }>({
  id: 'trending',
  method: 'GET',
  path: '/api/trending',
  summary: 'Supplements on which more is published than before',
  description:
    'The usual question is answered from a count made every night (`generated_at`); others, and the first, are counted at once. The answer carries its method.',
  tag: 'Outcomes',
  access: 'limited',
  request: { query: TrendingRequest },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'Trends and their method', schema: TrendingReply },
  ],
  raises: ['validation_failed'],
  handle: async ({ db, use }, { query }) => {
    const usual = query.months === DEFAULT_QUERY.months && query.min_score === DEFAULT_QUERY.min_score;
    const terms = await use(vocabularyPlugin).terms();
    const now = new Date();
    const { answer, generatedAt } = await db.read(
      async (em): Promise<{ answer: TrendingAnswer; generatedAt: Date }> =>
        (usual ? await readSnapshot(em) : null) ?? {
          answer: await computeTrending(em, query, terms, now),
          generatedAt: now,
        },
    );
    return {
      body: {
        ...answer,
        trending: answer.trending.slice(0, query.limit),
        months: query.months,
        method: TRENDING_METHOD,
        method_version: TRENDING_VERSION,
        generated_at: generatedAt.toISOString(),
      },
    };
  },
});
