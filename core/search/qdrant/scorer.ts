/** Passages held against one text, with the figures of the collection as this node last read them. */
import { analyse } from '../analyser.ts';
import type { PassageScorer } from '../port.ts';
import type { Semantic } from './semantic.ts';
import { SEARCH } from './settings.ts';
import { type Statistics, weigh } from './statistics.ts';

/** As core/search/passage-scorer.ts, over statistics instead of segments. */
export function scorerFor(statistics: Statistics, semantic: Semantic | null, text: string): PassageScorer {
  const asked = [...new Set(analyse(text.slice(0, SEARCH.longestQuery)))].slice(0, SEARCH.mostTerms);
  const terms = weigh(statistics, asked);
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const embed = semantic?.embedTerms ?? (() => null);
  const vector = embed(asked);
  return {
    terms,
    score: (passage) => {
      const found = new Set(analyse(passage));
      const held = terms.filter(({ term }) => found.has(term));
      const other = vector && embed([...found]);
      return {
        coverage: whole === 0 ? 0 : held.reduce((sum, { weight }) => sum + weight, 0) / whole,
        cosine: other ? vector.reduce((sum, value, i) => sum + value * other[i]!, 0) : null,
        held: held.map(({ term }) => term),
      };
    },
  };
}
