/** Imports the names of a file into the database, batch by batch; only new and changed names are written. */
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChanges } from '#core/db/change-log.ts';
import { withLease } from '#core/db/lease.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import type { Context, Database, Importer } from '#core/plugin.ts';
import { type DrugName, saveNames, touchDrugs } from '../drugs/drug-names.ts';
import type { DrugServices } from '../drugs/drug-services.ts';
import { type NameFile, NameSink } from './name-sink.ts';

const BATCH = 5_000;

interface Counts {
  added: number;
  changed: number;
  unchanged: number;
}

const sameName = (a: DrugName, b: DrugName): boolean =>
  a.name === b.name &&
  a.kind === b.kind &&
  a.rxcui === b.rxcui &&
  a.onMarket === b.onMarket &&
  a.ingredients.join('\n') === b.ingredients.join('\n');

/** Writes a batch in one transaction: all of it or nothing. */
const writeBatch = async (em: EntityManager, origin: string, names: readonly DrugName[]): Promise<Counts> => {
  const rows = (await em.execute(
    `select name_key as "nameKey", name, kind, ingredients, rxcui, on_market as "onMarket" from drug_name
     where origin = ? and name_key in (select jsonb_array_elements_text(?::jsonb))`,
    [origin, JSON.stringify(names.map(({ nameKey }) => nameKey))],
  )) as unknown as DrugName[];
  const known = new Map(rows.map((row) => [row.nameKey, row]));
  const fresh = names.filter((name) => !known.has(name.nameKey));
  const changed = names.filter((name) => {
    const before = known.get(name.nameKey);
    return before && !sameName(before, name);
  });
  await saveNames(em, origin, [...fresh, ...changed]);
  if (fresh.length + changed.length) await touchDrugs(em);
  return { added: fresh.length, changed: changed.length, unchanged: names.length - fresh.length - changed.length };
};

interface Run {
  readonly db: Database;
  readonly file: NameFile;
  readonly path: string;
  readonly signal: AbortSignal;
}

const mark = async (
  em: EntityManager,
  { file, path }: Run,
  status: 'running' | 'done',
  counts: object,
): Promise<void> => {
  const { size, mtimeMs } = await stat(path);
  await em.execute(
    `insert into drug_import (file_identity, kind, path, status, counts, started_at, finished_at)
     values (?, ?, ?, ?, ?::jsonb, now(), case when ? = 'done' then now() end)
     on conflict (file_identity) do update
     set status = excluded.status, counts = excluded.counts, finished_at = excluded.finished_at`,
    [`${file.id} ${resolve(path)} ${size} ${mtimeMs}`, file.id, path, status, JSON.stringify(counts), status],
  );
};

/**
 * Writes the names. A run that was interrupted leaves whole batches; the next run of the file finds them unchanged and adds the
 * rest.
 */
const writeNames = async (run: Run, sink: NameSink): Promise<Counts> => {
  const total: Counts = { added: 0, changed: 0, unchanged: 0 };
  const names = [...sink.names.values()];
  for (let at = 0; at < names.length || at === 0; at += BATCH) {
    run.signal.throwIfAborted();
    const last = at + BATCH >= names.length;
    await run.db.write(async (em) => {
      const counts = await writeBatch(em, run.file.id, names.slice(at, at + BATCH));
      for (const name of ['added', 'changed', 'unchanged'] as const) total[name] += counts[name];
      await mark(em, run, last ? 'done' : 'running', { rows: sink.rows, skipped: sink.skipped, ...total });
      if (last && total.added + total.changed)
        await recordChanges(em, [
          { kind: 'content.changed', subjectType: 'drugs', subjectId: run.file.id, data: { ...total } },
        ]);
    });
  }
  return total;
};

const importOne = async (run: Run, out: (line: string) => void): Promise<boolean> => {
  const startedAt = performance.now();
  const sink = new NameSink();
  try {
    await run.file.read(run.path, sink, run.signal);
  } catch (error) {
    run.signal.throwIfAborted();
    // Names read before the damage are imported, and the damage is reported.
    sink.problem(basename(run.path), reasonOf(error));
  }
  const done = await withLease(run.db, 'drugs', { waitSeconds: 60 }, () => writeNames(run, sink));
  if (!done) {
    out(`${run.path}: another import of medicines has been running for over a minute; try again when it is done.`);
    return false;
  }
  const { added, changed, unchanged } = done.result;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  out(
    `${run.path}: ${sink.rows} rows read, ${sink.names.size} names: ${added} added, ${changed} changed, ${unchanged} unchanged; ${sink.skipped} skipped in ${seconds} s`,
  );
  for (const note of sink.notes) out(`  ${note}`);
  for (const { at, message } of sink.problems) out(`  skipped ${at}: ${message}`);
  if (sink.skipped > sink.problems.length) out(`  … and ${sink.skipped - sink.problems.length} more`);
  return sink.skipped === 0;
};

/** Builds the importer of a file format for `npm run import`. */
export const nameImporter = <S extends DrugServices>(file: NameFile): Importer<S> => ({
  id: file.id,
  summary: file.summary,
  run: async ({ db, signal }: Context<S>, paths, out) => {
    let clean = true;
    for (const path of paths) clean = (await importOne({ db, file, path, signal }, out)) && clean;
    return clean;
  },
});
