/** The true and the predicted class; `predicted` is null when the reader abstained. */
export interface Pair {
  readonly truth: string;
  readonly predicted: string | null;
  readonly probability: number;
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

/** Returns the F1 score of one class; an abstention counts as a miss. */
const classF1 = (pairs: readonly Pair[], name: string): number => {
  const hits = pairs.filter(({ truth, predicted }) => truth === name && predicted === name).length;
  const given = pairs.filter(({ truth }) => truth === name).length;
  const said = pairs.filter(({ predicted }) => predicted === name).length;
  return given + said === 0 ? 0 : (2 * hits) / (given + said);
};

/** Prints macro-F1, accuracy and the confusion matrix. */
export const printClasses = (pairs: readonly Pair[], classes: readonly string[]): void => {
  const scores = classes.map((name) => classF1(pairs, name));
  const macro = scores.reduce((left, right) => left + right, 0) / classes.length;
  const right = pairs.filter(({ truth, predicted }) => truth === predicted).length;
  const each = classes.map((name, index) => `${name} ${scores[index]!.toFixed(3)}`).join(', ');
  console.log(`  macro-F1 ${macro.toFixed(3)} (${each}), accuracy ${percent(right, pairs.length)} of ${pairs.length}`);
  const columns = pairs.some(({ predicted }) => predicted === null) ? [...classes, null] : classes;
  console.log(
    `  ${'given, then predicted'.padEnd(24)}${columns.map((name) => (name ?? 'abstains').padStart(12)).join('')}`,
  );
  for (const truth of classes) {
    const counts = columns.map(
      (name) => pairs.filter((pair) => pair.truth === truth && pair.predicted === name).length,
    );
    console.log(`  ${truth.padEnd(24)}${counts.map((count) => String(count).padStart(12)).join('')}`);
  }
};

/** Prints the accuracy of the most probable predictions, for growing shares of all cases. */
export const printCoverage = (pairs: readonly Pair[]): void => {
  const sorted = pairs
    .filter(({ predicted }) => predicted !== null)
    .toSorted((left, right) => right.probability - left.probability);
  console.log('  coverage   accuracy   least probability');
  for (const share of [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
    const taken = sorted.slice(0, Math.round(share * pairs.length));
    if (taken.length < Math.round(share * pairs.length) || taken.length === 0) break;
    const right = taken.filter(({ truth, predicted }) => truth === predicted).length;
    const least = taken.at(-1)!.probability.toFixed(2);
    console.log(
      `  ${percent(taken.length, pairs.length).padStart(8)}   ${percent(right, taken.length).padStart(8)}   ${least.padStart(8)}`,
    );
  }
};

/** Prints the stated probability with the share of correct predictions. */
export const printReliability = (pairs: readonly Pair[]): void => {
  console.log('  probability   cases   mean stated   right');
  for (const from of [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) {
    const bin = pairs.filter(
      ({ predicted, probability }) =>
        predicted !== null && probability >= from && probability < from + 0.1 + (from === 0.9 ? 1 : 0),
    );
    if (bin.length === 0) continue;
    const stated = bin.reduce((sum, { probability }) => sum + probability, 0) / bin.length;
    const right = bin.filter(({ truth, predicted }) => truth === predicted).length;
    console.log(
      `  ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}   ${String(bin.length).padStart(7)}   ${stated.toFixed(2).padStart(11)}   ${percent(right, bin.length).padStart(7)}`,
    );
  }
};
