import assert from 'node:assert/strict';
import { copyRow, rowOf, scanSome, scanVectors, storedTable, tableOf, vectorTable } from '#core/search/vector-table.ts';

/** Returns reproducible pseudo-random numbers between -1 and 1. */
function randomNumbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** Returns unit vectors, one after the other. */
function unitVectors(rows: number, dimensions: number, seed: number): Float32Array {
  const values = randomNumbers(rows * dimensions, seed);
  for (let row = 0; row < rows; row++) {
    const vector = values.subarray(row * dimensions, (row + 1) * dimensions);
    const length = Math.hypot(...vector);
    vector.forEach((value, i) => {
      vector[i] = value / length;
    });
  }
  return values;
}

/** Computes the cosine with 64-bit numbers, and returns negative values as zero. */
const plain = (table: Float32Array, row: number, vector: Float32Array): number =>
  Math.max(
    0,
    vector.reduce((sum, value, i) => sum + value * table[row * vector.length + i]!, 0),
  );

const scanned = (table: ReturnType<typeof tableOf>, vector: Float32Array): Float32Array => {
  const into = new Float32Array(table.rows).fill(7);
  scanVectors(table, vector, into);
  return into;
};

describe('vector tables', () => {
  // Tables of 500 rows or more use WebAssembly memory, and smaller ones use plain memory.
  for (const [rows, dimensions] of [
    [500, 16],
    [700, 192],
    [2_000, 40],
    [700, 190],
    [600, 576],
    [600, 3],
    [499, 192],
    [5, 192],
    [1, 1],
    [0, 16],
  ] as const) {
    const values = unitVectors(rows, dimensions, 1 + rows);
    const table = tableOf(values, dimensions);

    it(`return ${rows} cosines of ${dimensions} numbers to within 0.01, in either kind of memory`, () => {
      for (const seed of [3, 4]) {
        const vector = unitVectors(1, dimensions, seed);
        const cosines = scanned(table, vector);
        assert.equal(cosines.length, rows);
        cosines.forEach((cosine, row) => {
          assert.ok(Math.abs(cosine - plain(values, row, vector)) < 0.01, `row ${row}`);
        });
        const small = Array.from({ length: Math.ceil(rows / 400) }, (_, i) =>
          values.subarray(i * 400 * dimensions, (i + 1) * 400 * dimensions),
        );
        assert.deepEqual(
          small.flatMap((part) => [...scanned(tableOf(part, dimensions), vector)]),
          [...cosines],
          'to the last digit',
        );
      }
    });

    it(`return the same for some of ${rows} rows of ${dimensions} numbers`, () => {
      const vector = unitVectors(1, dimensions, 5);
      const some = Uint32Array.from({ length: Math.ceil(rows / 3) }, (_, i) => rows - 1 - 3 * i);
      const into = new Float32Array(some.length);
      scanSome(table, vector, { rows: some, into });
      const all = scanned(table, vector);
      assert.deepEqual(
        [...into],
        [...some].map((row) => all[row]),
      );
    });

    it(`return the same after they are stored and loaded: ${rows} rows of ${dimensions} numbers`, () => {
      const again = storedTable(table.codes.slice(), table.scales.slice(), dimensions);
      const vector = unitVectors(1, dimensions, 6);
      assert.deepEqual(scanned(again, vector), scanned(table, vector));
    });
  }

  it('return a vector to within a 254th of its largest number', () => {
    const values = unitVectors(3, 50, 9);
    const table = tableOf(values, 50);
    for (let row = 0; row < 3; row++) {
      const vector = values.subarray(row * 50, (row + 1) * 50);
      const step = Math.max(...vector.map(Math.abs)) / 127;
      rowOf(table, row).forEach((value, i) => {
        assert.ok(Math.abs(value - vector[i]!) <= step / 2 + 1e-6);
      });
    }
  });

  it('copy rows without loss', () => {
    const table = tableOf(unitVectors(600, 20, 11), 20);
    const other = vectorTable(2, 20);
    copyRow(table, 599, { table: other, row: 1 });
    assert.deepEqual(rowOf(other, 1), rowOf(table, 599));
    assert.deepEqual(rowOf(other, 0), new Float32Array(20));
  });

  it('start with zeros, which have a cosine of zero with every vector', () => {
    for (const rows of [10, 1_000]) {
      const table = vectorTable(rows, 16);
      assert.ok(scanned(table, unitVectors(1, 16, 2)).every((cosine) => cosine === 0));
      assert.ok(scanned(tableOf(unitVectors(rows, 16, 3), 16), new Float32Array(16)).every((cosine) => cosine === 0));
    }
  });
});
