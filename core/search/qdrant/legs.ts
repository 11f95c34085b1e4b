/**
 * The legs of one search in two batches: words, titles, n-grams and meaning; then both kinds of feedback from what these
 * put first. Where a list was cut off, the scores that the best documents lack are asked for after each.
 */
import type { Schemas } from '@qdrant/js-client-rest';
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
import { type DocumentPayload, NGRAM, pointId, SEMANTIC, TEXT, TITLE } from './document-point.ts';
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
/** Documents whose scores are made whole where lists were cut off. */
const COMPLETED = 200;

type Question = readonly [leg: Scored, query: SparseVector | number[]];

export interface LegRequest extends Pick<SearchQuery, 'text' | 'permission'> {
  readonly analysed: AnalysedQuery;
  readonly filter: Filter;
  /** Hits that each leg is asked for. */
  readonly limit: number;
  /** Hits that are shown, from the first. */
  readonly wanted: number;
}

/** What the legs found, ready to be ranked. */
export interface LegAnswer {
  readonly candidates: Candidates;
  readonly scoring: Scoring;
  readonly weighted: readonly WeightedTerm[];
}

/** Runs every leg. */
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
  await ask(view, candidates, { questions: first, filter, limit });
  await complete(view, candidates, {
    questions: first,
    refs: topOf(candidates, firstRound(candidates.scores(), SETTINGS), COMPLETED),
  });
  const second = semantic ? await feedbackOf(view, { candidates, terms, vector, semantic }) : [];
  await ask(view, candidates, { questions: second, filter, limit });
  const scoring = () => ({
    ...candidates.scores(),
    gramWeight: grams.weight,
    embedded,
  });
  await complete(view, candidates, {
    questions: [...first, ...second],
    refs: topOf(candidates, secondRound(scoring(), SETTINGS), COMPLETED + request.wanted),
  });
  return { candidates, scoring: scoring(), weighted };
}

/** One batch; nothing is asked where a leg has nothing to ask for. */
async function ask(
  { connection, collection }: CollectionView,
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
    with_payload: ['id'],
    with_vector: false,
    ...(VECTOR[leg] === SEMANTIC && { score_threshold: 0 }),
  }));
  const answers = await connection.ask((client) => client.queryBatch(collection, { searches }));
  asked.forEach(([leg], i) => {
    candidates.add(leg, answers[i]?.points ?? [], limit);
  });
}

/** Asks for the scores that these documents lack in lists that were cut off. */
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

/** The words and the direction of the documents that the first round put first, as further questions. */
async function feedbackOf(
  view: CollectionView,
  part: { candidates: Candidates; terms: readonly string[]; vector: Float32Array | null; semantic: Semantic },
): Promise<Question[]> {
  const { candidates, terms, vector, semantic } = part;
  const { feedback, nearby } = SETTINGS;
  const score = firstRound(candidates.scores(), SETTINGS);
  const refs = topOf(candidates, score, Math.max(feedback.documents, nearby.documents));
  if (refs.length === 0) return [];
  const documents = await documentsOf(
    view,
    refs.map((ref) => candidates.ids[ref]!),
  );
  const found = refs.map((ref, i) => ({ score: score[ref]!, ...documents[i]! }));
  const own = found.slice(0, feedback.documents).map((each) => ({ score: each.score, own: termsOf(each, semantic) }));
  const near = found
    .slice(0, nearby.documents)
    .flatMap((each) => (each.vector ? [{ score: each.score, vector: each.vector }] : []));
  const { dimensions } = semantic;
  return [
    // Qdrant multiplies these weights by the IDF, as for any query.
    ['feedback', termQuery(expandBy(terms, own, { size: feedback.terms, share: feedback.share }))],
    ['nearby', [...(moveTowards(vector, near, { dimensions, share: nearby.share }) ?? [])]],
  ];
}

type Told = Pick<DocumentPayload, 'terms' | 'counts'> & { readonly vector: Float32Array | null };

/** Terms and vectors of documents, in the order of their ids; one that is gone has none. */
async function documentsOf({ connection, collection }: CollectionView, ids: readonly string[]): Promise<Told[]> {
  const points = await connection.ask((client) =>
    client.retrieve(collection, {
      ids: ids.map(pointId),
      with_payload: ['id', 'terms', 'counts'],
      with_vector: [SEMANTIC],
    }),
  );
  const told = new Map(points.map((point) => [String(point.payload?.id), toldBy(point)]));
  return ids.map((id) => told.get(id) ?? { terms: [], counts: [], vector: null });
}

function toldBy({ payload, vector }: Schemas['Record']): Told {
  const { terms, counts } = payload as unknown as DocumentPayload;
  const row = (vector as Record<string, number[]> | null | undefined)?.[SEMANTIC];
  return { terms, counts, vector: row ? Float32Array.from(row) : null };
}

function termsOf({ terms, counts }: Told, semantic: Semantic): WeightedTerm[] {
  return unitTerms(
    terms.flatMap((term, i) => {
      const idf = semantic.idfOf(term);
      return idf === undefined ? [] : [{ term, count: counts[i]! / COUNT_UNIT, idf }];
    }),
  );
}

/** The best candidates, those with no score left out. */
function topOf({ ids, comesFirst }: Candidates, scores: Float32Array, size: number): number[] {
  return highest(scores, ids.length, { size, comesFirst }).map(({ ref }) => ref);
}
