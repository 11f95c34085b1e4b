/** Suggests follow-up questions that the base can answer. */
import { inSentence } from '#plugins/evidence/index.ts';
import type { InteractionServices } from '#plugins/interactions/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { Question } from './question.ts';
import type { Candidate } from './retrieval.ts';

const MOST = 3;

const byCount = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([slug]) => slug);

const count = (slugs: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  return counts;
};

interface Around {
  readonly terms: Terms;
  readonly interactions: InteractionServices;
  /** Sources near the question, whether they fit or not. */
  readonly near: readonly Candidate[];
}

const otherTopics = (question: Question, { terms, near }: Around): string[] => {
  const [supplement] = question.supplements;
  const asked = new Set(question.topics.map(({ slug }) => slug));
  const ofIt = near.filter(({ row }) => supplement && row.supplements.includes(supplement.slug));
  return byCount(count(ofIt.flatMap(({ row }) => row.topics)))
    .filter((slug) => !asked.has(slug) && slug !== 'safety')
    .flatMap((slug) => terms.topics.get(slug) ?? [])
    .map(({ name }) => `What do studies say about ${inSentence(supplement?.name ?? '')} and ${inSentence(name)}?`);
};

const otherSupplements = (question: Question, { terms, near }: Around): string[] => {
  const [topic] = question.topics;
  const asked = new Set(question.supplements.map(({ slug }) => slug));
  if (!topic) return [];
  return byCount(count(near.filter(({ row }) => row.topics.includes(topic.slug)).flatMap(({ row }) => row.supplements)))
    .filter((slug) => !asked.has(slug))
    .flatMap((slug) => terms.supplements.get(slug) ?? [])
    .map(({ name }) => `What do studies say about ${inSentence(name)} and ${inSentence(topic.name)}?`);
};

const safetyOf = async (question: Question, { interactions, near }: Around): Promise<string[]> => {
  const [supplement] = question.supplements;
  if (!supplement) return [];
  const asked = new Set(question.medicines.map(({ name }) => name.toLowerCase()));
  const rules = await interactions.ofSupplement(supplement.slug);
  const told =
    near.some(({ row }) => row.supplements.includes(supplement.slug) && row.topics.includes('safety')) ||
    (await interactions.cautions()).has(supplement.slug);
  const other = rules.find(
    ({ with: name, withKind }) => (withKind === 'drug' || withKind === 'class') && !asked.has(name.toLowerCase()),
  );
  return [
    ...(question.asks.has('harm') || !told
      ? []
      : [`What unwanted effects of ${inSentence(supplement.name)} were seen in studies?`]),
    ...(other ? [`Is there an interaction between ${inSentence(supplement.name)} and ${inSentence(other.with)}?`] : []),
  ];
};

/** Returns at most three questions, each about something in the base. */
export const followUps = async (question: Question, around: Around): Promise<string[]> => {
  const topics = otherTopics(question, around);
  const safety = await safetyOf(question, around);
  const others = otherSupplements(question, around);
  return [...new Set([topics[0], safety[0], safety[1], others[0], topics[1], others[1], topics[2], others[2]])]
    .filter((text) => text !== undefined)
    .slice(0, MOST);
};
