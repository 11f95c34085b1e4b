import type { Host } from '#core/plugin.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { compileLabelMatcher, type LabelMatcher, MATCHER_VERSION } from './matching/matcher.ts';

export interface ProductServices {
  /** The matcher for the vocabulary as it is now; compiled once per state of it. */
  matcher(): Promise<LabelMatcher>;
  stop(): Promise<void>;
}

export const startProducts = (host: Host): ProductServices => {
  const vocabulary: VocabularyServices = host.use(vocabularyPlugin);
  let kept: { digest: string; matcher: LabelMatcher } | null = null;
  return {
    matcher: async () => {
      const { supplements, digest } = await vocabulary.terms();
      if (kept?.digest !== digest) kept = { digest, matcher: compileLabelMatcher(supplements.values()) };
      return kept.matcher;
    },
    stop: async () => undefined,
  };
};
void MATCHER_VERSION;
