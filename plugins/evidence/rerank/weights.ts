/**
 * Weights of the local reranker, trained by bench/search/train-reranker.ts on PubMedQA (MIT licence; Jin et al. 2019) and on
 * open-access articles under CC BY. They are sixteen numbers and contain no text of either. bench/search/README.md has the
 * figures.
 */
import type { Feature } from './features.ts';

export const WEIGHTS: Readonly<Record<Feature, number>> = {
  stage_score: 17.03,
  stage_rank: 1.06,
  bm25_score: 0.62,
  semantic_score: -1.94,
  cover: 1.51,
  cover_plain: 0.86,
  title_cover: -0.21,
  title_share: 0.65,
  sentence_cover: 1.27,
  three_sentences_cover: 0.83,
  first_cover: 0.44,
  sentences_touched: 0.06,
  cosine_sentence: 0.89,
  pairs: 1.25,
  ordered: 1.13,
  numbers: 0.71,
};
