/** Scores all documents for one query in every leg: words, n-grams, meaning, and both kinds of feedback. */
import type { AnalysedQuery } from './analyser.ts';
import {
  addLexical,
  addLexicalAt,
  corpusStatistics,
  documentFrequencies,
  inverseFrequency,
  type SegmentView,
  type WeightedTerm,
} from './bm25.ts';
import { expandTerms, type Located, moveVector } from './feedback.ts';
import { addGrams, gramBudget } from './gram-leg.ts';
import type { LsaModel } from './lsa.ts';
import { firstRound, type Scoring } from './ranking.ts';
import { type LegScores, legScores, type Scored } from './scratch.ts';
import type { Segment } from './segment.ts';
import { MOST_TERMS, type SearchSettings } from './settings.ts';
import { placeQuery } from './space.ts';
import { TopK } from './top-k.ts';
import { dot, scanVectors } from './vector-memory.ts';

export interface CorpusScoring extends Scoring {
  readonly weighted: readonly WeightedTerm[];
  /** The documents to rank; null for all that are allowed. */
  readonly candidates: readonly number[] | null;
}

export interface Corpus {
  readonly segments: readonly Segment[];
  readonly views: readonly SegmentView[];
  readonly model: LsaModel | null;
  readonly width: number;
  readonly embedded: Float32Array | null;
  readonly settings: SearchSettings;
  readonly comesFirst: (a: number, b: number) => boolean;
}

/** The segment and number of a document. */
export function locate(views: readonly SegmentView[], ref: number): Located {
  let at = views.length - 1;
  while (views[at]!.base > ref) at--;
  return { view: views[at]!, doc: ref - views[at]!.base };
}

/** Terms with their IDF; a term that no document has keeps the highest. */
export function weigh(segments: readonly Segment[], terms: readonly string[]): WeightedTerm[] {
  const { documents } = corpusStatistics(segments);
  const frequencies = documentFrequencies(segments, terms);
  return terms.map((term, i) => ({ term, weight: inverseFrequency(frequencies[i]!, documents) }));
}

/** Runs every leg; the arrays of the answer are valid until the next search. */
export function scoreLegs(corpus: Corpus, query: AnalysedQuery): CorpusScoring {
  const { segments, views, model, settings } = corpus;
  const terms = query.terms.slice(0, MOST_TERMS);
  const size = segments.reduce((sum, segment) => sum + segment.ids.length, 0);
  const scores = legScores(size);
  const { documents, meanLength } = corpusStatistics(segments);
  const bm25 = { k1: settings.k1, b: settings.b, meanLength };
  const weighted = weigh(segments, terms);
  const exact = size <= settings.exactVectors;
  const { read, looked } = exact ? { read: weighted, looked: [] } : affordableTerms(segments, weighted, settings);
  const lexical = { ...bm25, into: scores.bm25, lead: scores.title };
  addLexical(views, read, lexical);
  const gramWeight = addGrams(views, query.plain.slice(0, MOST_TERMS), {
    ...bm25,
    documents,
    into: scores.ngram,
    counts: scores.counts,
    touched: scores.touched,
    budget: gramBudget(documents, settings),
  });
  const candidates = exact ? null : topOf(corpus, scores, settings.candidates, null).sort((a, b) => a - b);
  if (candidates) addLexicalAt(views, looked, { ...lexical, refs: candidates });
  if (model && terms.length > 0) addSemantic(corpus, { model, terms, scores, candidates });
  return {
    scores,
    best: bestOf(views, scores, candidates),
    weighted,
    gramWeight,
    candidates,
    embedded: corpus.embedded !== null,
  };
}

/** The legs that need the trained model: meaning, then feedback from what words, n-grams and meaning put first. */
function addSemantic(
  corpus: Corpus,
  part: { model: LsaModel; terms: readonly string[]; scores: LegScores; candidates: readonly number[] | null },
): void {
  const { segments, views, settings } = corpus;
  const { model, terms, scores, candidates } = part;
  const vector = placeQuery(model, terms, corpus);
  if (vector) addCosines(views, vector, scores.semantic, candidates);
  const { feedback, nearby } = settings;
  const first = topOf(corpus, scores, Math.max(feedback.documents, nearby.documents), candidates);
  const scoreOf = firstRound(scores, firstBest(corpus, scores, candidates), settings);
  const found = first.map((ref) => ({ ...locate(views, ref), score: scoreOf(ref) }));
  if (found.length === 0) return;
  const expanded = expandTerms(terms, found.slice(0, feedback.documents), {
    model,
    size: feedback.terms,
    share: feedback.share,
  });
  const weighted = candidates ? byModel(model, expanded) : byCorpus(segments, expanded);
  const { meanLength } = corpusStatistics(segments);
  const bm25 = { k1: settings.k1, b: settings.b, meanLength, into: scores.feedback };
  if (candidates) addLexicalAt(views, weighted, { ...bm25, refs: candidates });
  else addLexical(views, weighted, bm25);
  const moved = moveVector(vector, found.slice(0, nearby.documents), {
    dimensions: model.dimensions + corpus.width,
    share: nearby.share,
  });
  if (moved) addCosines(views, moved, scores.nearby, candidates);
}

/** Cosines of allowed documents; negative ones count as none. */
function addCosines(
  views: readonly SegmentView[],
  vector: Float32Array,
  into: Float32Array,
  candidates: readonly number[] | null,
): void {
  const size = vector.length;
  if (candidates) {
    for (const ref of candidates) {
      const { view, doc } = locate(views, ref);
      if (view.segment.vectors) into[ref] = Math.max(0, dot(view.segment.vectors, doc * size, vector));
    }
    return;
  }
  for (const { segment, base, allowed } of views) {
    if (!segment.vectors) continue;
    const cosines = scanVectors(segment.vectors, vector);
    for (let doc = 0; doc < allowed.length; doc++) {
      if (allowed[doc] === 1 && cosines[doc]! > 0) into[base + doc] = cosines[doc]!;
    }
  }
}

type FirstBest = Readonly<Record<'bm25' | 'ngram' | 'semantic', number>>;

function firstBest({ views }: Corpus, scores: LegScores, among: readonly number[] | null): FirstBest {
  const best = (leg: Scored) => (among ? bestAmong(among, scores[leg]) : bestIn(views, scores[leg]));
  return { bm25: best('bm25'), ngram: best('ngram'), semantic: best('semantic') };
}

/** The best allowed documents by the first round, those with no score left out. */
function topOf(corpus: Corpus, scores: LegScores, size: number, among: readonly number[] | null): number[] {
  const top = new TopK(size, corpus.comesFirst);
  const score = firstRound(scores, firstBest(corpus, scores, among), corpus.settings);
  const offer = (ref: number) => {
    const value = score(ref);
    if (value > 0 && value >= top.threshold) top.add(ref, value);
  };
  if (among) among.forEach(offer);
  else {
    for (const { base, allowed } of corpus.views) {
      for (let doc = 0; doc < allowed.length; doc++) if (allowed[doc] === 1) offer(base + doc);
    }
  }
  return top.sorted().map(({ ref }) => ref);
}

function bestOf(
  views: readonly SegmentView[],
  scores: LegScores,
  among: readonly number[] | null,
): Record<Scored, number> {
  const best = (leg: Scored) => (among ? bestAmong(among, scores[leg]) : bestIn(views, scores[leg]));
  return {
    bm25: best('bm25'),
    title: best('title'),
    ngram: best('ngram'),
    semantic: best('semantic'),
    feedback: best('feedback'),
    nearby: best('nearby'),
  };
}

function bestAmong(refs: readonly number[], scores: Float32Array): number {
  let best = 0;
  for (const ref of refs) if (scores[ref]! > best) best = scores[ref]!;
  return best;
}

/** The rarest terms, whose postings are read, and the others, that are looked up in the candidates. */
function affordableTerms(
  segments: readonly Segment[],
  weighted: readonly WeightedTerm[],
  { mostPostings }: SearchSettings,
): { read: WeightedTerm[]; looked: WeightedTerm[] } {
  const rarest = [...weighted].sort((a, b) => b.weight - a.weight);
  const frequencies = documentFrequencies(
    segments,
    rarest.map(({ term }) => term),
  );
  let left = mostPostings;
  // What is rarest is read in any case, or there would be no candidates.
  const affordable = rarest.filter((_, i) => {
    left -= frequencies[i]!;
    return left >= 0 || i === 0;
  });
  return { read: affordable, looked: rarest.filter((term) => !affordable.includes(term)) };
}

/** Weights times the IDF in the corpus. */
function byCorpus(segments: readonly Segment[], expanded: readonly WeightedTerm[]): WeightedTerm[] {
  const idf = weigh(
    segments,
    expanded.map(({ term }) => term),
  );
  return expanded.map(({ term, weight }, i) => ({ term, weight: weight * idf[i]!.weight }));
}

/** Weights times the IDF that the model was trained with: near enough, and at hand without reading the segments. */
function byModel(model: LsaModel, expanded: readonly WeightedTerm[]): WeightedTerm[] {
  return expanded.map(({ term, weight }) => {
    const row = model.rows.get(term);
    return { term, weight: weight * (row === undefined ? 0 : model.idf[row]!) };
  });
}

function bestIn(views: readonly SegmentView[], scores: Float32Array): number {
  let best = 0;
  for (const { base, allowed } of views) {
    for (let doc = 0; doc < allowed.length; doc++) {
      if (scores[base + doc]! > best && allowed[doc] === 1) best = scores[base + doc]!;
    }
  }
  return best;
}
