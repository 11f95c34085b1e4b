/** Parameters of the search, chosen by measurement on public relevance judgements, as bench/search/README.md describes. */

export interface SearchSettings {
  /** BM25 parameter of the word and n-gram retrievers. */
  readonly k1: number;
  readonly b: number;
  /** Weights of the first round, which selects the candidates for the feedback. */
  readonly first: { readonly bm25: number; readonly semantic: number; readonly ngram: number };
  /** Weights of the second round, which is the final ranking. Each retriever is divided by its best score first. */
  readonly second: {
    readonly bm25: number;
    readonly semantic: number;
    /** Replaces `semantic` when the operator's sentence model contributes. */
    readonly embedded: number;
    readonly ngram: number;
    readonly title: number;
    readonly feedback: number;
    readonly nearby: number;
  };
  /** Relevance feedback (Rocchio): number of documents and terms, and the weight of the terms in the expanded query, 0 to 1. */
  readonly feedback: { readonly documents: number; readonly terms: number; readonly share: number };
  /** Feedback of vectors: number of documents (weighted by the square of their score) and their weight in the query, 0 to 1. */
  readonly nearby: { readonly documents: number; readonly share: number };
  /** Number of documents per retriever that get a rank in the explanation. */
  readonly legDepth: number;
  /** Number of documents in the final ranking; deeper pages raise it in multiples. */
  readonly depth: number;
  /** Minimum cosine of a document that only the semantic retriever found. */
  readonly semanticFloor: number;
  /** The same minimum when no document contains a word of the query: below it, the query is off topic. */
  readonly offTopicFloor: number;
  /** Minimum share of the query's n-grams (by IDF) in a document that contains none of its terms. */
  readonly ngramFloor: number;
  /** Up to this many documents all vectors are compared; above, only those of the candidates by words and n-grams. */
  readonly exactVectors: number;
  /** Number of documents that the first round selects, plus up to as many more that nearly tie with the last one. */
  readonly candidates: number;
  /** Postings that the n-grams of one query may read per document of the corpus, the rarest grams first. */
  readonly gramPostings: number;
  /** Postings that the words of one query may read above `exactVectors`, and its n-grams at any size, the rarest first. */
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

/** Semantic retriever: dimensions, exponent of the singular values, and the minimum number of documents to train on. */
export const LSA = { dimensions: 192, power: -0.5, documents: 200 };

export const LONGEST_QUERY = 2_000;
export const MOST_TERMS = 64;
/** Below this cosine two documents share a field, not a subject. */
export const SIMILAR_FLOOR = 0.3;
