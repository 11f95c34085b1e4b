/** The scalars of both legs and of the semantic model, the same as those of the in-process index. */
import { createHash } from 'node:crypto';
import { ANALYSER_VERSION } from '../analyser.ts';
import type { FieldWeights } from '../segment.ts';

/** As measured for the in-process index (bench/search/README.md); a test holds the two backends' answers together. */
export const SEARCH = {
  k1: 1.2,
  b: 0.75,
  lexicalWeight: 1,
  semanticWeight: 1,
  shortQuery: 3,
  depth: 1000,
  semanticDepth: 200,
  semanticFloor: 0.15,
  offTopicFloor: 0.35,
  similarFloor: 0.3,
  longestQuery: 2_000,
  mostTerms: 64,
} as const;

/** Changes when the layout of points changes in a way that old collections cannot be read by. */
const LAYOUT = 1;

/** Eight hexadecimal digits in the names of collections: other settings, another collection. */
export function settingsDigest(fields: FieldWeights, semantic: string, feed: string): string {
  return createHash('sha256')
    .update(JSON.stringify([LAYOUT, ANALYSER_VERSION, fields, SEARCH, semantic, feed]))
    .digest('hex')
    .slice(0, 8);
}
