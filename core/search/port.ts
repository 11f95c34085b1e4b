/**
 * The search port: what the features ask of an index, whatever stands behind it.
 * One contract suite (test/core/search) runs against every backend.
 */

import type { Permission } from '../models/permission.ts';

/** A value that filters and facets look at. Lists match when any member matches. */
export type FilterValue = string | number | boolean | readonly string[];

/** One document as the index takes it: text by field, and the values it can be filtered by. */
export interface SearchDocument {
  readonly id: string;
  /** Text by field name (for evidence: `title`, `abstract`, `terms`). Missing fields are empty. */
  readonly text: Readonly<Record<string, string>>;
  readonly filters: Readonly<Record<string, FilterValue>>;
}

/** A condition on one filter field; all conditions of a query hold together. Documents without the field fail it. */
export type Condition =
  | { readonly field: string; readonly in: readonly (string | number | boolean)[] }
  | { readonly field: string; readonly notIn: readonly (string | number | boolean)[] }
  | { readonly field: string; readonly from?: number; readonly to?: number };

export interface SearchQuery {
  readonly text: string;
  /** To hand the text to an embedding model outside this program; without it the built-in retrievers search alone. */
  readonly permission?: Permission | null;
  readonly limit: number;
  readonly offset?: number;
  readonly where?: readonly Condition[];
  /** Fields to count values of, over all matches of the text and the conditions. */
  readonly facets?: readonly string[];
}

/** Why a hit is where it is: its rank (from 1) and raw score in each leg that found it. */
export interface LegRank {
  readonly leg: 'bm25' | 'semantic' | 'ngram' | 'feedback';
  readonly rank: number;
  readonly score: number;
}

export interface SearchHit {
  readonly id: string;
  /** Fused score; comparable within one answer only. */
  readonly score: number;
  /** `bm25`, `semantic` for the legs that found it; `rrf_primary` when it is in the top ten of both. */
  readonly reasons: readonly string[];
  readonly legs: readonly LegRank[];
  /** Terms of the query (as written by the searcher) that the document holds. */
  readonly matched: readonly string[];
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** How many documents match lexically, or the fused candidates where that is more. */
  readonly total: number;
  /**
   * The greatest share of the query's weight (by IDF, unknown words as the rarest) that one of the first ten hits
   * holds, 0 to 1. Questions on the corpus's own subjects mostly reach 0.5 and more, those on others stay below 0.4.
   */
  readonly coverage?: number;
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface IndexState {
  readonly documents: number;
  /** The corpus revision that the index has caught up with; 0 when empty. */
  readonly revision: number;
  /** Changes whenever an answer may change: names the analyser, the legs' settings and the revision. */
  readonly version: string;
  /** `none` until enough documents are in to train the semantic leg. */
  readonly semantic: 'none' | 'ready';
}

/** How well one passage answers the text of its scorer. */
export interface PassageScore {
  /** Share of the text's IDF weight that the passage holds, 0 to 1. */
  readonly coverage: number;
  /** Cosine of text and passage in the semantic leg, -1 to 1; null when that leg knows too little of either. */
  readonly cosine: number | null;
  /** Terms of the text that the passage holds, in the text's order. */
  readonly held: readonly string[];
}

/** Holds passages (sentences, abstracts) against one text, with the word weights and the semantic leg of the index. */
export interface PassageScorer {
  /** Index terms of the text with their IDF. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  score(passage: string): PassageScore;
}

export interface SearchIndex {
  readonly name: 'in-process' | 'qdrant';
  state(): IndexState;
  /** Adds or replaces documents and removes others; visible to searches when the promise settles. */
  apply(change: { upsert?: readonly SearchDocument[]; remove?: readonly string[]; revision: number }): Promise<void>;
  /** Writes everything applied so far to disk (temporary file and rename), so that the next open starts from here. */
  persist(): Promise<void>;
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** Documents most like the one of this id, nearest first, itself left out; empty when it is unknown. */
  similar(id: string, options: { limit: number; where?: readonly Condition[] }): Promise<readonly SearchHit[]>;
  /** What a ranking or an answer weighs sentences with; any text. */
  scorer(text: string): PassageScorer;
  /** How many documents hold the index term of this one written word; 0 for a word that the corpus does not know. */
  frequency(word: string): number;
  /** Words of the corpus, as written, by how many documents hold their index term; for correcting what is typed. */
  words(): Iterable<readonly [word: string, documents: number]>;
  /** Drops all documents, in memory and on disk. */
  clear(): Promise<void>;
  close(): Promise<void>;
}
