import { inSentence } from '#plugins/evidence/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { type Population, populationInWords } from './grading/population.ts';

/** "adults with depression", with the name that the page of the illness has. */
export const nameOfPopulation = (population: Population, { conditions }: Terms): string =>
  populationInWords(population, inSentence(conditions.get(population.condition)?.name ?? ''));
