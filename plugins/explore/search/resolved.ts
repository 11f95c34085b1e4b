/** Describes the names in a query, and finds the questions and topics that it refers to. */
import { directionView, inSentence, namedIn, TIERS, tierView, type VerticalCount } from '#plugins/evidence/index.ts';
import type { InteractionBook } from '#plugins/interactions/index.ts';
import { CERTAINTY_WORDS, type OutcomeGrade } from '#plugins/outcomes/index.ts';
import { isExplained, type Terms } from '#plugins/vocabulary/index.ts';
import type { QueryName } from './query-names.ts';
import type { Reading } from './reading.ts';
import type { SearchView } from './search-view.ts';

const KIND_NAMES: Readonly<Record<QueryName['kind'], string>> = {
  supplement: 'supplement',
  condition: 'condition',
  substance: 'not a supplement page here',
  drug: 'medicine',
  class: 'group of medicines',
};

const hrefOf = ({ kind, slug }: QueryName, book: InteractionBook): string => {
  if (kind === 'supplement' || kind === 'condition') return `/${kind}s/${slug}`;
  if (kind === 'substance') return book.address(slug) ? `/interactions/${book.hubOf('subject', slug)}` : '';
  return `/interactions/${book.hubOf(kind, slug)}`;
};

export const resolvedView = (
  names: readonly QueryName[],
  book: InteractionBook,
  terms: Terms,
): SearchView['resolved'] =>
  names.map((name) => {
    const isSubject = name.kind === 'substance' || name.kind === 'supplement';
    const substance = isSubject ? terms.substances.get(name.slug) : undefined;
    const noun = name.kind === 'supplement' ? 'supplement' : 'substance';
    const kind = substance && !isExplained(substance.kind) ? `${substance.kind} ${noun}` : KIND_NAMES[name.kind];
    const { words, sure } = name;
    return { words, sure, name: name.name, kind, href: hrefOf(name, book), note: substance?.statement ?? '' };
  });

export interface Questions {
  readonly counts: readonly VerticalCount[];
  readonly grades: readonly OutcomeGrade[];
}

const gradeOf = (grade: OutcomeGrade | undefined): SearchView['questions'][number]['grade'] =>
  grade?.assessed
    ? {
        direction: directionView(grade.direction),
        certainty: { level: grade.certainty, word: CERTAINTY_WORDS[grade.certainty] },
        people: grade.people,
      }
    : null;

/** Returns the questions with sources of which the query names both the supplement and the topic. */
export const questionsOf = (
  { text, names }: Pick<Reading, 'text' | 'names'>,
  terms: Terms,
  { counts, grades }: Questions,
): SearchView['questions'] => {
  const supplements = new Set(names.flatMap(({ kind, slug }) => (kind === 'supplement' ? [slug] : [])));
  const topics = new Set(namedIn(text, terms).topics.map(({ slug }) => slug));
  const byVertical = new Map(grades.map((grade) => [grade.vertical, grade]));
  return counts
    .filter(({ supplement, topic }) => supplements.has(supplement) && topics.has(topic))
    .map(({ vertical, supplement, topic, tiers }) => {
      const best = TIERS.find((tier) => tiers[tier] > 0);
      return {
        name: `${terms.supplements.get(supplement)?.name ?? supplement} and ${inSentence(terms.topics.get(topic)?.name ?? topic)}`,
        href: `/evidence/${vertical}`,
        tier: best ? tierView(best) : null,
        sources: TIERS.reduce((sum, tier) => sum + tiers[tier], 0),
        grade: gradeOf(byVertical.get(vertical)),
      };
    });
};

/** Returns the topics of the conditions in the query, and the topics that the query names itself. */
export const topicsOf = (text: string, names: readonly QueryName[], terms: Terms) => {
  const ofConditions = names.flatMap(({ kind, slug }) =>
    kind === 'condition' ? (terms.conditions.get(slug)?.topics ?? []) : [],
  );
  const slugs = new Set([...ofConditions, ...namedIn(text, terms).topics.map(({ slug }) => slug)]);
  return [...slugs].flatMap((slug) => terms.topics.get(slug) ?? []);
};

/**
 * Removes the names of medicines from the text for the product search: labels do not name medicines, so these words would be
 * misread as others. Returns the whole text when nothing else is left.
 */
export const wordsOfProducts = (text: string, names: readonly QueryName[]): string => {
  const medicines = names.filter(({ kind }) => kind === 'drug' || kind === 'class');
  const rest = medicines.reduce((left, { words }) => left.replace(words, ' '), text);
  return /[\p{L}\d]/u.test(rest) ? rest.replace(/\s+/g, ' ').trim() : text;
};
