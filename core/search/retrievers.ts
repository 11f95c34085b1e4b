/** Scores the documents for one query with every retriever: words, n-grams, vectors, and both kinds of relevance feedback. */
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
import { addGrams, gramBudget } from './gram-retriever.ts';
import { atLeast, highest } from './highest.ts';
import type { LsaModel } from './lsa.ts';
import { firstRound, type LegTable, type Scoring } from './ranking.ts';
import { type LegScores, legScores } from './scratch.ts';
import type { Segment } from './segment.ts';
import { MOST_TERMS, type SearchSettings } from './settings.ts';
import { placeQuery } from './space.ts';
import { scanSome, scanVectors } from './vector-table.ts';

export interface CorpusScoring extends Scoring {
  readonly weighted: readonly WeightedTerm[];
  /** Document numbers of the rows, ascending. */
  readonly refs: Uint32Array;
  /** Lexical scores of all documents; 0 for those that must not be returned. */
  readonly lexical: Float32Array;
  /** Scratch buffer with one element per document; its contents are arbitrary. */
  readonly room: Uint32Array;
}

export interface Corpus {
  readonly segments: readonly Segment[];
  readonly views: readonly SegmentView[];
  readonly model: LsaModel | null;
  readonly width: number;
  readonly embedded: Float32Array | null;
  readonly settings: SearchSettings;
  /** Minimum number of documents to rank: deep pages need more than `candidates`. */
  readonly depth: number;
  readonly comesFirst: (a: number, b: number) => boolean;
}

/** Returns the segment view and the number within it of a document. */
export function locate(views: readonly SegmentView[], ref: number): Located {
  let at = views.length - 1;
  while (views[at]!.base > ref) at--;
  return { view: views[at]!, doc: ref - views[at]!.base };
}

/** Returns terms with their IDF; a term that no document contains has the highest. */
export function weigh(segments: readonly Segment[], terms: readonly string[]): WeightedTerm[] {
  const { documents } = corpusStatistics(segments);
  const frequencies = documentFrequencies(segments, terms);
  return terms.map((term, i) => ({ term, weight: inverseFrequency(frequencies[i]!, documents) }));
}

/** The rows of one search: the documents that pass the first round and that all later steps work on. */
interface Rows {
  readonly rows: number;
  /** Document numbers of the rows, ascending. */
  readonly refs: Uint32Array;
  readonly scores: LegTable;
}

/** Runs every retriever; the arrays of the result are valid until the next search. */
export function scoreLegs(corpus: Corpus, query: AnalysedQuery): CorpusScoring {
  const { segments, views, model, settings } = corpus;
  const terms = query.terms.slice(0, MOST_TERMS);
  const size = segments.reduce((sum, segment) => sum + segment.ids.length, 0);
  const exact = size <= settings.exactVectors;
  const scores = legScores(size, { narrow: exact });
  const { documents, meanLength } = corpusStatistics(segments);
  const bm25 = { k1: settings.k1, b: settings.b, meanLength };
  const weighted = weigh(segments, terms);
  const { read, looked } = exact ? { read: weighted, looked: [] } : affordableTerms(segments, weighted, settings);
  addLexical(views, read, { ...bm25, into: scores.bm25, lead: scores.title });
  const gramWeight = addGrams(views, query.plain.slice(0, MOST_TERMS), {
    ...bm25,
    documents,
    into: scores.ngram,
    counts: scores.counts,
    touched: scores.touched,
    budget: gramBudget(documents, settings),
  });
  const vector = model && terms.length > 0 ? placeQuery(model, terms, corpus) : null;
  if (vector && exact) addCosines(views, vector, scores.semantic);
  shut(views, [scores.bm25, scores.title, scores.ngram, ...(exact ? [scores.semantic] : [])]);
  const chosen = choose(corpus, exact ? scores : { ...scores, semantic: NONE }, size);
  if (looked.length > 0)
    addLexicalAt(views, looked, { ...bm25, into: chosen.scores.bm25, lead: chosen.scores.title, refs: chosen.refs });
  if (vector && !exact) addCosinesAt(views, vector, { refs: chosen.refs, into: chosen.scores.semantic });
  if (model && terms.length > 0)
    addFeedback(corpus, { model, terms, vector, chosen, wide: exact ? scores.feedback : null });
  return {
    ...chosen,
    weighted,
    gramWeight,
    lexical: scores.bm25,
    room: scores.touched,
    embedded: corpus.embedded !== null,
  };
}

/** The scores of a retriever that has not run. */
const NONE = new Float32Array(0);

/** Sets to 0 the scores of documents that must not be returned: deleted ones and those that fail a condition. */
function shut(views: readonly SegmentView[], legs: readonly Float32Array[]): void {
  for (const { base, allowed, open } of views) {
    if (open) continue;
    for (const scores of legs) {
      for (let doc = 0; doc < allowed.length; doc++) if (allowed[doc] === 0) scores[base + doc] = 0;
    }
  }
}

/** Selects the best documents of the first round, and assigns a row to each. */
function choose({ settings, depth }: Corpus, scores: LegScores, size: number): Rows {
  const wanted = Math.max(settings.candidates, depth);
  const first = firstRound({ scores, rows: size }, settings, scores.fused);
  const refs = atLeast(first, size, { size: wanted, most: 2 * wanted });
  const taken = (leg: Float32Array) => take(leg, refs, new Float32Array(refs.length));
  return {
    rows: refs.length,
    refs,
    scores: {
      bm25: taken(scores.bm25),
      title: taken(scores.title),
      ngram: taken(scores.ngram),
      semantic: scores.semantic === NONE ? new Float32Array(refs.length) : taken(scores.semantic),
      feedback: new Float32Array(refs.length),
      nearby: new Float32Array(refs.length),
    },
  };
}

function take(scores: Float32Array, refs: Uint32Array, into: Float32Array): Float32Array {
  for (let row = 0; row < refs.length; row++) into[row] = scores[refs[row]!]!;
  return into;
}

/** Runs the feedback retrievers on the best documents of the first round. */
function addFeedback(
  corpus: Corpus,
  part: {
    model: LsaModel;
    terms: readonly string[];
    vector: Float32Array | null;
    chosen: Rows;
    /** Scores of all documents, for small corpora: all postings are read there instead of the terms of each row. */
    wide: Float32Array | null;
  },
): void {
  const { views, settings, segments } = corpus;
  const { model, terms, vector, chosen, wide } = part;
  const { scores, rows, refs } = chosen;
  const { feedback, nearby } = settings;
  const found = highest(firstRound(chosen, settings), rows, {
    size: Math.max(feedback.documents, nearby.documents),
    comesFirst: (a, b) => corpus.comesFirst(refs[a]!, refs[b]!),
  }).map(({ ref, score }) => ({ ...locate(views, refs[ref]!), score }));
  if (found.length === 0) return;
  const expanded = expandTerms(terms, found.slice(0, feedback.documents), {
    model,
    size: feedback.terms,
    share: feedback.share,
  });
  const { meanLength } = corpusStatistics(segments);
  const bm25 = { k1: settings.k1, b: settings.b, meanLength };
  if (wide) {
    addLexical(views, byCorpus(segments, expanded), { ...bm25, into: wide });
    take(wide, refs, scores.feedback);
  } else addLexicalAt(views, byModel(model, expanded), { ...bm25, into: scores.feedback, refs });
  const moved = moveVector(vector, found.slice(0, nearby.documents), {
    dimensions: model.dimensions + corpus.width,
    share: nearby.share,
  });
  if (moved) addCosinesAt(views, moved, { refs, into: scores.nearby });
}

/** Writes the cosines of all documents to `into`; negative ones become 0. */
function addCosines(views: readonly SegmentView[], vector: Float32Array, into: Float32Array): void {
  for (const { segment, base } of views) {
    if (!segment.vectors) continue;
    scanVectors(segment.vectors, vector, into.subarray(base, base + segment.ids.length));
  }
}

/** Writes the cosines of some documents, given in ascending order, to `into`, with a row for each. */
function addCosinesAt(
  views: readonly SegmentView[],
  vector: Float32Array,
  { refs, into }: { readonly refs: Uint32Array; readonly into: Float32Array },
): void {
  let row = 0;
  for (const { segment, base } of views) {
    const from = row;
    while (row < refs.length && refs[row]! < base + segment.ids.length) row++;
    if (from === row || !segment.vectors) continue;
    const rows = refs.subarray(from, row).map((ref) => ref - base);
    scanSome(segment.vectors, vector, { rows, into: into.subarray(from, row) });
  }
}

/** Splits the terms into the rarest, whose postings are read, and the others, which are looked up in the candidates. */
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
  // The rarest term is always read; otherwise there would be no candidates.
  const affordable = rarest.filter((_, i) => {
    left -= frequencies[i]!;
    return left >= 0 || i === 0;
  });
  return { read: affordable, looked: rarest.filter((term) => !affordable.includes(term)) };
}

/** Multiplies the weights by the IDF in the corpus. */
function byCorpus(segments: readonly Segment[], expanded: readonly WeightedTerm[]): WeightedTerm[] {
  const idf = weigh(
    segments,
    expanded.map(({ term }) => term),
  );
  return expanded.map(({ term, weight }, i) => ({ term, weight: weight * idf[i]!.weight }));
}

/** Multiplies the weights by the IDF of the training sample: a close approximation that needs no read of the segments. */
function byModel(model: LsaModel, expanded: readonly WeightedTerm[]): WeightedTerm[] {
  return expanded.map(({ term, weight }) => {
    const row = model.rows.get(term);
    return { term, weight: weight * (row === undefined ? 0 : model.idf[row]!) };
  });
}
