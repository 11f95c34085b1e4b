/** Which of the studied doses of a supplement belong to an outcome. */
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { OutcomeGrade } from './services.ts';

/**
 * Doses whose source also carries a finding on the outcome. What rests on retracted sources alone is left out, and of the
 * others the retracted sources.
 */
export const dosesFor = (
  { supplement_slug, topic_slug }: Pick<OutcomeGrade, 'supplement_slug' | 'topic_slug'>,
  { supplements }: Pick<Terms, 'supplements'>,
  retracted: ReadonlySet<string>,
) => {
  const entry = supplements.get(supplement_slug)?.entry;
  if (!entry) return [];
  const cited = new Set(entry.evidence.filter(({ topic }) => topic === topic_slug).flatMap(({ sources }) => sources));
  return entry.dosing.flatMap(({ context, dose, duration = '', sources }) => {
    const standing = sources.filter((ref) => !retracted.has(ref));
    return standing.some((ref) => cited.has(ref)) ? [{ context, dose, duration, sources: standing }] : [];
  });
};
