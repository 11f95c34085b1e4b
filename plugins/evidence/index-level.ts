/** Checks for `npm run doctor` whether the search index on disk is up to date with the database. */
import { join } from 'node:path';
import { type Diagnosis, type Finding, ok, warn } from '#core/doctor/finding.ts';
import { writtenRevision } from '#core/search/index-folder.ts';

export const indexLevel = async ({ query, dataDir, text }: Diagnosis): Promise<Finding> => {
  const rows = await query(
    'select coalesce(max(revision), 0)::float8 as last, count(*)::int as sources from evidence_source',
  );
  if (!rows) return ok('search-index', 'It is made with the first sources.');
  const [last, sources] = [Number(rows[0]?.last), Number(rows[0]?.sources)];
  if (text('QDRANT_URL'))
    return ok('search-index', `It lies on the Qdrant server; the database has ${sources} sources.`);
  const written = await writtenRevision(join(dataDir, 'index', 'evidence'));
  if (written === null)
    return warn('search-index', 'There is none on disk: the next start makes it.', 'npm run index makes it now.');
  return written < last
    ? warn(
        'search-index',
        `It is ${last - written} changes behind ${sources} sources.`,
        'A running server catches up within seconds; else npm run index.',
      )
    : ok('search-index', `It is level with ${sources} sources.`);
};
