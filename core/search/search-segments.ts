/** One search over the segments: conditions, both legs, fusion, facets and what matched. Runs without a pause. */
import { analyseQuery, type QueryWord } from './analyser.ts';
import {
  type Bm25Settings,
  corpusStatistics,
  documentFrequencies,
  inverseFrequency,
  type Ranked,
  type SegmentView,
  searchLexical,
  type WeightedTerm,
} from './bm25.ts';
import { applyCondition, countValues } from './filter-column.ts';
import { type Fused, fuse, reasonsOf } from './fusion.ts';
import { type LsaModel, projectQuery, searchSemantic } from './lsa.ts';
import type { Condition, SearchAnswer, SearchHit, SearchQuery } from './port.ts';
import { countIn, type Segment } from './segment.ts';

export interface SearchSettings extends Bm25Settings {
  readonly lexicalWeight: number;
  readonly semanticWeight: number;
  /** Queries of more words than this say what they mean: the semantic leg then weighs less, in proportion. */
  readonly shortQuery: number;
  /** How many candidates the lexical leg gives to the fusion; deeper pages ask for more. */
  readonly depth: number;
  /** How many the semantic leg gives: everything is a little like everything, so deep ranks are noise. */
  readonly semanticDepth: number;
  /** Least cosine for a semantic candidate. */
  readonly semanticFloor: number;
  /** Least cosine when no document matches lexically: below it the query is off topic. */
  readonly offTopicFloor: number;
}

const LONGEST_QUERY = 2_000;
const MOST_TERMS = 64;

/** Answers a query; any text is allowed, one without index terms has no hits. */
export function answer(
  segments: readonly Segment[],
  model: LsaModel | null,
  query: SearchQuery,
  settings: SearchSettings,
): SearchAnswer {
  const offset = Math.max(0, query.offset ?? 0);
  const limit = Math.max(0, query.limit);
  const { terms, words } = analyseQuery(query.text.slice(0, LONGEST_QUERY));
  const views = viewsOf(segments, query.where ?? []);
  const comesFirst = (a: number, b: number) => idOf(views, a) < idOf(views, b);
  const depth = settings.depth * Math.max(1, Math.ceil((offset + limit) / settings.depth));
  const asked = terms.slice(0, MOST_TERMS);
  const weighted = weigh(segments, asked);
  const { meanLength } = corpusStatistics(segments);
  const lexical = searchLexical(views, weighted, { k1: settings.k1, b: settings.b, meanLength, depth, comesFirst });
  const matching = lexical.matches.reduce((sum, docs) => sum + docs.length, 0);
  const vector = model && asked.length > 0 ? projectQuery(model, asked) : null;
  const floor = matching > 0 ? settings.semanticFloor : settings.offTopicFloor;
  const semantic = vector ? searchSemantic(views, vector, { depth: settings.semanticDepth, floor, comesFirst }) : [];
  const semanticWeight = settings.semanticWeight * Math.min(1, settings.shortQuery / Math.max(1, words.length));
  const fused = fuse(
    [
      { leg: 'bm25', weight: settings.lexicalWeight, ranked: lexical.top },
      { leg: 'semantic', weight: semanticWeight, ranked: semantic },
    ],
    comesFirst,
  );
  return {
    hits: fused.slice(offset, offset + limit).map((candidate) => toHit(views, candidate, words)),
    total: Math.max(matching, fused.length),
    coverage: coverageOf(views, fused, weighted),
    facets: facetsOf(views, matching > 0 ? lexical.matches : docsOf(views, semantic), query.facets ?? []),
  };
}

function viewsOf(segments: readonly Segment[], where: readonly Condition[]): SegmentView[] {
  let base = 0;
  return segments.map((segment) => {
    const allowed = new Uint8Array(segment.ids.length).fill(1);
    if (segment.live < allowed.length)
      for (let doc = 0; doc < allowed.length; doc++) allowed[doc]! -= segment.deleted[doc]!;
    for (const condition of where) {
      applyCondition(
        condition,
        segment.columns.find((column) => column.field === condition.field),
        allowed,
      );
    }
    const view = { segment, base, allowed };
    base += segment.ids.length;
    return view;
  });
}

/** The terms with their IDF; a term that no document has keeps the highest, for the coverage. */
function weigh(segments: readonly Segment[], terms: readonly string[]): WeightedTerm[] {
  const { documents } = corpusStatistics(segments);
  const frequencies = documentFrequencies(segments, terms);
  return terms.map((term, i) => ({ term, weight: inverseFrequency(frequencies[i]!, documents) }));
}

/** The greatest share of the query's weight that one of the first hits holds. */
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

function locate(views: readonly SegmentView[], ref: number): { view: SegmentView; doc: number } {
  let at = views.length - 1;
  while (views[at]!.base > ref) at--;
  return { view: views[at]!, doc: ref - views[at]!.base };
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

function docsOf(views: readonly SegmentView[], ranked: readonly Ranked[]): Uint32Array[] {
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
