/** What sort of range it is, where it is not the interval of healthy people: a goal is no limit of what is normal. */
import type { MarkerRange } from '#plugins/biomarkers/index.ts';

const WORDS: Readonly<Record<MarkerRange['kind'], string>> = {
  interval: '',
  threshold: ', a threshold',
  goal: ', a goal',
};

/** ", a goal", to follow the bounds; "" for an interval. */
export const kindInWords = ({ kind }: Pick<MarkerRange, 'kind'>): string => WORDS[kind];
