/**
 * Runs one search: the retrievers, concurrently with the count and the facets; then reads the terms of the hits on the
 * page. Qdrant's own RRF is not used, because it returns neither the ranks nor the scores of the retrievers and orders ties
 * randomly: the same code as in the in-process index fuses them, so that reasons and order are the same.
 */
import { analyseQuery, type QueryWord } from '../analyser.ts';
import type { WeightedTerm } from '../bm25.ts';
import type { Condition, SearchAnswer, SearchHit, SearchQuery } from '../port.ts';
import { type Fused, rankDocuments, reasonsOf } from '../ranking.ts';
import { LONGEST_QUERY, MOST_TERMS, SETTINGS, SIMILAR_FLOOR } from '../settings.ts';
import type { Candidates } from './candidates.ts';
import { type QdrantConnection, reasonOf, statusOf } from './connection.ts';
import { pointId, SEMANTIC } from './document-point.ts';
import type { DocumentsRead } from './documents-read.ts';
import { decode, type Filter, filterFor, isField, valuesKey } from './filter.ts';
import type { PointNames } from './point-names.ts';
import { askLegs, lookedAt } from './retrievers.ts';
import type { Semantic } from './semantic.ts';
import { LEG_LIMIT } from './settings.ts';
import type { Statistics } from './statistics.ts';

/** A collection with the data that this node has loaded for it: vectors of `semantic` fit the points of this collection only. */
export interface CollectionView {
  readonly connection: QdrantConnection;
  readonly collection: string;
  readonly statistics: Statistics;
  readonly semantic: Semantic | null;
  /** Payload keys with an index; only these can be counted. */
  readonly indexed: ReadonlySet<string>;
  readonly names: PointNames;
}

const MOST_VALUES = 10_000;

/** Runs a query. Any text is valid; one without index terms has no hits. */
export async function answer(view: CollectionView, query: SearchQuery): Promise<SearchAnswer> {
  const text = query.text.slice(0, LONGEST_QUERY).toWellFormed();
  const analysed = analyseQuery(text);
  const filter = filterFor(query.where ?? []);
  if (analysed.plain.length === 0 || !filter) return nothing(query);
  const offset = Math.max(0, query.offset ?? 0);
  const wanted = offset + Math.max(0, query.limit);
  const depth = LEG_LIMIT * Math.max(1, Math.ceil(wanted / LEG_LIMIT));
  const any = analysed.terms.slice(0, MOST_TERMS);
  const matching: Filter = { ...filter, must: [...filter.must, { key: 'terms', match: { any } }] };
  const [{ candidates, scoring, weighted, read }, matches, counted] = await Promise.all([
    askLegs(view, { text, permission: query.permission ?? null, analysed, filter, limit: depth, offset, wanted }),
    any.length === 0 ? 0 : count(view, matching),
    any.length === 0 ? {} : facetsOf(view, matching, query.facets ?? []),
  ]);
  const fused = rankDocuments(scoring, {
    settings: SETTINGS,
    depth,
    legDepth: Math.max(SETTINGS.legDepth, query.limit),
    comesFirst: candidates.comesFirst,
  });
  const { hits, coverage } = await describe(fused, {
    candidates,
    words: analysed.words,
    weighted,
    read,
    offset,
    wanted,
  });
  const facets = matches > 0 ? counted : await facetsOfPoints(view, fused, { candidates, query });
  return { hits, total: Math.max(matches, fused.length), coverage, facets };
}

/** Returns the documents nearest to one document by semantic vectors; Qdrant excludes the document itself. */
export async function similarTo(
  view: CollectionView,
  id: string,
  { limit, where = [] }: { limit: number; where?: readonly Condition[] },
): Promise<SearchHit[]> {
  const filter = filterFor(where);
  if (!filter || limit <= 0 || !view.semantic) return [];
  const request = { query: pointId(id), using: SEMANTIC, filter, limit, score_threshold: SIMILAR_FLOOR };
  try {
    const { points } = await view.connection.ask((client) =>
      client.query(view.collection, { ...request, with_payload: ['id'] }),
    );
    const found = points.map(({ payload, score }) => ({ id: String(payload?.id), score }));
    // Qdrant does not define the order of equal scores.
    found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return found.map(({ id: other, score }, i) => ({
      id: other,
      score,
      reasons: ['semantic'],
      legs: [{ leg: 'semantic', rank: i + 1, score }],
      matched: [],
    }));
  } catch (error) {
    // The document is unknown, or has no vector.
    if (statusOf(error) === 404 && !/collection/i.test(reasonOf(error))) return [];
    throw error;
  }
}

/** Builds the hits of the page, and the coverage: the highest share of the query's weight in one of the first ten hits. */
async function describe(
  fused: readonly Fused[],
  parts: {
    candidates: Candidates;
    words: readonly QueryWord[];
    weighted: readonly WeightedTerm[];
    read: DocumentsRead;
    offset: number;
    wanted: number;
  },
): Promise<Pick<SearchAnswer, 'hits' | 'coverage'>> {
  const { candidates, words, weighted, read, offset, wanted } = parts;
  const page = fused.slice(offset, wanted);
  const first = fused.slice(0, 10);
  await read.readTerms(lookedAt(fused, parts).map(({ ref }) => ref));
  const holds = (ref: number, term: string): boolean => read.holds(ref, term);
  const sum = (terms: readonly WeightedTerm[]) => terms.reduce((total, { weight }) => total + weight, 0);
  const whole = sum(weighted) || 1;
  const shares = first.map(({ ref }) => sum(weighted.filter(({ term }) => holds(ref, term))) / whole);
  const matchedBy = (ref: number) =>
    words.filter(
      (word) => holds(ref, word.whole) || (word.parts.length > 0 && word.parts.every((part) => holds(ref, part))),
    );
  const hits = page.map(({ ref, score, legs }) => ({
    id: candidates.ids[ref]!,
    score,
    reasons: reasonsOf(legs),
    legs,
    matched: matchedBy(ref).map((word) => word.written),
  }));
  return { hits, coverage: Math.max(0, ...shares) };
}

async function count({ connection, collection }: CollectionView, filter: Filter): Promise<number> {
  return (await connection.ask((client) => client.count(collection, { filter, exact: true }))).count;
}

async function facetsOf(
  view: CollectionView,
  filter: Filter,
  fields: readonly string[],
): Promise<SearchAnswer['facets']> {
  const counted = await Promise.all(
    fields.map(async (field) => [field, await countValues(view, filter, field)] as const),
  );
  return Object.fromEntries(counted);
}

async function countValues(view: CollectionView, filter: Filter, field: string): Promise<Record<string, number>> {
  if (!isField(field) || !view.indexed.has(valuesKey(field))) return {};
  const request = { key: valuesKey(field), filter, limit: MOST_VALUES, exact: true };
  const { hits } = await view.connection.ask((client) => client.facet(view.collection, request));
  const counts = new Map<string, number>();
  for (const { value, count: times } of hits) {
    const key = decode(String(value));
    counts.set(key, (counts.get(key) ?? 0) + times);
  }
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

async function facetsOfPoints(
  view: CollectionView,
  fused: readonly Fused[],
  { candidates, query }: { candidates: Candidates; query: SearchQuery },
): Promise<SearchAnswer['facets']> {
  if (fused.length === 0) return nothing(query).facets;
  const has_id = fused.map(({ ref }) => pointId(candidates.ids[ref]!));
  return await facetsOf(view, { must: [{ has_id }] }, query.facets ?? []);
}

const nothing = (query: SearchQuery): SearchAnswer => ({
  hits: [],
  total: 0,
  coverage: 0,
  facets: Object.fromEntries((query.facets ?? []).map((field) => [field, {}])),
});
