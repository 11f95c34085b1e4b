/** A child process that builds one version of the made-up site: `node generate-made-site.ts <version> <template> <content folder>`. */
import { generateCommand } from '#generate/index.ts';
import { bootMadeSite } from '../generate/support.ts';
import { pagesOf } from './made-versions.ts';

const [version = '', template = '', contentDir = ''] = process.argv.slice(2);
const material = { pages: pagesOf(Number(version)), onLoad: () => undefined };
const environment = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));
const runtime = await bootMadeSite({ material, template, environment, contentDir });
await generateCommand(runtime, [], (line) => process.stdout.write(`${line}\n`));
await runtime.stop();
