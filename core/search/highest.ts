/** The best of many scores: a tally of their sizes finds where to cut, so that only few are put in order. */
import { noInline } from './no-inline.ts';
import { TopK } from './top-k.ts';

export interface Scored {
  /** The place in the array. */
  readonly ref: number;
  readonly score: number;
}

const BINS = 1_024;
/** How many scores are in each bin, and at the end how many are above the cut. */
const tally = new Uint32Array(BINS + 2);

/** The greatest of the first `rows` scores; 0 when none is above it. */
export function greatest(scores: Float32Array, rows: number): number {
  let best = 0;
  for (let row = 0; row < rows; row++) best = Math.max(best, scores[row]!);
  return best;
}

/** The `size` highest of the first `rows` scores, best first, equal ones by `comesFirst`; those of 0 or less are left out. */
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
 * The places, ascending, of the `size` highest of the first `rows` scores, and of those about as high as the last of
 * them, but no more than `most`; those of 0 or less are left out.
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

/** The least bin, of the scores times `scale`, that is wanted for `size` scores; leaves in the tally how many that gives. */
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
