/** Encodes positions in a list as opaque cursors: JSON in base64url. */
import { invalid } from '#core/http/validate.ts';

/** A number and a text: a score and an id, or a rank and the version for which it is valid. */
type CursorPlace = readonly [number, string];

export const encodeCursor = (place: CursorPlace): string => Buffer.from(JSON.stringify(place)).toString('base64url');

const isPlace = (value: unknown): value is CursorPlace =>
  Array.isArray(value) &&
  value.length === 2 &&
  Number.isFinite(value[0]) &&
  value[0] >= 0 &&
  typeof value[1] === 'string' &&
  !value[1].includes('\0');

/**
 * Decodes a cursor.
 * @throws 422 for anything that is not a valid cursor, because its values become part of a database query.
 */
export const decodeCursor = (cursor: string): CursorPlace => {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isPlace(place)) return place;
  } catch {
    // Falls through to the error for all invalid cursors.
  }
  throw invalid('query', 'cursor', 'Value is not a cursor of this list', cursor);
};
