import type { Job } from '#core/plugin.ts';
import type { AnswerServices } from './services.ts';
import { pruneAnswers } from './store.ts';

export const pruneJob: Job<AnswerServices> = {
  id: 'prune_answers',
  summary: 'delete answers past their time, and streams that nobody can resume any more',
  schedule: '*/5 * * * *',
  timeoutSeconds: 120,
  run: ({ db }) => db.write(pruneAnswers),
};
