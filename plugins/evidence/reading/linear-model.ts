/** Returns the score of each class for a set of hashed features. */
export type LinearModel = (features: ReadonlySet<number>) => number[];

const MAGIC = 'READER02';

/**
 * Parses a model file. Each model has the number of features and classes, then scales, biases, hashes and 16-bit weights. Throws
 * when the file does not start with the expected magic bytes.
 */
export const parseModels = (given: Uint8Array): LinearModel[] => {
  // A Node Buffer may be a view into shared memory at any offset; a copy starts at offset zero.
  const file = new Uint8Array(given);
  if (new TextDecoder().decode(file.subarray(0, 8)) !== MAGIC)
    throw new Error('The reader model file is damaged. Restore plugins/evidence/reading/model/reader.bin.');
  const header = new Uint32Array(file.buffer, 8, 2);
  let offset = 16;
  return Array.from({ length: header[0]! }, () => {
    const [count = 0, classes = 0] = new Uint32Array(file.buffer, offset, 2);
    const scales = new Float32Array(file.buffer, offset + 8, classes);
    const biases = new Float32Array(file.buffer, offset + 8 + classes * 4, classes);
    const hashes = new Uint32Array(file.buffer, offset + 8 + classes * 8, count);
    const weights = new Int16Array(file.buffer, offset + 8 + classes * 8 + count * 4, count * classes);
    offset += 8 + classes * 8 + count * 4 + Math.ceil((count * classes * 2) / 4) * 4;
    return buildModel(hashes, weights, scales, biases);
  });
};

const buildModel = (
  hashes: Uint32Array,
  weights: Int16Array,
  scales: Float32Array,
  biases: Float32Array,
): LinearModel => {
  const rows = new Map(Array.from(hashes, (hash, row) => [hash, row]));
  const classes = biases.length;
  return (features) => {
    const sums = new Array<number>(classes).fill(0);
    let known = 0;
    for (const hash of features) {
      const row = rows.get(hash);
      if (row === undefined) continue;
      known += 1;
      for (let name = 0; name < classes; name += 1) sums[name]! += weights[row * classes + name]!;
    }
    // Normalizes by the number of known features, so that a longer text does not get a surer label.
    const norm = 1 / Math.sqrt(known + 1);
    return sums.map((sum, name) => sum * scales[name]! * norm + biases[name]!);
  };
};

/** Returns the softmax of scores divided by a temperature. */
export const toProbabilities = (scores: readonly number[], temperature: number): number[] => {
  const largest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp((score - largest) / temperature));
  const total = exponentials.reduce((left, right) => left + right, 0);
  return exponentials.map((value) => value / total);
};
