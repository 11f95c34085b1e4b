/** Counts the people in some sources, as far as they are known to concern this supplement and this outcome. Pure functions. */
import { isPooled, type OutcomeSource, studiesOf } from './source.ts';
import type { VerdictQuestion } from './verdict.ts';

export interface People {
  /** Null when no size is known. */
  readonly count: number | null;
  /** True when the real number may be higher, because some sizes are unknown or reviews and trials overlap. */
  readonly at_least: boolean;
}

/** Returns whether a source is a review of several supplements, which does not state how many people took each one. */
export const isOfSeveral = (source: Pick<OutcomeSource, 'evidenceLevel' | 'supplements' | 'wider'>): boolean =>
  isPooled(source) && (source.wider || source.supplements.length > 1);

/**
 * Returns the number of people behind the effect sizes that an editor entered for the outcome; each group of people counts once.
 */
const behindFigures = ({ effectSizes, sampleSizeN }: OutcomeSource, topic: string): number | null => {
  const groups = new Map<string, number>();
  for (const { topic: on, people, population = '' } of effectSizes)
    if (on === topic && people) groups.set(population, Math.max(people, groups.get(population) ?? 0));
  if (!groups.size) return null;
  const sum = [...groups.values()].reduce((total, people) => total + people, 0);
  return sampleSizeN === null ? sum : Math.min(sum, sampleSizeN);
};

/** Returns the number of people of a source; null when it does not state it, or states it for several supplements together. */
export const peopleOf = (source: OutcomeSource, { supplement, topic }: VerdictQuestion): number | null => {
  // Effect sizes concern the supplement that the source names first.
  const entered = source.supplements[0] === supplement ? behindFigures(source, topic) : null;
  return entered ?? (isOfSeveral(source) ? null : source.sampleSizeN);
};

/** Returns the number of studies that a review pools, if it is about this supplement alone. */
export const pooledStudies = (source: OutcomeSource): number | null => (isOfSeveral(source) ? null : studiesOf(source));

/** Counts people: the sum over single studies or the largest review, whichever is larger, since reviews overlap with studies. */
export const countPeople = (sources: readonly OutcomeSource[], question: VerdictQuestion): People => {
  const sizes = (rows: readonly OutcomeSource[]) => rows.flatMap((source) => peopleOf(source, question) ?? []);
  const pooled = sizes(sources.filter(isPooled));
  const single = sizes(sources.filter((source) => !isPooled(source)));
  if (!pooled.length && !single.length) return { count: null, at_least: false };
  const sum = single.reduce((total, size) => total + size, 0);
  const known = pooled.length + single.length;
  return {
    count: Math.max(0, ...pooled, sum),
    at_least: known < sources.length || (sources.some(isPooled) && sources.length > 1),
  };
};

const figures = new Intl.NumberFormat('en-GB');

/** Returns "1,208", "at least 1,208", "not stated" or "none". */
export const peopleInWords = ({ count, at_least }: People, sources: number): string => {
  if (!sources) return 'none';
  if (count === null) return 'not stated';
  return `${at_least ? 'at least ' : ''}${figures.format(count)}`;
};
