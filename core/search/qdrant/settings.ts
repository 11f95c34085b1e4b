/** Settings of this backend; the parameters of the search itself are in core/search/settings.ts. */
import { createHash } from 'node:crypto';
import { ANALYSER_VERSION } from '../analyser.ts';
import type { FieldWeights } from '../segment.ts';
import { SETTINGS } from '../settings.ts';

/** Version of the layout of points; it changes when existing collections can no longer be read. */
const LAYOUT = 2;

/** Number of hits that one retriever is asked for; deeper pages ask for more. */
export const LEG_LIMIT = SETTINGS.depth;

/** Returns eight hexadecimal digits for the names of collections, which change whenever the points must be rebuilt. */
export const settingsDigest = (fields: FieldWeights, semantic: string, feed: string): string =>
  digest([LAYOUT, ANALYSER_VERSION, fields, SETTINGS.k1, SETTINGS.b, semantic, feed]);

/** Returns eight hexadecimal digits that change with the ranking, which does not require new points. */
export const rankingDigest = (): string => digest(SETTINGS);

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}
