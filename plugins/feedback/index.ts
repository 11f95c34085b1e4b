import { definePlugin } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { feedbackCommand } from './commands.ts';
import { feedbackHolding } from './holding.ts';
import { forgetWriters } from './jobs.ts';
import { feedbackPage } from './page.ts';
import { feedbackRoutes } from './routes.ts';

/** Registers feedback from readers and integrators on pages, sources and answers. */
export const feedbackPlugin = definePlugin({
  name: 'feedback',
  summary: 'What readers write back, on pages and on answers',
  dependencies: [devicesPlugin],
  settings: [
    {
      name: 'FEEDBACK_KEEP_DAYS',
      kind: 'integer',
      fallback: '400',
      meaning:
        'Days that a closed message and the text of a rating are kept; messages that are not closed are kept twice as long.',
      from: 1,
      to: 36_500,
    },
  ],
  routes: feedbackRoutes,
  pages: [feedbackPage],
  jobs: [forgetWriters],
  commands: [feedbackCommand],
  start: ({ use }) => {
    use(devicesPlugin).hold(feedbackHolding);
    return {};
  },
});
