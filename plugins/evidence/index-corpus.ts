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
import { FEED_VERSION, INDEX_FIELDS } from './index-feed.ts';

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

/** Opens the index of this database, empty when the one on disk is of another, or was fed otherwise. */
export const openCorpusIndex = async (host: Host): Promise<SearchIndex> => {
  const { id } = await corpusOf(host.db);
  const index = await host.search.open('evidence', { fields: INDEX_FIELDS, corpus: { id, feed: FEED_VERSION } });
  const mark = join(await host.dataDir(), 'indexed-corpus');
  const indexed = await readFile(mark, 'utf8').catch(() => '');
  const corpus = await corpusOf(host.db);
  const wanted = `${corpus.id} ${FEED_VERSION}`;
  const { revision } = index.state();
  // The mark is of this node alone; an index that all nodes share is kept apart by its name.
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
