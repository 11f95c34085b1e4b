/** Starts a server that streams each answer in thirty pieces within a second, so that a test can kill it midway. */
import { setTimeout as sleep } from 'node:timers/promises';
import { boot } from '../../core/boot.ts';
import { serve } from '../../core/serve.ts';
import { plugins } from '../../plugins/index.ts';
import { answerBody, answersOf, eventsOf } from '../plugins/answers/support.ts';

const PIECES = 30;
const PAUSE_MS = 25;

const runtime = await boot({ plugins, role: 'serve', dotEnvPath: null });
answersOf({ runtime }).engine = {
  async *ask({ question }) {
    const text = Array.from({ length: PIECES }, (_, at) => `Piece ${at} [1]. `).join('');
    for (const event of eventsOf(answerBody(question, { answer: text, claims: [] }))) {
      await sleep(PAUSE_MS / 3);
      yield event;
    }
  },
};
const serving = await serve(runtime);
process.stdout.write(`listening at ${serving.url}\n`);
