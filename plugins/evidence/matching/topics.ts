import { BROAD_TOPICS, NOT_TOPIC, POPULATION_WORDS } from './exclusions.ts';
import type { Fields, Finding } from './fields.ts';
import type { Match, Where } from './vocabulary.ts';

const MOST_TOPICS = 4;

// A topic needs three points: one mention in the title, a descriptor with a mention in the text, or repeated mentions in the
// abstract, where mentions in the conclusion count double.
const POINTS = { title: 6, terms: 2, abstract: 1, conclusion: 2 } as const;
const LEAST = 3;
const LEAST_BROAD = 5;
const MOST_FROM_ABSTRACT = 5;

const isSomethingElse = ({ tokens, from, to }: Finding): boolean => {
  const first = NOT_TOPIC[tokens[from]?.word ?? ''];
  const last = NOT_TOPIC[tokens[to - 1]?.word ?? ''];
  return first?.before?.has(tokens[from - 1]?.word ?? '') === true || last?.next?.has(tokens[to]?.word ?? '') === true;
};

interface Tally {
  title: number;
  terms: number;
  abstract: number;
  first: Where;
}

const RANK: Readonly<Record<Where, number>> = { title: 0, terms: 1, abstract: 2 };

const add = (tallies: Map<string, Tally>, { entry, where, inConclusion, tokens, from }: Finding): void => {
  const tally = tallies.get(entry.slug) ?? { title: 0, terms: 0, abstract: 0, first: where };
  tallies.set(entry.slug, tally);
  if (RANK[where] < RANK[tally.first]) tally.first = where;
  const whoWasStudied = POPULATION_WORDS.has(tokens[from]?.word ?? '');
  if (where === 'title') tally.title = Math.max(tally.title, whoWasStudied ? POINTS.abstract : POINTS.title);
  else if (where === 'terms') tally.terms = POINTS.terms;
  else if (!whoWasStudied) {
    tally.abstract = Math.min(
      MOST_FROM_ABSTRACT,
      tally.abstract + (inConclusion ? POINTS.conclusion : POINTS.abstract),
    );
  }
};

/** Returns the topics that a record is about, strongest first, at most four. */
export const rankTopics = ({ findings }: Fields): Match[] => {
  const tallies = new Map<string, Tally>();
  for (const finding of findings)
    if (finding.entry.kind === 'topic' && !isSomethingElse(finding)) add(tallies, finding);
  const ranked = [...tallies]
    .map(([slug, { title, terms, abstract, first }]) => ({ slug, where: first, points: title + terms + abstract }))
    .filter(({ slug, points }) => points >= (BROAD_TOPICS.has(slug) ? LEAST_BROAD : LEAST))
    .sort((left, right) => right.points - left.points || (left.slug < right.slug ? -1 : 1));
  // A level in the blood counts as an outcome only when there is no other.
  const better = ranked.filter(({ slug }) => slug !== 'nutrient-status');
  const kept = better.length > 0 ? better : ranked;
  return kept.slice(0, MOST_TOPICS).map(({ slug, where }) => ({ slug, where }));
};
