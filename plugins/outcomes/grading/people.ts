/** How many people stand behind some sources, as far as they are known to be of this supplement and this outcome. Pure. */
import { isPooled, type OutcomeSource, studiesOf } from './source.ts';
import type { VerdictQuestion } from './verdict.ts';

export interface People {
  /** Null when no size is known. */
  readonly count: number | null;
  /** More may stand behind it: some size is not known, or reviews and trials overlap. */
  readonly at_least: boolean;
}

/** A review of several supplements does not say how many of its people took which. */
export const isOfSeveral = (source: Pick<OutcomeSource, 'evidenceLevel' | 'supplements' | 'wider'>): boolean =>
  isPooled(source) && (source.wider || source.supplements.length > 1);

/** People behind the figures of a source on the outcome, where an editor entered them; each group of people once. */
const behindFigures = ({ effectSizes, sampleSizeN }: OutcomeSource, topic: string): number | null => {
  const groups = new Map<string, number>();
  for (const { topic: on, people, population = '' } of effectSizes)
    if (on === topic && people) groups.set(population, Math.max(people, groups.get(population) ?? 0));
  if (!groups.size) return null;
  const sum = [...groups.values()].reduce((total, people) => total + people, 0);
  return sampleSizeN === null ? sum : Math.min(sum, sampleSizeN);
};

/** Null where the source does not say, or says it of several supplements together. */
export const peopleOf = (source: OutcomeSource, { supplement, topic }: VerdictQuestion): number | null => {
  // Figures are of the supplement that the source names first.
  const entered = source.supplements[0] === supplement ? behindFigures(source, topic) : null;
  return entered ?? (isOfSeveral(source) ? null : source.sampleSizeN);
};

/** Studies that a review pools, where it is of this supplement alone. */
export const pooledStudies = (source: OutcomeSource): number | null => (isOfSeveral(source) ? null : studiesOf(source));

/** Added up over studies; where reviews pool them, the larger of the largest review and the sum of the other studies. */
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

/** "1,208", "at least 1,208", "not stated" or "none". */
export const peopleInWords = ({ count, at_least }: People, sources: number): string => {
  if (!sources) return 'none';
  if (count === null) return 'not stated';
  return `${at_least ? 'at least ' : ''}${figures.format(count)}`;
};
