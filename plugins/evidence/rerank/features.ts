/**
 * Computes the features of the local reranker, which describe how well a query and a candidate's text match. The features cover
 * relevance only: quality, year and design of a study are excluded, so that strong evidence is not mistaken for a relevant
 * answer.
 */
import { analyse } from '#core/search/analyser.ts';
import type { PassageScorer } from '#core/search/port.ts';
import { type Passages, passagesOf } from './passages.ts';
import type { Candidate } from './reranker.ts';

/** Names of the features. Coverage is weighted by IDF; see `featuresOf` for each feature. */
export const FEATURES = [
  'stage_score',
  'stage_rank',
  'bm25_score',
  'semantic_score',
  'cover',
  'cover_plain',
  'title_cover',
  'title_share',
  'sentence_cover',
  'three_sentences_cover',
  'first_cover',
  'sentences_touched',
  'cosine_sentence',
  'pairs',
  'ordered',
  'numbers',
] as const;
export type Feature = (typeof FEATURES)[number];

/** Maximum distance, in terms, between two adjacent terms of the query in a text at which they count as in order. */
const NEAR = 8;
/** Number of sentences whose semantic similarity is computed; the semantic retriever costs more than counting. */
const COSINE_SENTENCES = 2;
/** Share of the query's weight above which a sentence touches the query. */
const TOUCHED = 0.2;

interface AskedPair {
  readonly first: string;
  readonly second: string;
  readonly weight: number;
}

/** A query prepared once for all candidates. */
interface AskedText {
  readonly scorer: PassageScorer;
  /** IDF of each term. */
  readonly weights: ReadonlyMap<string, number>;
  readonly whole: number;
  /** Adjacent terms in the query; a pair has the weight of its more common term. */
  readonly pairs: readonly AskedPair[];
  readonly pairsWeight: number;
  readonly numbers: readonly string[];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

const askedText = (text: string, scorer: PassageScorer): AskedText => {
  const weights = new Map(scorer.terms.map(({ term, weight }) => [term, weight]));
  const order = analyse(text.slice(0, 2_000)).filter((term) => weights.has(term));
  const pairs = new Map<string, AskedPair>();
  for (let at = 0; at + 1 < order.length; at += 1) {
    const [first, second] = [order[at]!, order[at + 1]!];
    if (first === second) continue;
    const weight = Math.min(weights.get(first)!, weights.get(second)!);
    pairs.set(`${first} ${second}`, { first, second, weight });
  }
  return {
    scorer,
    weights,
    whole: sum([...weights.values()]),
    pairs: [...pairs.values()],
    pairsWeight: sum([...pairs.values()].map(({ weight }) => weight)),
    numbers: [...weights.keys()].filter((term) => /\d/.test(term)),
  };
};

const coverOf = ({ weights, whole }: AskedText, terms: Iterable<string>): number => {
  let held = 0;
  const seen = new Set<string>();
  for (const term of terms) {
    const weight = weights.get(term);
    if (weight === undefined || seen.has(term)) continue;
    seen.add(term);
    held += weight;
  }
  return share(held, whole);
};

/** Returns the positions of each term of the query in one sequence of terms. */
const placesOf = ({ weights }: AskedText, terms: readonly string[]): ReadonlyMap<string, number[]> => {
  const places = new Map<string, number[]>();
  terms.forEach((term, at) => {
    if (!weights.has(term)) return;
    const known = places.get(term);
    if (known) known.push(at);
    else places.set(term, [at]);
  });
  return places;
};

/** Returns the shortest distance from a position of the first list to a later one of the second; both lists are ascending. */
const nearestAfter = (first: readonly number[] = [], second: readonly number[] = []): number => {
  let nearest = Number.POSITIVE_INFINITY;
  let at = 0;
  for (const from of first) {
    while (at < second.length && second[at]! <= from) at += 1;
    if (at === second.length) break;
    nearest = Math.min(nearest, second[at]! - from);
  }
  return nearest;
};

/**
 * Returns the weighted shares of the query's adjacent pairs that are adjacent in a text, and that are in the same order within
 * NEAR terms.
 */
const pairsIn = (asked: AskedText, terms: readonly string[]): { adjacent: number; ordered: number } => {
  const places = placesOf(asked, terms);
  let [adjacent, ordered] = [0, 0];
  for (const { first, second, weight } of asked.pairs) {
    const steps = nearestAfter(places.get(first), places.get(second));
    if (steps === 1) adjacent += weight;
    if (steps <= NEAR) ordered += weight;
  }
  return { adjacent: share(adjacent, asked.pairsWeight), ordered: share(ordered, asked.pairsWeight) };
};

const sentenceFeatures = (asked: AskedText, { sentences }: Passages) => {
  const covers = sentences.map((sentence) => coverOf(asked, sentence.terms));
  const best = [...covers.keys()].sort((a, b) => covers[b]! - covers[a]! || a - b);
  const cosines = best.slice(0, COSINE_SENTENCES).map((at) => asked.scorer.score(sentences[at]!.text).cosine ?? 0);
  return {
    best: covers[best[0] ?? -1] ?? 0,
    three: coverOf(
      asked,
      best.slice(0, 3).flatMap((at) => sentences[at]!.terms),
    ),
    first: covers[0] ?? 0,
    touched: share(covers.filter((cover) => cover > TOUCHED).length, covers.length),
    cosine: Math.max(0, ...cosines),
  };
};

const LEGS = ['bm25', 'semantic'] as const;
const legScore = ({ legs }: Candidate, leg: (typeof LEGS)[number]): number =>
  legs.find((each) => each.leg === leg)?.score ?? 0;

/** The highest score of the list and of each retriever in it; scores are divided by them to be independent of the scale. */
interface Best {
  readonly score: number;
  readonly bm25: number;
  readonly semantic: number;
}

const bestOf = (candidates: readonly Candidate[]): Best => {
  const [bm25, semantic] = LEGS.map((leg) => Math.max(0, ...candidates.map((one) => legScore(one, leg))));
  return { score: Math.max(0, ...candidates.map(({ score }) => score)), bm25: bm25!, semantic: semantic! };
};

const featuresOf = (asked: AskedText, candidate: Candidate, place: number, best: Best): Record<Feature, number> => {
  const passages = passagesOf(candidate.title, candidate.text);
  const all = [...passages.title.terms, ...passages.sentences.flatMap(({ terms }) => terms)];
  const held = new Set(all.filter((term) => asked.weights.has(term)));
  const title = new Set(passages.title.terms);
  const sentence = sentenceFeatures(asked, passages);
  const pairs = pairsIn(asked, all);
  return {
    stage_score: share(candidate.score, best.score),
    stage_rank: 1 / (1 + place),
    bm25_score: share(legScore(candidate, 'bm25'), best.bm25),
    semantic_score: share(legScore(candidate, 'semantic'), best.semantic),
    cover: coverOf(asked, held),
    cover_plain: share(held.size, asked.weights.size),
    title_cover: coverOf(asked, title),
    title_share: share([...title].filter((term) => asked.weights.has(term)).length, title.size),
    sentence_cover: sentence.best,
    three_sentences_cover: sentence.three,
    first_cover: sentence.first,
    sentences_touched: sentence.touched,
    cosine_sentence: sentence.cosine,
    pairs: pairs.adjacent,
    ordered: pairs.ordered,
    numbers: share(asked.numbers.filter((term) => held.has(term)).length, asked.numbers.length),
  };
};

/**
 * Computes one row of features for each candidate, in their order; each is 0 to 1 (`stage_score` may be below 0). `scorer` is the
 * index's scorer for the same text.
 */
export const featureRows = (
  text: string,
  scorer: PassageScorer,
  candidates: readonly Candidate[],
): Record<Feature, number>[] => {
  const asked = askedText(text, scorer);
  const best = bestOf(candidates);
  return candidates.map((candidate, place) => featuresOf(asked, candidate, place, best));
};
