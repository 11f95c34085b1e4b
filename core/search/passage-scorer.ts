/** Scores passages against one text: by the share of its IDF weight, and by similarity in the semantic space. */
import { analyse } from './analyser.ts';
import { documentFrequencies, inverseFrequency, type WeightedTerm } from './bm25.ts';
import { type LsaModel, projectQuery } from './lsa.ts';
import type { PassageScorer } from './port.ts';
import type { Segment } from './segment.ts';
import { LONGEST_QUERY, MOST_TERMS } from './settings.ts';

/** Builds a scorer from the current statistics of the index; later changes of the index do not affect it. */
export function passageScorer(segments: readonly Segment[], model: LsaModel | null, text: string): PassageScorer {
  const asked = askedTerms(text);
  const documents = segments.reduce((sum, segment) => sum + segment.live, 0);
  const frequencies = documentFrequencies(segments, asked);
  const terms = asked.map((term, i) => ({ term, weight: inverseFrequency(frequencies[i]!, documents) }));
  return weighPassages(terms, model && ((held) => projectQuery(model, held)));
}

/** Returns the distinct terms by which a text is scored. */
export const askedTerms = (text: string): string[] =>
  [...new Set(analyse(text.slice(0, LONGEST_QUERY)))].slice(0, MOST_TERMS);

/** Builds a scorer of these terms; `embed` returns their unit vector, or null for unknown terms, and is null without a model. */
export function weighPassages(
  terms: readonly WeightedTerm[],
  embed: ((terms: readonly string[]) => Float32Array | null) | null,
): PassageScorer {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const vector = embed?.(terms.map(({ term }) => term)) ?? null;
  return {
    terms,
    score: (passage) => {
      const found = new Set(analyse(passage));
      const held = terms.filter(({ term }) => found.has(term));
      const other = vector && embed?.([...found]);
      return {
        coverage: whole === 0 ? 0 : held.reduce((sum, { weight }) => sum + weight, 0) / whole,
        cosine: other ? vector.reduce((sum, value, i) => sum + value * other[i]!, 0) : null,
        held: held.map(({ term }) => term),
      };
    },
  };
}
