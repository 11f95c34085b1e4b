import type { Models } from '#core/models/port.ts';
import type { SearchIndex } from '#core/search/port.ts';
import { crossEncoderReranker } from './cross-encoder-reranker.ts';
import { localReranker } from './local-reranker.ts';
import type { Reranker } from './reranker.ts';

/**
 * Creates the reranker: the operator's cross-encoder, where one is configured, with the local reranker as fallback, else the
 * local reranker.
 */
export const createReranker = ({ crossEncoder }: Pick<Models, 'crossEncoder'>, index: SearchIndex): Reranker => {
  const local = localReranker((text) => index.scorer(text));
  return crossEncoder ? crossEncoderReranker(crossEncoder, local) : local;
};
