/** Describes the kind of a range unless it is the interval of healthy people: a goal is not a limit of normal values. */
import type { MarkerRange } from '#plugins/biomarkers/index.ts';

const WORDS: Readonly<Record<MarkerRange['kind'], string>> = {
  interval: '',
  threshold: ', a threshold',
  goal: ', a goal',
};

/** Returns a text to follow the bounds, such as ", a goal"; "" for an interval. */
export const kindInWords = ({ kind }: Pick<MarkerRange, 'kind'>): string => WORDS[kind];
