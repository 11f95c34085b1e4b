/** The best of many scores: a tally of their sizes finds where to cut, so that only few are put in order. */
import { TopK } from './top-k.ts';

export interface Scored {
  /** The place in the array. */
  readonly ref: number;
  readonly score: number;
}

const BINS = 1_024;
const tally = new Uint32Array(BINS + 1);

/** The greatest of the first `rows` scores; 0 when none is above it. */
export function greatest(scores: Float32Array, rows: number): number {
  let best = 0;
  for (let row = 0; row < rows; row++) if (scores[row]! > best) best = scores[row]!;
  return best;
}

/** The `size` highest of the first `rows` scores, best first, equal ones by `comesFirst`; those of 0 or less are left out. */
export function highest(
  scores: Float32Array,
  rows: number,
  { size, comesFirst }: { readonly size: number; readonly comesFirst: (a: number, b: number) => boolean },
): Scored[] {
  const best = greatest(scores, rows);
  if (best === 0 || size <= 0) return [];
  const scale = BINS / best;
  const least = rows <= size ? 0 : cut(scores, rows, { size, scale });
  const top = new TopK(size, comesFirst);
  for (let row = 0; row < rows; row++) {
    const score = scores[row]!;
    if (score > 0 && score * scale >= least && score >= top.threshold) top.add(row, score);
  }
  return top.sorted();
}

/** The places, ascending, of the `size` highest of the first `rows` scores, and of those about as high as the last of them. */
export function atLeast(scores: Float32Array, rows: number, size: number): Uint32Array {
  const best = greatest(scores, rows);
  const found = new Uint32Array(Math.min(rows, 2 * size));
  if (best === 0) return found.subarray(0, 0);
  const scale = BINS / best;
  const least = rows <= size ? 0 : cut(scores, rows, { size, scale });
  let held = 0;
  for (let row = 0; row < rows && held < found.length; row++) {
    const score = scores[row]!;
    if (score > 0 && score * scale >= least) found[held++] = row;
  }
  return found.subarray(0, held);
}

/** A multiple of the scale that at least `size` scores reach, and not many more. */
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
  for (let seen = tally[bin]!; bin > 0 && seen < size; ) seen += tally[--bin]!;
  return bin;
}
