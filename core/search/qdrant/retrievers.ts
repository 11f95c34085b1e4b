/**
 * Runs the retrievers of one search in two batches: words, titles, n-grams and vectors, then both kinds of relevance
 * feedback from the best results of these. Where a result list was truncated, the missing scores of the best documents are
 * requested after each batch.
 */
import type { AnalysedQuery } from '../analyser.ts';
import type { WeightedTerm } from '../bm25.ts';
import { expandBy, moveTowards, unitTerms } from '../feedback.ts';
import { highest } from '../highest.ts';
import type { SearchQuery } from '../port.ts';
import { firstRound, type Scoring, secondRound } from '../ranking.ts';
import type { Scored } from '../scratch.ts';
import { COUNT_UNIT } from '../segment.ts';
import { MOST_TERMS, SETTINGS } from '../settings.ts';
import { Candidates } from './candidates.ts';
import { NGRAM, pointId, SEMANTIC, TEXT, TITLE } from './document-point.ts';
import { DocumentsRead, type Whole } from './documents-read.ts';
import type { Filter } from './filter.ts';
import type { CollectionView } from './query.ts';
import type { Semantic } from './semantic.ts';
import { gramQuery, type SparseVector, termQuery } from './sparse.ts';
import { askedGrams, weigh } from './statistics.ts';

const VECTOR: Readonly<Record<Scored, string>> = {
  bm25: TEXT,
  title: TITLE,
  ngram: NGRAM,
  semantic: SEMANTIC,
  feedback: TEXT,
  nearby: SEMANTIC,
};
/** Number of best documents whose missing scores are requested where lists were truncated. */
const COMPLETED = 200;
const FEEDBACK_DOCUMENTS = Math.max(SETTINGS.feedback.documents, SETTINGS.nearby.documents);
/** Number of best documents of the first round that are read together with the feedback: most final hits are among them. */
const READ_AHEAD = 30;
/** Number of documents around the page that are also read, because completed scores may move them onto it. */
const SPARE = 5;

type Question = readonly [leg: Scored, query: SparseVector | number[]];

export interface LegRequest extends Pick<SearchQuery, 'text' | 'permission'> {
  readonly analysed: AnalysedQuery;
  readonly filter: Filter;
  /** Number of hits that each retriever is asked for. */
  readonly limit: number;
  /** The page of hits: from `offset` up to `wanted`. */
  readonly offset: number;
  readonly wanted: number;
}

/** The results of the retrievers, as input for the ranking. */
export interface LegAnswer {
  readonly candidates: Candidates;
  readonly scoring: Scoring;
  readonly weighted: readonly WeightedTerm[];
  readonly read: DocumentsRead;
}

/** Returns the documents whose terms are needed: the first ten, for the coverage, and the page. */
export const lookedAt = <T>(best: readonly T[], { offset, wanted }: Pick<LegRequest, 'offset' | 'wanted'>): T[] => [
  ...new Set([...best.slice(0, 10), ...best.slice(offset, wanted)]),
];

/** Runs every retriever. */
export async function askLegs(view: CollectionView, request: LegRequest): Promise<LegAnswer> {
  const { analysed, limit, filter } = request;
  const terms = analysed.terms.slice(0, MOST_TERMS);
  const weighted = weigh(view.statistics, terms);
  const grams = askedGrams(view.statistics, analysed.plain.slice(0, MOST_TERMS));
  const semantic = terms.length > 0 ? view.semantic : null;
  const { vector, embedded } = (await semantic?.placeQuery(request, terms)) ?? { vector: null, embedded: false };
  const candidates = new Candidates();
  const first: Question[] = [
    ['bm25', termQuery(terms.map((term) => ({ term, weight: 1 })))],
    ['title', termQuery(weighted)],
    ['ngram', gramQuery(grams.grams)],
    ['semantic', vector ? [...vector] : []],
  ];
  const read = new DocumentsRead(view, candidates);
  await ask(view, candidates, { questions: first, filter, limit });
  const early = topOf(candidates, firstRound(candidates.scores(), SETTINGS), COMPLETED);
  // The reads run concurrently with the completion, because it seldom changes which documents are best.
  await Promise.all([
    complete(view, candidates, { questions: first, refs: early }),
    semantic ? read.readWhole(early.slice(0, FEEDBACK_DOCUMENTS)) : null,
    read.readTerms(early.slice(semantic ? FEEDBACK_DOCUMENTS : 0, READ_AHEAD)),
  ]);
  const second = semantic ? await feedbackOf({ candidates, terms, vector, semantic, read }) : [];
  await ask(view, candidates, { questions: second, filter, limit });
  const scoring = () => ({
    ...candidates.scores(),
    gramWeight: grams.weight,
    embedded,
  });
  const late = topOf(candidates, secondRound(scoring(), SETTINGS), COMPLETED + request.wanted);
  const { offset, wanted } = request;
  if (candidates.cut.size > 0)
    await Promise.all([
      complete(view, candidates, { questions: [...first, ...second], refs: late }),
      read.readTerms(lookedAt(late, { offset: Math.max(0, offset - SPARE), wanted: wanted + SPARE })),
    ]);
  return { candidates, scoring: scoring(), weighted, read };
}

/** Runs one batch of queries; sends nothing for a retriever with an empty query. */
async function ask(
  view: CollectionView,
  candidates: Candidates,
  { questions, filter, limit }: { questions: readonly Question[]; filter: Filter; limit: number },
): Promise<void> {
  const asked = questions.filter(([, query]) => (Array.isArray(query) ? query : query.indices).length > 0);
  if (asked.length === 0) return;
  const searches = asked.map(([leg, query]) => ({
    query,
    using: VECTOR[leg],
    filter,
    limit,
    with_payload: false,
    with_vector: false,
    ...(VECTOR[leg] === SEMANTIC && { score_threshold: 0 }),
  }));
  const answers = await view.connection.ask((client) => client.queryBatch(view.collection, { searches }));
  const lists = asked.map((_, i) => (answers[i]?.points ?? []).map(({ id, score }) => ({ point: String(id), score })));
  const names = await view.names.learn(
    view,
    lists.flatMap((list) => list.map(({ point }) => point)),
  );
  asked.forEach(([leg], i) => {
    const list = lists[i]!;
    const found = list.flatMap(({ point, score }) => {
      const id = names.get(point);
      // A point without an id was deleted between the two requests.
      return id === undefined ? [] : [{ id, score }];
    });
    candidates.add(leg, found, { isCut: list.length >= limit });
  });
}

/** Requests the scores that these documents lack in truncated lists. */
async function complete(
  view: CollectionView,
  candidates: Candidates,
  { questions, refs }: { questions: readonly Question[]; refs: readonly number[] },
): Promise<void> {
  const cut = [...candidates.cut];
  const lacking = refs.filter((ref) => cut.some((leg) => !candidates.has(leg, ref)));
  if (lacking.length === 0) return;
  await ask(view, candidates, {
    questions: questions.filter(([leg]) => candidates.cut.has(leg)),
    filter: { must: [{ has_id: lacking.map((ref) => pointId(candidates.ids[ref]!)) }] },
    limit: lacking.length,
  });
}

/** Builds the feedback queries from the terms and the vectors of the best documents of the first round. */
async function feedbackOf(part: {
  candidates: Candidates;
  terms: readonly string[];
  vector: Float32Array | null;
  semantic: Semantic;
  read: DocumentsRead;
}): Promise<Question[]> {
  const { candidates, terms, vector, semantic, read } = part;
  const { feedback, nearby } = SETTINGS;
  const score = firstRound(candidates.scores(), SETTINGS);
  const refs = topOf(candidates, score, FEEDBACK_DOCUMENTS);
  if (refs.length === 0) return [];
  await read.readWhole(refs);
  const found = refs.map((ref) => ({ score: score[ref]!, ...read.wholeOf(ref) }));
  const own = found.slice(0, feedback.documents).map((each) => ({ score: each.score, own: termsOf(each, semantic) }));
  const near = found
    .slice(0, nearby.documents)
    .flatMap((each) => (each.vector ? [{ score: each.score, vector: each.vector }] : []));
  const { dimensions } = semantic;
  return [
    // Qdrant multiplies these weights by the IDF, as in any query.
    ['feedback', termQuery(expandBy(terms, own, { size: feedback.terms, share: feedback.share }))],
    ['nearby', [...(moveTowards(vector, near, { dimensions, share: nearby.share }) ?? [])]],
  ];
}

function termsOf({ terms, counts }: Whole, semantic: Semantic): WeightedTerm[] {
  return unitTerms(
    terms.flatMap((term, i) => {
      const idf = semantic.idfOf(term);
      return idf === undefined ? [] : [{ term, count: counts[i]! / COUNT_UNIT, idf }];
    }),
  );
}

/** Returns the best candidates, without those that have no score. */
function topOf({ ids, comesFirst }: Candidates, scores: Float32Array, size: number): number[] {
  return highest(scores, ids.length, { size, comesFirst }).map(({ ref }) => ref);
}
