/** Weighs passages against one text: share of its IDF weight, and likeness in the semantic leg. */
import { analyse } from './analyser.ts';
import { documentFrequencies, inverseFrequency } from './bm25.ts';
import { type LsaModel, projectQuery } from './lsa.ts';
import type { PassageScorer } from './port.ts';
import type { Segment } from './segment.ts';

const MOST_TERMS = 64;

/** A scorer with the figures of the index as it is now; it stays valid, and as it was, when the index changes. */
export function passageScorer(segments: readonly Segment[], model: LsaModel | null, text: string): PassageScorer {
  const asked = [...new Set(analyse(text.slice(0, 2_000)))].slice(0, MOST_TERMS);
  const documents = segments.reduce((sum, segment) => sum + segment.live, 0);
  const frequencies = documentFrequencies(segments, asked);
  const terms = asked.map((term, i) => ({ term, weight: inverseFrequency(frequencies[i]!, documents) }));
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const vector = model && projectQuery(model, asked);
  return {
    terms,
    score: (passage) => {
      const found = new Set(analyse(passage));
      const held = terms.filter(({ term }) => found.has(term));
      const other = vector && model && projectQuery(model, [...found]);
      return {
        coverage: whole === 0 ? 0 : held.reduce((sum, { weight }) => sum + weight, 0) / whole,
        cosine: other ? vector.reduce((sum, value, i) => sum + value * other[i]!, 0) : null,
        held: held.map(({ term }) => term),
      };
    },
  };
}
