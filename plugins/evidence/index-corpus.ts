/**
 * Binds the index under DATA_DIR to the database from which it was built. The index follows the corpus by revision, which is
 * meaningless for another database or an older copy of the same one; such a database gets a new index.
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fact } from '#core/db/entities.ts';
import type { Database, Host } from '#core/plugin.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { FEED_VERSION, INDEX_FIELDS } from './index-feed.ts';

/** Returns the permanent id of a database and its newest revision. */
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

/**
 * Opens the index of this database; clears it when the one on disk belongs to another database, is newer than this one or was
 * built with another feed version.
 */
export const openCorpusIndex = async (host: Host): Promise<SearchIndex> => {
  const { id } = await corpusOf(host.db);
  const index = await host.search.open('evidence', { fields: INDEX_FIELDS, corpus: { id, feed: FEED_VERSION } });
  const mark = join(await host.dataDir(), 'indexed-corpus');
  const indexed = await readFile(mark, 'utf8').catch(() => '');
  const corpus = await corpusOf(host.db);
  const wanted = `${corpus.id} ${FEED_VERSION}`;
  const { revision } = index.state();
  // The marker file belongs to this node only; an index that all nodes share is distinguished by its name.
  const foreign = !host.search.perCorpus && indexed !== wanted;
  if (revision && (foreign || revision > corpus.revision)) {
    const ours = indexed.startsWith(corpus.id) && revision <= corpus.revision;
    const reason = ours ? 'index_fed_otherwise' : 'index_of_another_database';
    host.log.warn(reason, { revision, corpus_revision: corpus.revision });
    await index.clear();
  }
  if (indexed !== wanted) await writeFile(mark, wanted);
  return index;
};
