/** Chooses which of the fitting sources are quoted, and in which order. */
import { type EvidenceItem, isInPeople, isRegistered } from './evidence-item.ts';

/** Returns the score by which sources compete for the limited places: relevance, quality, and how well the quote answers. */
const worth = ({ relevance, quote, row }: EvidenceItem): number =>
  relevance * 0.45 + (row.qualityScore / 100) * 0.4 + Math.min(1.5, Math.max(0, quote.score)) * 0.2;

const byWorth = (a: EvidenceItem, b: EvidenceItem): number =>
  worth(b) - worth(a) || (a.row.sourceId < b.row.sourceId ? -1 : 1);

/** Compares items: studies in people first, then the strongest, then the newest. */
export const byStrength = (a: EvidenceItem, b: EvidenceItem): number =>
  Number(isInPeople(b)) - Number(isInPeople(a)) ||
  b.row.qualityScore - a.row.qualityScore ||
  (b.row.year ?? 0) - (a.row.year ?? 0) ||
  (a.row.sourceId < b.row.sourceId ? -1 : 1);

const ENOUGH_IN_PEOPLE = 3;

/** Ensures that both sides are quoted: when a stance is missing, its best source takes the last place. */
const withOtherSide = (chosen: readonly EvidenceItem[], rest: readonly EvidenceItem[]): readonly EvidenceItem[] => {
  if (chosen.length < 2) return chosen;
  const missing = (['supports', 'contradicts'] as const).find(
    (stance) => !chosen.some((item) => item.stance === stance) && rest.some((item) => item.stance === stance),
  );
  const other = rest.find((item) => item.stance === missing);
  return missing && other ? [...chosen.slice(0, -1), other] : chosen;
};

/** Interleaves outcomes: one source of each before a second one of any, the most frequent outcomes first. */
const spreadOut = (ranked: readonly EvidenceItem[]): readonly EvidenceItem[] => {
  const groups = new Map<string, EvidenceItem[]>();
  for (const item of ranked) {
    const topic = item.row.topics[0] ?? '';
    groups.set(topic, [...(groups.get(topic) ?? []), item]);
  }
  const lists = [...groups.values()].sort((a, b) => b.length - a.length);
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
};

/**
 * Returns at most `most` items, strongest first. Studies in animals and cells are used only when there are few in people.
 * `spread` distributes the items across outcomes.
 */
export const chooseEvidence = (
  items: readonly EvidenceItem[],
  { most, spread }: { readonly most: number; readonly spread: boolean },
): readonly EvidenceItem[] => {
  const studies = items.filter((item) => !isRegistered(item)).sort(byWorth);
  const people = studies.filter(isInPeople);
  const others = studies.filter((item) => !isInPeople(item));
  const fitting = people.length >= ENOUGH_IN_PEOPLE ? people : [...people, ...others];
  const ranked = spread ? spreadOut(fitting) : fitting;
  const chosen = withOtherSide(ranked.slice(0, most), ranked.slice(most));
  return [...chosen].sort(byStrength);
};
