/** One search over the segments: conditions, legs, fusion, facets and what matched. Runs without a pause. */
import { analyseQuery, type QueryWord } from './analyser.ts';
import type { SegmentView, WeightedTerm } from './bm25.ts';
import { applyCondition, countValues } from './filter-column.ts';
import { type Fused, reasonsOf } from './fusion.ts';
import { locate, type Scoring, scoreLegs } from './legs.ts';
import { type LsaModel, searchSemantic } from './lsa.ts';
import type { Condition, LegRank, SearchAnswer, SearchHit, SearchQuery } from './port.ts';
import { countIn, indexOfSorted, type Segment } from './segment.ts';
import { LONGEST_QUERY, type SearchSettings, SIMILAR_FLOOR } from './settings.ts';
import { TopK } from './top-k.ts';

interface Ranking {
  readonly fused: readonly Fused[];
  /** Documents that a word of the query is in, per view. */
  readonly matches: readonly Uint32Array[];
  readonly matching: number;
}

/** Answers a query; any text is allowed, one without index terms has no hits. */
export function answer(
  segments: readonly Segment[],
  model: LsaModel | null,
  query: SearchQuery,
  settings: SearchSettings,
): SearchAnswer {
  const offset = Math.max(0, query.offset ?? 0);
  const limit = Math.max(0, query.limit);
  const analysed = analyseQuery(query.text.slice(0, LONGEST_QUERY));
  const views = viewsOf(segments, query.where ?? []);
  const comesFirst = (a: number, b: number) => idOf(views, a) < idOf(views, b);
  const scoring = scoreLegs({ segments, views, model, settings, comesFirst }, analysed);
  const depth = settings.depth * Math.max(1, Math.ceil((offset + limit) / settings.depth));
  const ranking = rank(views, scoring, { settings, depth, legDepth: Math.max(settings.legDepth, limit), comesFirst });
  const { fused, matching, matches } = ranking;
  return {
    hits: fused.slice(offset, offset + limit).map((candidate) => toHit(views, candidate, analysed.words)),
    total: Math.max(matching, fused.length),
    coverage: coverageOf(views, fused, scoring.weighted),
    facets: facetsOf(views, matching > 0 ? matches : docsOf(views, fused), query.facets ?? []),
  };
}

interface RankOptions {
  readonly settings: SearchSettings;
  readonly depth: number;
  readonly legDepth: number;
  readonly comesFirst: (a: number, b: number) => boolean;
}

/** The legs of one list: each divided by its best score, then added by weight. */
function rank(views: readonly SegmentView[], scoring: Scoring, options: RankOptions): Ranking {
  const { scores, best } = scoring;
  const { second } = options.settings;
  const part = (weight: number, top: number) => (top > 0 ? weight / top : 0);
  const bm25 = part(second.bm25, best.bm25);
  const semantic = part(second.semantic, best.semantic);
  const ngram = part(second.ngram, best.ngram);
  const title = part(second.title, best.title);
  const feedback = part(second.feedback, best.feedback);
  const nearby = part(second.nearby, best.nearby);
  const eligible = eligibility(scoring, options.settings);
  const top = new TopK(options.depth, options.comesFirst);
  const legs = new LegLists(options);
  const offer = (ref: number) => {
    if (!eligible(ref)) return;
    const score =
      bm25 * scores.bm25[ref]! +
      semantic * scores.semantic[ref]! +
      ngram * scores.ngram[ref]! +
      title * scores.title[ref]! +
      feedback * scores.feedback[ref]! +
      nearby * scores.nearby[ref]!;
    if (score >= top.threshold) top.add(ref, score);
    legs.offer(ref, scores);
  };
  const { matches, matching } = matchesOf(views, scores.bm25);
  if (scoring.candidates) scoring.candidates.forEach(offer);
  else {
    for (const { base, allowed } of views) {
      for (let doc = 0; doc < allowed.length; doc++) if (allowed[doc] === 1) offer(base + doc);
    }
  }
  const ranks = legs.ranks();
  const fused = top.sorted().map(({ ref, score }) => ({ ref, score, legs: ranks.get(ref) ?? [] }));
  return { fused, matches, matching };
}

/** Whether a document belongs among the hits at all: it holds a word, or most of a word's letters, or the subject. */
function eligibility({ scores, best, gramWeight }: Scoring, settings: SearchSettings): (ref: number) => boolean {
  const grams = settings.ngramFloor * gramWeight;
  const cosine = best.bm25 > 0 ? settings.semanticFloor : settings.offTopicFloor;
  return (ref) => scores.bm25[ref]! > 0 || scores.semantic[ref]! >= cosine || scores.ngram[ref]! >= grams;
}

const LEGS = ['bm25', 'semantic', 'ngram', 'feedback'] as const;

/** The best documents of each leg, for saying at which place each leg had a hit. */
class LegLists {
  private readonly lists: readonly { readonly leg: (typeof LEGS)[number]; readonly top: TopK }[];

  constructor({ legDepth, comesFirst }: RankOptions) {
    this.lists = LEGS.map((leg) => ({ leg, top: new TopK(legDepth, comesFirst) }));
  }

  offer(ref: number, scores: Scoring['scores']): void {
    for (const { leg, top } of this.lists) {
      const score = scores[leg][ref]!;
      if (score > 0 && score >= top.threshold) top.add(ref, score);
    }
  }

  ranks(): Map<number, LegRank[]> {
    const found = new Map<number, LegRank[]>();
    for (const { leg, top } of this.lists) {
      top.sorted().forEach(({ ref, score }, i) => {
        const known = found.get(ref);
        if (known) known.push({ leg, rank: i + 1, score });
        else found.set(ref, [{ leg, rank: i + 1, score }]);
      });
    }
    return found;
  }
}

function matchesOf(views: readonly SegmentView[], bm25: Float32Array): { matches: Uint32Array[]; matching: number } {
  let matching = 0;
  const matches = views.map(({ base, allowed }) => {
    const found = new Uint32Array(allowed.length);
    let size = 0;
    for (let doc = 0; doc < allowed.length; doc++) if (bm25[base + doc]! > 0 && allowed[doc] === 1) found[size++] = doc;
    matching += size;
    return found.subarray(0, size);
  });
  return { matches, matching };
}

/** The documents nearest to one document in the semantic leg. */
export function similarTo(
  segments: readonly Segment[],
  id: string,
  { limit, where = [] }: { limit: number; where?: readonly Condition[] },
): SearchHit[] {
  for (const segment of segments) {
    const doc = indexOfSorted(segment.ids, id);
    if (doc < 0 || segment.deleted[doc] || !segment.vectors) continue;
    const size = segment.vectors.length / segment.ids.length;
    const views = viewsOf(segments, where);
    const nearest = searchSemantic(views, segment.vectors.slice(doc * size, (doc + 1) * size), {
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
