import { invalid } from '#core/http/validate.ts';

/**
 * Checks that years are 0 for "not given" or from 1800, and in order.
 * @throws AppError 422
 */
export const checkYears = ({ year_from, year_to }: { year_from: number; year_to: number }): void => {
  for (const [name, year] of [
    ['year_from', year_from],
    ['year_to', year_to],
  ] as const) {
    if (year && year < 1800) throw invalid('query', name, 'Input should be 0 or greater than or equal to 1800', year);
  }
  if (year_from && year_to && year_from > year_to)
    throw invalid('query', 'year_from', 'year_from should not be after year_to', year_from);
};
