/**
 * A child process that builds one version of the test site:
 * `node generate-made-site.ts <version> <template> <content folder> [step]`. With a step, it kills itself with
 * SIGKILL just before file operation number [step] (rename, rm, mkdir or open) in the folder of the site.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [version = '', template = '', contentDir = '', step] = process.argv.slice(2);
const steps = { done: 0, last: Number(step ?? 0) };

type Call = (path: string, ...rest: unknown[]) => unknown;
const counted = (call: Call): Call => {
  return (path, ...rest) => {
    if (String(path).includes('/site/')) {
      steps.done += 1;
      if (steps.done === steps.last) process.kill(process.pid, 'SIGKILL');
    }
    return call(path, ...rest);
  };
};
for (const name of ['rename', 'rm', 'mkdir', 'open'] as const)
  fs.promises[name] = counted(fs.promises[name] as Call) as never;
syncBuiltinESMExports();

const { generateCommand } = await import('#generate/index.ts');
const { bootMadeSite } = await import('../generate/support.ts');
const { pagesOf } = await import('./made-versions.ts');
const material = { pages: pagesOf(Number(version)), onLoad: () => undefined };
const environment = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));
const runtime = await bootMadeSite({ material, template, environment, contentDir });
await generateCommand([], {
  out: (line) => process.stdout.write(`${line}\n`),
  siteDir: () => '',
  log: runtime.log,
  withRuntime: (work) => work(runtime),
});
await runtime.stop();
process.stdout.write(`steps: ${steps.done}\n`);
