/** Builds the PubMed query of each supplement. */

import type { SupplementRow, Terms } from '#plugins/vocabulary/index.ts';

/** Study designs that answer questions on effects, in PubMed's filter syntax. */
const DESIGNS =
  '(randomized controlled trial[pt] OR meta-analysis[pt] OR systematic review[pt] OR practice guideline[pt])';

/** Minimum length of a synonym; short abbreviations (ALA, SAM) mean something else in most titles. */
const SHORTEST_SYNONYM = 5;

const phrases = (terms: readonly string[]): string => {
  const plain = terms.map((term) =>
    term
      .replace(/["[\]()]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const distinct = new Map(plain.filter(Boolean).map((term) => [term.toLowerCase(), term]));
  return [...distinct.values()].map((term) => `"${term}"[tiab]`).join(' OR ');
};

/** Returns the terms of the topics that content/plan.yaml pairs with a supplement, as `<supplement>-<topic>`. */
const plannedTerms = (slug: string, terms: Terms, plan: ReadonlySet<string>): readonly string[] =>
  [...terms.topics.values()]
    .filter((topic) => plan.has(`${slug}-${topic.slug}`))
    .flatMap((topic) => [...topic.terms, topic.name]);

/**
 * Returns the query for a supplement: its names, a suitable study design, and either PubMed's heading for dietary supplements or
 * a term of one of the topics planned for it. Many trials of foods and stimulants lack the heading.
 */
export const supplementQuery = (supplement: SupplementRow, terms: Terms, plan: ReadonlySet<string>): string => {
  const { slug, name, latinName, synonyms } = supplement;
  const names = phrases([name, latinName, ...synonyms.filter((word) => word.length >= SHORTEST_SYNONYM)]);
  const topics = phrases(plannedTerms(slug, terms, plan));
  const scope = topics ? `(dietary supplements[mh] OR ${topics})` : 'dietary supplements[mh]';
  return `(${names}) AND ${DESIGNS} AND ${scope}`;
};
