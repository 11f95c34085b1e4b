/** Starts a server like `npm start`, with a slow route and answers that stream until aborted, to test shutdown. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serveUntilSignal } from '../../core/cli.ts';
import { definePlugin, defineRoute } from '../../core/plugin.ts';
import { plugins } from '../../plugins/index.ts';
import { answerBody, answersOf, eventsOf } from '../plugins/answers/support.ts';

const SLOW_MS = 1_500;

const slow = definePlugin({
  name: 'test-slow',
  summary: 'For a test',
  dependencies: [],
  routes: [
    defineRoute({
      id: 'test.slow',
      method: 'GET',
      path: '/api/test/slow',
      summary: 'For a test',
      tag: 'Test',
      access: 'public',
      request: {},
      replies: [],
      raises: [],
      handle: async () => {
        process.stdout.write('slow begun\n');
        await sleep(SLOW_MS);
        return { body: { done: true } };
      },
    }),
  ],
  start: () => undefined,
});

process.exit(
  await serveUntilSignal([...plugins, slow], (runtime) => {
    answersOf({ runtime }).engine = {
      async *ask({ question }, signal) {
        for (const event of eventsOf(answerBody(question, { answer: 'One [1].', claims: [] }))) {
          yield event;
          await sleep(3_600_000, undefined, { signal });
        }
      },
    };
  }),
);
