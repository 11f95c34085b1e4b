/** The scalars of the search, chosen by measurement on public judgements: bench/search/README.md tells how. */

export interface SearchSettings {
  /** BM25, for words and for character n-grams. */
  readonly k1: number;
  readonly b: number;
  /** First round: what the candidates for the feedback are chosen by. */
  readonly first: { readonly bm25: number; readonly semantic: number; readonly ngram: number };
  /** Second round: the ranking. Each leg is divided by its best score first. */
  readonly second: {
    readonly bm25: number;
    readonly semantic: number;
    /** In place of `semantic` where the operator's sentence model takes part. */
    readonly embedded: number;
    readonly ngram: number;
    readonly title: number;
    readonly feedback: number;
    readonly nearby: number;
  };
  /** Relevance feedback (Rocchio): documents, terms, and the share of the query that becomes theirs. */
  readonly feedback: { readonly documents: number; readonly terms: number; readonly share: number };
  /** Feedback in the semantic leg: documents (weighted by the square of their score) and their share of the query. */
  readonly nearby: { readonly documents: number; readonly share: number };
  /** How many documents of a leg get a rank in the explanation. */
  readonly legDepth: number;
  /** Hits at most; deeper pages ask for more. */
  readonly depth: number;
  /** Least cosine for a document that only the semantic leg found. */
  readonly semanticFloor: number;
  /** The same when no document has a word of the query: below it the query is off topic. */
  readonly offTopicFloor: number;
  /** Least share of the query's n-grams (by IDF) in a document that holds none of its terms. */
  readonly ngramFloor: number;
  /** Up to this many documents all vectors are looked at; above, only those of the candidates by words and n-grams. */
  readonly exactVectors: number;
  /** How many documents the first round leaves for feedback and the ranking, and about as many more as tie with the last. */
  readonly candidates: number;
  /** Postings that the n-grams of one query may read per document of the corpus, the rarest grams first. */
  readonly gramPostings: number;
  /** Postings that the words of one query may read above `exactVectors`, and its n-grams at any size: the rarest first. */
  readonly mostPostings: number;
  readonly mostGramPostings: number;
}

export const SETTINGS: SearchSettings = {
  k1: 1.2,
  b: 0.75,
  first: { bm25: 0.4, semantic: 0.35, ngram: 0.5 },
  second: { bm25: 0.08, semantic: 0.04, embedded: 0.3, ngram: 0.3, title: 0.13, feedback: 0.15, nearby: 0.3 },
  feedback: { documents: 5, terms: 40, share: 0.5 },
  nearby: { documents: 10, share: 0.6 },
  legDepth: 100,
  depth: 300,
  semanticFloor: 0.1,
  offTopicFloor: 0.35,
  ngramFloor: 0.2,
  exactVectors: 250_000,
  candidates: 2_000,
  gramPostings: 4,
  mostPostings: 250_000,
  mostGramPostings: 150_000,
};

/** The semantic leg: dimensions, the power of the singular values, and the fewest documents to train on. */
export const LSA = { dimensions: 192, power: -0.5, documents: 200 };

export const LONGEST_QUERY = 2_000;
export const MOST_TERMS = 64;
/** Below this cosine two documents have a field in common, not a subject. */
export const SIMILAR_FLOOR = 0.3;
