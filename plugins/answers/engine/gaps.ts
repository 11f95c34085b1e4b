/** Lists what the quoted sources together cannot show: fixed sentences from counts over their fields, each with its marks. */
import { type EvidenceItem, isTier } from './evidence-item.ts';

export interface Gap {
  readonly text: string;
  readonly citations: readonly number[];
}

const POOLED = new Set(['meta_analysis', 'systematic_review']);
const SMALL = 100;

/** Returns at most two gaps, the most important first. `items` must be in the order of their marks. */
export const gapsOf = (items: readonly EvidenceItem[]): readonly Gap[] => {
  const all = items.map((_, at) => at + 1);
  const people = items.filter(({ row }) => row.species === 'human');
  const trials = people.filter(({ row }) => row.evidenceLevel === 'rct');
  const pooled = people.some(({ row }) => POOLED.has(row.evidenceLevel));
  const sizes = trials.map(({ row }) => row.sampleSizeN ?? Number.POSITIVE_INFINITY);
  const gaps: Gap[] = [];
  if (!people.length) gaps.push({ text: 'None of the sources quoted is a study in people.', citations: all });
  else if (!trials.length && !pooled)
    gaps.push({ text: 'None of the sources quoted is a randomised trial or a review of trials.', citations: all });
  else if (!pooled && sizes.length > 0 && Math.max(...sizes) < SMALL)
    gaps.push({
      text: `Every randomised trial quoted had fewer than ${SMALL} people.`,
      citations: all.filter((n) => trials.includes(items[n - 1]!)),
    });
  if (items.length && !items.some((item) => isTier(item, 'A', 'B')))
    gaps.push({
      text: 'None of the sources quoted reaches tier A or B, so a finding may change with the next study.',
      citations: all,
    });
  const paid = people.filter(({ row }) => row.funding === 'industry');
  if (paid.length > 1 && paid.length === people.length)
    gaps.push({
      text: 'Industry alone paid for every study in people quoted here.',
      citations: all.filter((n) => paid.includes(items[n - 1]!)),
    });
  return gaps.slice(0, 2);
};
