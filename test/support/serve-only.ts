/** Starts a server like `npm start` but without building pages first, for tests with two processes. */
import { boot } from '../../core/boot.ts';
import { serve } from '../../core/serve.ts';
import { plugins } from '../../plugins/index.ts';

const runtime = await boot({ plugins, role: 'serve', dotEnvPath: null });
const serving = await serve(runtime);
process.stdout.write(`listening at ${serving.url}\n`);
process.once('SIGTERM', async () => {
  await serving.close();
  await runtime.stop();
  process.exit(0);
});
