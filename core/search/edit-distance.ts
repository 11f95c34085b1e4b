/** Rows of the table, reused between calls so that a call does not allocate. */
let rows: [Uint16Array, Uint16Array, Uint16Array] = [new Uint16Array(64), new Uint16Array(64), new Uint16Array(64)];

/**
 * Returns the Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and swaps of
 * adjacent characters. Returns `limit + 1` as soon as the distance is known to exceed `limit`.
 */
export const editDistance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  if (b.length >= rows[0].length) rows = rows.map(() => new Uint16Array(b.length * 2)) as typeof rows;
  let [before, last, row] = rows;
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  let lastLeast = 0;
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    // A swap refers to the row before the last one.
    if (least > limit && lastLeast > limit) return limit + 1;
    lastLeast = least;
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[b.length]!, limit + 1);
};
