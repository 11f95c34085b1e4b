import type { Host } from '#core/plugin.ts';
import { devicesPlugin } from '#plugins/devices/index.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type Catalogue, startCatalogue } from './catalogue.ts';
import { imageHolding } from './images/holding.ts';
import { type HasImages, startImages } from './images/index.ts';
import { compileLabelMatcher, type LabelMatcher, matcherVersion } from './matching/matcher.ts';
import { type StarterLoading, startLoading } from './starter-loading.ts';

/** The matcher for a version of the vocabulary, and the version that is stored with products matched by it. */
export interface Matching {
  readonly matcher: LabelMatcher;
  readonly version: string;
}

export interface ProductServices extends Catalogue, HasImages {
  /** Returns the matcher, compiled once per version of the vocabulary. */
  matching(): Promise<Matching>;
  readonly starter: StarterLoading;
  /** Returns the progress of loading the starter catalogue, or null when it is disabled. */
  progress(): ReturnType<StarterLoading['progress']>;
  stop(): Promise<void>;
}

const matchingFor = (vocabulary: VocabularyServices): (() => Promise<Matching>) => {
  let kept: { digest: string; matching: Matching } | null = null;
  return async () => {
    const terms = await vocabulary.terms();
    const version = kept?.digest === terms.digest ? kept.matching.version : matcherVersion(terms.supplements.values());
    // A change of topics changes the digest of the vocabulary, but not the matcher.
    const matcher =
      kept?.matching.version === version ? kept.matching.matcher : compileLabelMatcher(terms.supplements.values());
    kept = { digest: terms.digest, matching: { matcher, version } };
    return kept.matching;
  };
};

export const startProducts = (host: Host): ProductServices => {
  host.use(devicesPlugin).hold(imageHolding);
  const matching = matchingFor(host.use(vocabularyPlugin));
  const starter = startLoading(host, matching);
  const catalogue = startCatalogue(host);
  return {
    ...catalogue,
    images: startImages(host),
    matching,
    starter,
    progress: starter.progress,
    stop: async () => {
      await catalogue.stopCatalogue();
      await starter.stop();
    },
  };
};
