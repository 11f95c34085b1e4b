/**
 * The search port: the contract between the features and a search index, whichever backend implements it.
 * One contract test suite (test/core/search) runs against every backend.
 */

import type { Permission } from '../models/permission.ts';

/** A value for filters and facets. A list matches when any of its members matches. */
export type FilterValue = string | number | boolean | readonly string[];

/** A document to index: its text by field, and the values by which it can be filtered. */
export interface SearchDocument {
  readonly id: string;
  /** Text by field name (for evidence: `title`, `abstract`, `terms`). Missing fields are empty. */
  readonly text: Readonly<Record<string, string>>;
  readonly filters: Readonly<Record<string, FilterValue>>;
}

/** A condition on one filter field. A document must meet all conditions of a query; one that lacks the field fails. */
export type Condition =
  | { readonly field: string; readonly in: readonly (string | number | boolean)[] }
  | { readonly field: string; readonly notIn: readonly (string | number | boolean)[] }
  | { readonly field: string; readonly from?: number; readonly to?: number };

export interface SearchQuery {
  readonly text: string;
  /** Permission to send the text to an embedding model outside this program; without it only the built-in retrievers run. */
  readonly permission?: Permission | null;
  readonly limit: number;
  readonly offset?: number;
  readonly where?: readonly Condition[];
  /** Fields whose values are counted over all documents that match the text and the conditions. */
  readonly facets?: readonly string[];
}

/** The rank (from 1) and the raw score of a hit in one retriever that found it. */
export interface LegRank {
  readonly leg: 'bm25' | 'semantic' | 'ngram' | 'feedback';
  readonly rank: number;
  readonly score: number;
}

export interface SearchHit {
  readonly id: string;
  /** Fused score; comparable within one result list only. */
  readonly score: number;
  /**
   * The retrievers that found the document: `bm25` and `semantic`, or `ngram` and `feedback` when neither of those did;
   * and `rrf_primary` when the document is in the top ten of both `bm25` and `semantic`.
   */
  readonly reasons: readonly string[];
  readonly legs: readonly LegRank[];
  /** Words of the query, as typed, that the document contains. */
  readonly matched: readonly string[];
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Number of documents that match lexically, or of fused candidates if that is greater. */
  readonly total: number;
  /**
   * The highest share of the query's weight (sum of IDF; an unknown word has the highest IDF) that one of the first ten
   * hits contains, 0 to 1. Questions on the corpus's subjects mostly reach 0.5 or more; others stay below 0.4.
   */
  readonly coverage?: number;
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface IndexState {
  readonly documents: number;
  /** Corpus revision up to which the index is current; 0 when empty. */
  readonly revision: number;
  /** Changes whenever a result may change; contains the analyser, the retrievers' settings and the revision. */
  readonly version: string;
  /** `none` until the corpus is large enough and the model of the semantic retriever has been trained. */
  readonly semantic: 'none' | 'ready';
}

/** How well one passage matches the text of its scorer. */
export interface PassageScore {
  /** Share of the text's IDF weight that the passage contains, 0 to 1. */
  readonly coverage: number;
  /** Cosine of text and passage in the semantic space, -1 to 1; null without a model or when it knows no term of either. */
  readonly cosine: number | null;
  /** Terms of the text that the passage contains, in the text's order. */
  readonly held: readonly string[];
}

/** Scores passages (sentences, abstracts) against one text, with the IDF weights and the semantic model of the index. */
export interface PassageScorer {
  /** Index terms of the text with their IDF. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  score(passage: string): PassageScore;
}

export interface SearchIndex {
  readonly name: 'in-process' | 'qdrant';
  state(): IndexState;
  /** Adds or replaces documents and removes others; searches see the change when the promise settles. */
  apply(change: { upsert?: readonly SearchDocument[]; remove?: readonly string[]; revision: number }): Promise<void>;
  /** Writes everything applied so far to disk (temporary file and rename), so that the next open starts from that state. */
  persist(): Promise<void>;
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** Returns the documents most similar to the given one, nearest first, without itself; empty when the id is unknown. */
  similar(id: string, options: { limit: number; where?: readonly Condition[] }): Promise<readonly SearchHit[]>;
  /** Returns a scorer of passages against `text`, which may be any text. */
  scorer(text: string): PassageScorer;
  /** Returns how many documents contain the index term of one word as typed; 0 for a word that the corpus does not contain. */
  frequency(word: string): number;
  /** Yields the words of the corpus, folded but not stemmed, with their document frequencies; for spelling correction. */
  words(): Iterable<readonly [word: string, documents: number]>;
  /** Deletes all documents, in memory and on disk. */
  clear(): Promise<void>;
  close(): Promise<void>;
}
