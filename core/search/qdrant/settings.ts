/** What belongs to this backend alone; the search's own scalars are those of core/search/settings.ts. */
import { createHash } from 'node:crypto';
import { ANALYSER_VERSION } from '../analyser.ts';
import type { FieldWeights } from '../segment.ts';
import { SETTINGS } from '../settings.ts';

/** Changes when the layout of points changes in a way that old collections cannot be read by. */
const LAYOUT = 2;

/** Hits that one leg is asked for; deeper pages ask for more. */
export const LEG_LIMIT = SETTINGS.depth;

/** Eight hexadecimal digits in the names of collections: other points, another collection. */
export const settingsDigest = (fields: FieldWeights, semantic: string, feed: string): string =>
  digest([LAYOUT, ANALYSER_VERSION, fields, SETTINGS.k1, SETTINGS.b, semantic, feed]);

/** Eight hexadecimal digits that change with the ranking, which needs no other points. */
export const rankingDigest = (): string => digest(SETTINGS);

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}
