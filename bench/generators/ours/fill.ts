/**
 * Fills the table that our run reads.
 * Usage: node fill.ts <data folder> <facts.json>; DATABASE_URL for a server.
 */
import { readFile } from 'node:fs/promises';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import type { LabelFacts } from '../facts.ts';
import { plugins } from './plugin.ts';

const [dataDir = '', file = ''] = process.argv.slice(2);
const facts = JSON.parse(await readFile(file, 'utf8')) as readonly LabelFacts[];
const environment = { DATA_DIR: dataDir, DATABASE_URL: process.env.DATABASE_URL };
const runtime = await boot({ plugins, role: 'command', environment, dotEnvPath: null, log: createLog('silent') });
await runtime.db.write(async (em) => {
  await em.execute('drop table if exists bench_label');
  await em.execute('drop sequence if exists bench_change');
  await em.execute('create sequence bench_change');
  await em.execute(
    `create table bench_label (id int, facts jsonb not null, change_number bigint not null default nextval('bench_change'),
       primary key (id) include (change_number))`,
  );
  await em.execute('create index bench_label_change on bench_label (change_number)');
  for (let from = 0; from < facts.length; from += 1000) {
    const batch = facts.slice(from, from + 1000).map(({ id, ...rest }) => ({ id, facts: rest }));
    await em.execute(
      'insert into bench_label (id, facts) select id, facts from jsonb_to_recordset(?::jsonb) as rows (id int, facts jsonb)',
      [JSON.stringify(batch)],
    );
  }
});
await runtime.stop();
process.exit(0);
