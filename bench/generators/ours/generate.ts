/**
 * Runs `npm run generate` with only the plugin of this benchmark and prints its report as one line of JSON. With `--again`, the
 * same process then builds five more times, each after as many changes to other pages; the report includes those times.
 * Usage: node generate.ts <data folder> [--full] [--no-twins] [--touch=pages to change first] [--again=pages] [--sample=id]
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { openSite } from '#core/site/site-reader.ts';
import { type BuildReport, build } from '#generate/build.ts';
import { plugins } from './plugin.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean' },
    'no-twins': { type: 'boolean' },
    touch: { type: 'string' },
    again: { type: 'string' },
    sample: { type: 'string' },
  },
});
const [dataDir = ''] = positionals;
const environment = { DATA_DIR: dataDir, DATABASE_URL: process.env.DATABASE_URL, BASE_URL: 'http://bench.test' };
const contentDir = join(import.meta.dirname, 'content');
const runtime = await boot({
  plugins,
  role: 'command',
  environment,
  dotEnvPath: null,
  contentDir,
  log: createLog('silent'),
});
const REBUILDS = 5;
const touch = (count: number, round = 0) =>
  runtime.db.write((em) =>
    em.execute(
      `update bench_label set change_number = nextval('bench_change'), facts = jsonb_set(facts, '{contents}', to_jsonb((facts->>'contents') || ' (checked)'))
       where id in (select id from bench_label order by md5(id::text || ?) limit ?)`,
      [String(round), count],
    ),
  );
const options = {
  twins: !values['no-twins'],
  workers: { plugins: join(import.meta.dirname, 'plugin.ts'), environment },
};
if (values.touch) await touch(Number(values.touch));
const report = await build(runtime, { ...options, full: values.full === true });
const again: BuildReport[] = [];
for (let round = 0; values.again && round < REBUILDS; round += 1) {
  await touch(Number(values.again), round);
  again.push(await build(runtime, options));
}
const site = await openSite(join(dataDir, 'site'));
const entry = values.sample ? site.find(`/product/${values.sample}`) : null;
let bytes = 0;
const ids = (await runtime.db.read((em) => em.execute('select id from bench_label'))) as unknown as { id: number }[];
for (const { id } of ids) bytes += site.find(`/product/${id}`)?.bytes.identity ?? 0;
const sample = entry ? (await site.read(entry, 'identity')).toString() : '';
console.log(JSON.stringify({ ...report, again, meanBytes: Math.round(bytes / ids.length), sample }));
await site.close();
await runtime.stop();
process.exit(0);
