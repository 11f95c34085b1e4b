/**
 * Computes the distance of a typed word from a correct one, weighted by how people mistype: swapped and doubled letters, adjacent
 * keys and letters that sound alike cost less than a full edit, a wrong first letter costs more.
 */

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const ALIKE = ['aeiouy', 'ckqx', 'sz', 'fv', 'mn', 'dt', 'bp', 'gj'];

const SWAP = 0.7;
const DOUBLED = 0.6;
const ALIKE_LETTERS = 0.7;
const NEIGHBOUR_KEYS = 0.8;
const FIRST_LETTER = 0.5;

const cheaper = new Map<string, number>();
const note = (a: string, b: string, cost: number): void => {
  for (const pair of [a + b, b + a]) cheaper.set(pair, Math.min(cost, cheaper.get(pair) ?? 1));
};
for (const letters of ALIKE) for (const a of letters) for (const b of letters) if (a !== b) note(a, b, ALIKE_LETTERS);
for (const [row, keys] of KEYBOARD.entries()) {
  for (const [at, key] of [...keys].entries()) {
    for (const other of [keys[at + 1], KEYBOARD[row + 1]?.[at - 1], KEYBOARD[row + 1]?.[at]])
      if (other) note(key, other, NEIGHBOUR_KEYS);
  }
}

const change = (a: string, b: string): number => (a === b ? 0 : (cheaper.get(a + b) ?? 1));

/** Returns the cost of an inserted or missing letter, which is lower next to the same letter. */
const extra = (text: string, at: number): number =>
  text[at] === text[at - 1] || text[at] === text[at + 1] ? DOUBLED : 1;

/** Returns the weighted distance of two lower-case words of letters: 0 for the same word, about 1 for each edit. */
export const wordCost = (typed: string, right: string): number => {
  let before: number[] = [];
  let last = [0];
  for (let j = 1; j <= right.length; j += 1) last[j] = last[j - 1]! + extra(right, j - 1);
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [last[0]! + extra(typed, i - 1)];
    for (let j = 1; j <= right.length; j += 1) {
      const [a, b] = [typed[i - 1]!, right[j - 1]!];
      row[j] = Math.min(
        last[j - 1]! + change(a, b),
        last[j]! + extra(typed, i - 1),
        row[j - 1]! + extra(right, j - 1),
        i > 1 && j > 1 && a === right[j - 2] && b === typed[i - 2] ? before[j - 2]! + SWAP : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[right.length]! + (typed[0] === right[0] ? 0 : FIRST_LETTER);
};
