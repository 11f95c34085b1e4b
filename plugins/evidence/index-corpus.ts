/**
 * Ties the index under DATA_DIR to the database that it was made from. It follows the corpus by revision, which says
 * nothing about another database or an older copy of the same one: such a base gets a new index.
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fact } from '#core/db/entities.ts';
import type { Database, Host } from '#core/plugin.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { INDEX_FIELDS } from './index-feed.ts';

/** The name that a database keeps for good, and its newest revision. */
const corpusOf = (db: Database): Promise<{ id: string; revision: number }> =>
  db.write(async (em) => {
    await em.execute('insert into fact (name, value) values (?, ?) on conflict (name) do nothing', [
      'corpus_id',
      randomUUID(),
    ]);
    const [row] = (await em.execute('select coalesce(max(revision), 0)::float8 as last from evidence_source')) as {
      last: number;
    }[];
    return { id: (await em.findOneOrFail(Fact, { name: 'corpus_id' })).value, revision: Number(row?.last) };
  });

/** Opens the index of this database, empty when the one on disk is of another. */
export const openCorpusIndex = async (host: Host): Promise<SearchIndex> => {
  const index = await host.search.open('evidence', { fields: INDEX_FIELDS });
  const mark = join(await host.dataDir(), 'indexed-corpus');
  const indexed = await readFile(mark, 'utf8').catch(() => '');
  const corpus = await corpusOf(host.db);
  const { revision } = index.state();
  if (revision && (indexed !== corpus.id || revision > corpus.revision)) {
    host.log.warn('index_of_another_database', { revision, corpus_revision: corpus.revision });
    await index.clear();
  }
  if (indexed !== corpus.id) await writeFile(mark, corpus.id);
  return index;
};
