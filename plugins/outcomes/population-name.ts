import { inSentence } from '#plugins/evidence/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { type Population, populationInWords } from './grading/population.ts';

/** Returns a population in words, such as "adults with depression", with the name on the illness's page. */
export const nameOfPopulation = (population: Population, { conditions }: Terms): string =>
  populationInWords(population, inSentence(conditions.get(population.condition)?.name ?? ''));
