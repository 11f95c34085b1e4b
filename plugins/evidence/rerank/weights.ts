/**
 * Weights of the local reranker, learned by bench/search/train-reranker.ts from PubMedQA (MIT licence; Jin et al. 2019)
 * and from open-access articles under CC BY; sixteen numbers, no text of either. bench/search/README.md has the figures.
 */
import type { Feature } from './features.ts';

export const WEIGHTS: Readonly<Record<Feature, number>> = {
  stage_score: 16.74,
  stage_rank: 1,
  bm25_score: 0.52,
  semantic_score: -1.63,
  cover: 1.25,
  cover_plain: 1.15,
  title_cover: -0.19,
  title_share: 0.98,
  sentence_cover: 1.41,
  three_sentences_cover: 0.73,
  first_cover: 0.79,
  sentences_touched: 0.16,
  cosine_sentence: 0.77,
  pairs: 0.99,
  ordered: 1.03,
  numbers: 0.76,
};
