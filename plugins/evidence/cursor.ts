/** Opaque places in a list: JSON in base64url. */
import { invalid } from '#core/http/validate.ts';

export const encodeCursor = (place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** @throws 422 for a text that is no cursor of this length. */
export const decodeCursor = (cursor: string, length: number): readonly (string | number)[] => {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const good =
      Array.isArray(place) &&
      place.length === length &&
      place.every((part) => ['string', 'number'].includes(typeof part));
    if (good) return place as (string | number)[];
  } catch {
    // falls through to the one answer for every bad cursor
  }
  throw invalid('query', 'cursor', 'Value is not a cursor of this list', cursor);
};
