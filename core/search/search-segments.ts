/** Runs one search over the segments, synchronously: conditions, retrievers, fusion, facets and matched words. */
import { analyseQuery, type QueryWord } from './analyser.ts';
import type { SegmentView, WeightedTerm } from './bm25.ts';
import { applyCondition, countValues } from './filter-column.ts';
import { type LsaModel, searchSemantic } from './lsa.ts';
import { noInline } from './no-inline.ts';
import type { Condition, SearchAnswer, SearchHit, SearchQuery } from './port.ts';
import { type Fused, rankDocuments, reasonsOf } from './ranking.ts';
import { type CorpusScoring, locate, scoreLegs } from './retrievers.ts';
import { countIn, indexOfSorted, type Segment } from './segment.ts';
import { LONGEST_QUERY, type SearchSettings, SIMILAR_FLOOR } from './settings.ts';
import { rowOf } from './vector-table.ts';

/** The data that a search reads. */
export interface Space {
  readonly segments: readonly Segment[];
  readonly model: LsaModel | null;
  /** Dimensions of the operator's sentence model; 0 without one. */
  readonly width: number;
  /** The query's vector by that model; null without a model, and when it failed. */
  readonly embedded: Float32Array | null;
}

/** Runs a query. Any text is valid; one without index terms has no hits. */
export function answer(space: Space, query: SearchQuery, settings: SearchSettings): SearchAnswer {
  const { segments } = space;
  const offset = Math.max(0, query.offset ?? 0);
  const limit = Math.max(0, query.limit);
  const analysed = analyseQuery(query.text.slice(0, LONGEST_QUERY));
  const views = viewsOf(segments, query.where ?? []);
  const comesFirst = (a: number, b: number) => idOf(views, a) < idOf(views, b);
  const depth = settings.depth * Math.max(1, Math.ceil((offset + limit) / settings.depth));
  const scoring = scoreLegs({ ...space, views, settings, depth, comesFirst }, analysed);
  const { refs } = scoring;
  const { matches, matching } = matchesOf(views, scoring);
  const fused = rankDocuments(scoring, {
    settings,
    depth,
    legDepth: Math.max(settings.legDepth, limit),
    comesFirst: (a, b) => comesFirst(refs[a]!, refs[b]!),
  }).map((found) => ({ ...found, ref: refs[found.ref]! }));
  return {
    hits: fused.slice(offset, offset + limit).map((candidate) => toHit(views, candidate, analysed.words)),
    total: Math.max(matching, fused.length),
    coverage: coverageOf(views, fused, scoring.weighted),
    facets: facetsOf(views, matching > 0 ? matches : docsOf(views, fused), query.facets ?? []),
  };
}

/** Returns the documents that contain a word of the query, per view; valid until the next search. */
function matchesOf(
  views: readonly SegmentView[],
  { lexical, room }: CorpusScoring,
): { matches: readonly Uint32Array[]; matching: number } {
  let matching = 0;
  const matches = views.map(({ base, segment }) => {
    const size = segment.ids.length;
    const found = noInline(positive, lexical.subarray(base, base + size), room.subarray(base, base + size), undefined);
    matching += found.length;
    return found;
  });
  return { matches, matching };
}

function positive(scores: Float32Array, into: Uint32Array): Uint32Array {
  let size = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]! > 0) into[size++] = doc;
  return into.subarray(0, size);
}

/** Returns the documents nearest to one document by semantic vectors. */
export function similarTo(
  segments: readonly Segment[],
  id: string,
  { limit, where = [] }: { limit: number; where?: readonly Condition[] },
): SearchHit[] {
  for (const segment of segments) {
    const doc = indexOfSorted(segment.ids, id);
    if (doc < 0 || segment.deleted[doc] || !segment.vectors) continue;
    const views = viewsOf(segments, where);
    const nearest = searchSemantic(views, rowOf(segment.vectors, doc), {
      depth: limit + 1,
      floor: SIMILAR_FLOOR,
      comesFirst: (a, b) => idOf(views, a) < idOf(views, b),
    });
    return nearest
      .map(({ ref, score }) => ({ id: idOf(views, ref), score }))
      .filter((hit) => hit.id !== id)
      .slice(0, limit)
      .map(({ id: other, score }, i) => ({
        id: other,
        score,
        reasons: ['semantic'],
        legs: [{ leg: 'semantic', rank: i + 1, score }],
        matched: [],
      }));
  }
  return [];
}

/** An array of ones, shared by views without excluded documents. */
let ones = new Uint8Array(0);

function viewsOf(segments: readonly Segment[], where: readonly Condition[]): SegmentView[] {
  let base = 0;
  return segments.map((segment) => {
    const open = where.length === 0 && segment.live === segment.ids.length;
    const view = { segment, base, allowed: open ? allOf(segment.ids.length) : allowedIn(segment, where), open };
    base += segment.ids.length;
    return view;
  });
}

function allOf(size: number): Uint8Array {
  if (ones.length < size) ones = new Uint8Array(2 * size).fill(1);
  return ones.subarray(0, size);
}

function allowedIn({ ids, deleted, columns }: Segment, where: readonly Condition[]): Uint8Array {
  const allowed = new Uint8Array(ids.length);
  for (let doc = 0; doc < allowed.length; doc++) allowed[doc] = 1 - deleted[doc]!;
  for (const condition of where) {
    applyCondition(
      condition,
      columns.find((column) => column.field === condition.field),
      allowed,
    );
  }
  return allowed;
}

/** Returns the highest share of the query's weight that one of the first ten hits contains. */
function coverageOf(views: readonly SegmentView[], fused: readonly Fused[], weighted: readonly WeightedTerm[]): number {
  const sum = (terms: readonly WeightedTerm[]) => terms.reduce((total, { weight }) => total + weight, 0);
  const whole = sum(weighted);
  if (whole === 0) return 0;
  const shares = fused.slice(0, 10).map(({ ref }) => {
    const { view, doc } = locate(views, ref);
    return sum(weighted.filter(({ term }) => countIn(view.segment, term, doc) > 0)) / whole;
  });
  return Math.max(0, ...shares);
}

function idOf(views: readonly SegmentView[], ref: number): string {
  const { view, doc } = locate(views, ref);
  return view.segment.ids[doc]!;
}

function toHit(views: readonly SegmentView[], { ref, score, legs }: Fused, words: readonly QueryWord[]): SearchHit {
  const { view, doc } = locate(views, ref);
  const holds = (term: string) => countIn(view.segment, term, doc) > 0;
  const matched = words.filter(({ whole, parts }) => holds(whole) || (parts.length > 0 && parts.every(holds)));
  return {
    id: view.segment.ids[doc]!,
    score,
    reasons: reasonsOf(legs),
    legs,
    matched: matched.map((word) => word.written),
  };
}

function docsOf(views: readonly SegmentView[], ranked: readonly Fused[]): Uint32Array[] {
  return views.map(({ base, segment }) =>
    Uint32Array.from(
      ranked.filter(({ ref }) => ref >= base && ref < base + segment.ids.length),
      ({ ref }) => ref - base,
    ),
  );
}

function facetsOf(
  views: readonly SegmentView[],
  matches: readonly Uint32Array[],
  fields: readonly string[],
): Record<string, Record<string, number>> {
  const facets: Record<string, Record<string, number>> = {};
  for (const field of fields) {
    const counts = new Map<string, number>();
    views.forEach(({ segment }, i) => {
      const column = segment.columns.find((candidate) => candidate.field === field);
      if (column) countValues(column, matches[i]!, counts);
    });
    facets[field] = Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
  }
  return facets;
}
