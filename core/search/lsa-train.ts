/**
 * Truncated singular value decomposition by random projection (Halko, Martinsson and Tropp 2011, algorithms 4.4 and
 * 5.1), for the tf-idf matrix of a few thousand documents. It is deterministic, because the seed is fixed.
 */
import type { TrainingMatrix } from './lsa.ts';

const SEED = 20090719;
const EXTRA = 16;
const POWER_STEPS = 2;

/** Returns the right singular vectors, terms × dimensions, with each column scaled by its singular value to `power`. */
export function trainProjection(matrix: TrainingMatrix, dimensions: number, power: number): Float32Array {
  const terms = matrix.starts.length - 1;
  const width = Math.min(dimensions + EXTRA, matrix.documents, terms);
  let range = multiply(matrix, gaussian(terms * width), width);
  orthonormalise(range, matrix.documents, width);
  for (let step = 0; step < POWER_STEPS; step++) {
    range = multiply(matrix, multiplyTransposed(matrix, range, width), width);
    orthonormalise(range, matrix.documents, width);
  }
  const small = multiplyTransposed(matrix, range, width);
  const { values, vectors } = symmetricEigen(gram(small, terms, width), width);
  return rotate(small, terms, { width, dimensions: Math.min(dimensions, width), values, vectors, power });
}

/** Returns normal deviates from a fixed seed (mulberry32, Box-Muller). */
function gaussian(size: number): Float32Array {
  let state = SEED;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return Float32Array.from(
    { length: size },
    () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}

/** Multiplies the matrix (documents × terms) by a dense matrix, terms × width. */
function multiply(matrix: TrainingMatrix, dense: Float32Array, width: number): Float32Array {
  const product = new Float32Array(matrix.documents * width);
  for (let t = 0; t + 1 < matrix.starts.length; t++) {
    for (let i = matrix.starts[t]!; i < matrix.starts[t + 1]!; i++) {
      axpy(matrix.weights[i]!, dense, t * width, product, matrix.docs[i]! * width, width);
    }
  }
  return product;
}

/** Multiplies the transposed matrix (terms × documents) by a dense matrix, documents × width. */
function multiplyTransposed(matrix: TrainingMatrix, dense: Float32Array, width: number): Float32Array {
  const product = new Float32Array((matrix.starts.length - 1) * width);
  for (let t = 0; t + 1 < matrix.starts.length; t++) {
    for (let i = matrix.starts[t]!; i < matrix.starts[t + 1]!; i++) {
      axpy(matrix.weights[i]!, dense, matrix.docs[i]! * width, product, t * width, width);
    }
  }
  return product;
}

// The six plain arguments are deliberate: this is the innermost loop of the whole training.
function axpy(scale: number, from: Float32Array, a: number, to: Float32Array, b: number, width: number): void {
  for (let i = 0; i < width; i++) to[b + i]! += scale * from[a + i]!;
}

/** Multiplies the transposed matrix by itself, width × width, four rows at a time: most of the training's time is spent here. */
function gram(dense: Float32Array, rows: number, width: number): Float64Array {
  const product = new Float64Array(width * width);
  // Rows beyond the end read as zeros.
  const padded = new Float32Array(4 * width);
  for (let row = 0; row < rows; row += 4) {
    const whole = row + 4 <= rows;
    if (!whole) padded.set(dense.subarray(row * width, rows * width));
    addFourRows(whole ? dense : padded, whole ? row * width : 0, product, width);
  }
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) product[i * width + j] = product[j * width + i]!;
  return product;
}

function addFourRows(dense: Float32Array, at: number, product: Float64Array, width: number): void {
  const second = at + width;
  const third = second + width;
  const fourth = third + width;
  for (let i = 0; i < width; i++) {
    const [a, b, c, d] = [dense[at + i]!, dense[second + i]!, dense[third + i]!, dense[fourth + i]!];
    for (let j = i; j < width; j++) {
      product[i * width + j]! +=
        a * dense[at + j]! + b * dense[second + j]! + c * dense[third + j]! + d * dense[fourth + j]!;
    }
  }
}

/** Makes the columns orthonormal in place by a Cholesky factor of their Gram matrix; columns of near-zero length become zero. */
function orthonormalise(dense: Float32Array, rows: number, width: number): void {
  const lower = cholesky(gram(dense, rows, width), width);
  const row = new Float64Array(width);
  for (let r = 0; r < rows; r++) {
    const at = r * width;
    for (let i = 0; i < width; i++) {
      const pivot = lower[i * width + i]!;
      let value = dense[at + i]!;
      for (let j = 0; j < i; j++) value -= lower[i * width + j]! * row[j]!;
      row[i] = pivot === 0 ? 0 : value / pivot;
    }
    dense.set(row, at);
  }
}

function cholesky(symmetric: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = symmetric[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= lower[i * size + k]! * lower[j * size + k]!;
      if (i === j) lower[i * size + i] = sum > 1e-9 * symmetric[i * size + i]! ? Math.sqrt(sum) : 0;
      else lower[i * size + j] = lower[j * size + j] === 0 ? 0 : sum / lower[j * size + j]!;
    }
  }
  return lower;
}

/** Returns the eigenvalues, largest first, and the eigenvectors as rows, by cyclic Jacobi rotations. */
function symmetricEigen(symmetric: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
  const a = symmetric.slice();
  const v = new Float64Array(size * size);
  for (let i = 0; i < size; i++) v[i * size + i] = 1;
  for (let sweep = 0; sweep < 30 && offDiagonal(a, size) > 1e-18; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) jacobiRotate(a, v, { p, q, size });
  }
  const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => a[j * size + j]! - a[i * size + i]!);
  const vectors = new Float64Array(size * size);
  order.forEach((from, to) => {
    vectors.set(v.subarray(from * size, (from + 1) * size), to * size);
  });
  return { values: Float64Array.from(order, (i) => a[i * size + i]!), vectors };
}

/** Returns the sum of squares off the diagonal, divided by the sum of squares on it. */
function offDiagonal(a: Float64Array, size: number): number {
  let off = 0;
  let on = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      if (i === j) on += a[i * size + i]! ** 2;
      else off += a[i * size + j]! ** 2;
    }
  }
  return on === 0 ? 0 : off / on;
}

function jacobiRotate(a: Float64Array, v: Float64Array, { p, q, size }: { p: number; q: number; size: number }): void {
  const apq = a[p * size + q]!;
  if (Math.abs(apq) < 1e-300) return;
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) {
    const akp = a[k * size + p]!;
    const akq = a[k * size + q]!;
    a[k * size + p] = c * akp - s * akq;
    a[k * size + q] = s * akp + c * akq;
  }
  for (const m of [a, v]) {
    for (let k = 0; k < size; k++) {
      const mp = m[p * size + k]!;
      const mq = m[q * size + k]!;
      m[p * size + k] = c * mp - s * mq;
      m[q * size + k] = s * mp + c * mq;
    }
  }
}

function rotate(
  small: Float32Array,
  terms: number,
  to: { width: number; dimensions: number; values: Float64Array; vectors: Float64Array; power: number },
): Float32Array {
  const { width, dimensions, values, vectors, power } = to;
  // Column j of the right singular vectors is small × eigenvector j / singular value j.
  const scales = Array.from(values.subarray(0, dimensions), (value) => (value > 1e-9 ? value ** ((power - 1) / 2) : 0));
  const projection = new Float32Array(terms * dimensions);
  for (let t = 0; t < terms; t++) {
    for (let j = 0; j < dimensions; j++) {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += small[t * width + i]! * vectors[j * width + i]!;
      projection[t * dimensions + j] = sum * scales[j]!;
    }
  }
  return projection;
}
