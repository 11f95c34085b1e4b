/** Selects the best of many scores: a histogram finds the cut-off, so that only a few scores are sorted. */
import { noInline } from './no-inline.ts';
import { TopK } from './top-k.ts';

export interface Scored {
  /** Position in the array. */
  readonly ref: number;
  readonly score: number;
}

const BINS = 1_024;
/** Number of scores in each bin; the last element is the number of scores above the cut-off. */
const tally = new Uint32Array(BINS + 2);

/** Returns the highest of the first `rows` scores; 0 when none is positive. */
export function greatest(scores: Float32Array, rows: number): number {
  let best = 0;
  for (let row = 0; row < rows; row++) best = Math.max(best, scores[row]!);
  return best;
}

/** Returns the `size` highest of the first `rows` scores, best first, ties by `comesFirst`, without those of 0 or less. */
export function highest(
  scores: Float32Array,
  rows: number,
  { size, comesFirst }: { readonly size: number; readonly comesFirst: (a: number, b: number) => boolean },
): Scored[] {
  const places = atLeast(scores, rows, { size, most: rows });
  const top = new TopK(size, comesFirst);
  for (const place of places) if (scores[place]! >= top.threshold) top.add(place, scores[place]!);
  return top.sorted();
}

/**
 * Returns the positions, ascending, of the `size` highest of the first `rows` scores and of those in the same bin as the
 * last of them, but not more than `most`; scores of 0 or less are left out.
 */
export function atLeast(
  scores: Float32Array,
  rows: number,
  { size, most }: { readonly size: number; readonly most: number },
): Uint32Array {
  const best = noInline(greatest, scores, rows, undefined);
  if (best === 0 || size <= 0) return new Uint32Array(0);
  const scale = BINS / best;
  const least = noInline(cut, scores, rows, { size, scale });
  return noInline(collect, scores, rows, { scale, least, most: Math.min(most, tally[BINS + 1]!) });
}

/** Returns the lowest bin of scores times `scale` needed for `size` scores; stores their number at the end of the histogram. */
function cut(
  scores: Float32Array,
  rows: number,
  { size, scale }: { readonly size: number; readonly scale: number },
): number {
  tally.fill(0);
  for (let row = 0; row < rows; row++) {
    const score = scores[row]!;
    if (score > 0) tally[(score * scale) | 0]!++;
  }
  let bin = BINS;
  let seen = tally[bin]!;
  while (bin > 0 && seen < size) seen += tally[--bin]!;
  tally[BINS + 1] = seen;
  return bin;
}

function collect(
  scores: Float32Array,
  rows: number,
  { scale, least, most }: { readonly scale: number; readonly least: number; readonly most: number },
): Uint32Array {
  const found = new Uint32Array(most);
  let held = 0;
  for (let row = 0; row < rows && held < most; row++) {
    const score = scores[row]!;
    if (score > 0 && score * scale >= least) found[held++] = row;
  }
  return found;
}
