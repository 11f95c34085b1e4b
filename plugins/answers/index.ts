import { definePlugin } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { pruneJob } from './jobs.ts';
import { answerPage } from './pages/answer-page.ts';
import { chatMockupPage } from './pages/chat-mockup.ts';
import { chatPage } from './pages/chat-page.ts';
import { askRoute, askStreamRoute } from './routes/ask.ts';
import { chatRoute, chatStreamRoute, deleteFormRoute, rerunFormRoute } from './routes/chat.ts';
import { deleteRoute, readRoute, rerunRoute } from './routes/permalink.ts';
import { type AnswerServices, startAnswers } from './services.ts';

/** Registers the plugin that answers questions with citations: once, as a stream, on a page, and by permalink. */
export const answersPlugin = definePlugin<AnswerServices>({
  name: 'answers',
  summary: 'Questions answered with citations, chat and permalinks',
  dependencies: [
    devicesPlugin,
    vocabularyPlugin,
    evidencePlugin,
    findingsPlugin,
    interactionsPlugin,
    keysPlugin,
    outcomesPlugin,
  ],
  settings: [
    {
      name: 'ANSWERS_KEEP_DAYS',
      kind: 'integer',
      fallback: '400',
      meaning: 'Days that answers are kept under their permalink; with 0 they are not kept and have no permalink.',
      from: 0,
      to: 36_500,
    },
  ],
  routes: [
    askRoute,
    askStreamRoute,
    readRoute,
    rerunRoute,
    deleteRoute,
    chatRoute,
    chatStreamRoute,
    rerunFormRoute,
    deleteFormRoute,
  ],
  pages: [chatPage, chatMockupPage, answerPage],
  jobs: [pruneJob],
  start: startAnswers,
  gauges: async ({ waiting }) => [
    { name: 'queue_length', help: 'What waits to be worked on, or is being worked on.', value: waiting() },
  ],
  endStreams: (services) => services.stop(),
  stop: (services) => services.stop(),
});

export { Answer, Citation, Refusal } from './schemas.ts';
export type { AnswerServices } from './services.ts';
