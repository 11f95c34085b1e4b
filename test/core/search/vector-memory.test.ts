import assert from 'node:assert/strict';
import { dot, scanSome, scanVectors, toVectorTable, vectorTable } from '#core/search/vector-memory.ts';

/** Numbers between -1 and 1, the same every time. */
function randomNumbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** With 64-bit numbers, in the order of the dimensions. */
const plain = (table: Float32Array, row: number, vector: Float32Array): number =>
  vector.reduce((sum, value, i) => sum + value * table[row * vector.length + i]!, 0);

describe('tables of vectors', () => {
  // In memory of WebAssembly from 500 rows on where the dimensions divide by eight; else in plain memory.
  for (const [rows, dimensions] of [
    [500, 8],
    [700, 192],
    [2_000, 40],
    [700, 190],
    [600, 3],
    [499, 192],
    [5, 192],
    [1, 1],
    [0, 16],
  ] as const) {
    it(`scans ${rows} rows of ${dimensions} numbers to what a plain loop gives`, () => {
      const values = randomNumbers(rows * dimensions, 1 + rows);
      const table = toVectorTable(values, dimensions);
      for (const seed of [3, 4]) {
        const vector = randomNumbers(dimensions, seed);
        const scanned = scanVectors(table, vector);
        assert.equal(scanned.length, rows);
        for (let row = 0; row < rows; row++) {
          assert.ok(Math.abs(scanned[row]! - plain(values, row, vector)) < 1e-5, `row ${row}`);
          assert.equal(
            scanned[row],
            dot(values, row * dimensions, vector),
            'to the last digit, wherever the table lies',
          );
        }
      }
      const some = Uint32Array.from({ length: Math.ceil(rows / 3) }, (_, i) => rows - 1 - 3 * i);
      const vector = randomNumbers(dimensions, 5);
      const each = [...scanVectors(table, vector)];
      assert.deepEqual(
        [...scanSome(table, vector, some)],
        [...some].map((row) => each[row]),
      );
      assert.deepEqual(table, values, 'the table is left as it was');
    });
  }

  it('begin with zeros', () => {
    for (const rows of [10, 1_000]) assert.ok(vectorTable(rows, 16).every((value) => value === 0));
  });
});
