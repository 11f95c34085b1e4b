/** Keeps the search index up to date with the corpus by reading the sources with a higher revision than the index, in order. */
import { findRows } from '#core/db/find-rows.ts';
import type { Database } from '#core/plugin.ts';
import type { SearchDocument, SearchIndex } from '#core/search/port.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { Source } from './entities.ts';
import { NO_VALUE } from './query/facets.ts';
import { directionIsJudged, type SourceRow } from './source-view.ts';

const BATCH = 1_000;
/** Version of the conversion to documents. Raise it when the conversion changes: older indexes are then rebuilt. */
export const FEED_VERSION = 'feed-3';
export const INDEX_FIELDS = { title: 3, terms: 1.5, abstract: 1 } as const;

const FEED_FIELDS = [
  'sourceId',
  'title',
  'abstract',
  'indexWords',
  'summary',
  'meshTerms',
  'keywords',
  'journal',
  'year',
  'sourceClass',
  'evidenceLevel',
  'qualityScore',
  'qualityTier',
  'species',
  'effectDirection',
  'read',
  'basis',
  'retractionStatus',
  'sampleSizeN',
  'supplements',
  'topics',
  'verticals',
  'revision',
  'removedAt',
] as const;

/**
 * Returns NO_VALUE for an empty list: a condition on a field fails without a value, so "not this vertical" would exclude sources
 * without any vertical.
 */
const orNone = (values: readonly string[]): readonly string[] => (values.length ? values : [NO_VALUE]);

/** Converts a source to a document of the index; supplements and topics are searchable by their names as well. */
export const toDocument = (row: SourceRow, { supplements, topics }: Terms): SearchDocument => {
  const names = [
    ...row.supplements.map((slug) => supplements.get(slug)),
    ...row.topics.map((slug) => topics.get(slug)),
  ];
  return {
    id: row.sourceId,
    text: {
      title: row.title,
      abstract: [row.summary, row.abstract || row.indexWords].filter(Boolean).join(' '),
      terms: [...row.meshTerms, ...row.keywords, ...names.map((entry) => entry?.name ?? '')].join('; '),
    },
    filters: {
      tier: row.qualityTier,
      source_class: row.sourceClass,
      evidence_level: row.evidenceLevel,
      vertical: orNone(row.verticals),
      supplement: orNone(row.supplements),
      topic: orNone(row.topics),
      // A direction that only a program read in an abstract is not a verdict.
      direction: directionIsJudged(row) ? row.effectDirection : 'unclear',
      year: row.year ?? 0,
      score: row.qualityScore,
      species: row.species,
      retraction: row.retractionStatus,
      sample_size: row.sampleSizeN ?? 0,
    },
  };
};

export interface CatchUp {
  readonly applied: number;
  readonly revision: number;
}

/**
 * Applies all new revisions, and persists the index if there were any. `onProgress` receives the number of documents applied so
 * far. `readTerms` is called after each batch is read and must return the stored terms, so that the batch includes names that
 * another process changed.
 */
export const catchUp = async (
  db: Database,
  index: SearchIndex,
  readTerms: () => Promise<Terms>,
  options: { signal?: AbortSignal; onProgress?: (done: number) => void } = {},
): Promise<CatchUp> => {
  let applied = 0;
  for (;;) {
    if (options.signal?.aborted) {
      // Persist the applied batches: the next run continues from there.
      if (applied) await index.persist();
      options.signal.throwIfAborted();
    }
    const wanted = { revision: { $gt: index.state().revision } };
    const rows = await db.read((em) =>
      findRows<SourceRow>(em, Source, wanted, { fields: FEED_FIELDS, orderBy: { revision: 'asc' }, limit: BATCH }),
    );
    const last = rows.at(-1);
    if (!last) break;
    const terms = await readTerms();
    await index.apply({
      upsert: rows.filter((row) => !row.removedAt).map((row) => toDocument(row, terms)),
      remove: rows.filter((row) => row.removedAt).map((row) => row.sourceId),
      revision: Number(last.revision),
    });
    applied += rows.length;
    options.onProgress?.(applied);
  }
  if (applied) await index.persist();
  return { applied, revision: index.state().revision };
};
