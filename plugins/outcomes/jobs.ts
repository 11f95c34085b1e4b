import type { Job } from '#core/plugin.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import type { OutcomeServices } from './services.ts';
import { computeTrending, DEFAULT_QUERY, saveSnapshot } from './trending.ts';

export const trendingJob: Job<OutcomeServices> = {
  id: 'refresh_trending',
  summary: 'counts publications by supplement for /api/trending',
  // The job runs after the nightly update from PubMed.
  schedule: '41 4 * * *',
  timeoutSeconds: 600,
  run: async ({ db, use }) => {
    const terms = await use(vocabularyPlugin).terms();
    const now = new Date();
    const answer = await db.read((em) => computeTrending(em, DEFAULT_QUERY, terms, now));
    await db.write((em) => saveSnapshot(em, answer, now));
    return { supplements: answer.trending.length };
  },
};
