/** `npm run generate`: the command; what a build is stands in build.ts. */
import { parseArgs } from 'node:util';
import { withLease } from '#core/db/lease.ts';
import { OperatorError } from '#core/errors.ts';
import type { Runtime } from '#core/runtime.ts';
import { type BuildOptions, type BuildReport, build } from './build.ts';

export { type BuildOptions, type BuildReport, build } from './build.ts';

export const generateCommand = async (
  runtime: Runtime,
  args: readonly string[],
  out: (line: string) => unknown,
): Promise<number> => {
  const { values } = parseArgs({
    args: [...args],
    options: { full: { type: 'boolean' }, automatic: { type: 'boolean' }, 'no-twins': { type: 'boolean' } },
  });
  const options: BuildOptions = {
    full: values.full === true,
    isAutomatic: values.automatic === true,
    twins: !values['no-twins'],
  };
  const done = await withLease(runtime.db, 'generate', { waitSeconds: 300 }, () => build(runtime, options));
  if (!done) throw new OperatorError('Another process has been generating pages for over five minutes.');
  out(wordsOf(done.result));
  return 0;
};

const wordsOf = (report: BuildReport): string => {
  const { planned, rendered, same, unchanged, removed, skipped, published, held, seconds } = report;
  if (held) return `held at ${held}: somebody rolled back to it; \`npm run generate\` by hand publishes again`;
  const rate = Math.round(seconds ? planned / seconds : planned);
  return `${planned} pages: ${rendered} rendered (${same} of them as before), ${unchanged} unchanged, ${removed} removed, ${skipped} skipped in ${seconds.toFixed(1)} s (${rate} pages/s); ${published ? 'published' : 'nothing to publish'}`;
};
