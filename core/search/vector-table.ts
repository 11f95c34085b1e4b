/**
 * Tables of vectors with one byte per number. Each row is scaled by its largest absolute value, which changes a cosine by
 * less than 0.002 and saves three quarters of the memory. The codes are in WebAssembly memory, where SIMD computes the dot
 * products of all rows with one vector sixteen numbers at a time. `vector-scan.wat` is the source of CODE (`wat2wasm`,
 * base64). A loop with identical results scans small tables, and tables for which no such memory could be allocated.
 */

const CODE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIMAQAGbWVtb3J5AgABAwIBAAcIAQRzY2FuAAAKzgEBywECA38DewJAA0AgAUUNAf0MAAAAAAAAAAAAAAAAAAAAACEJ' +
  '/QwAAAAAAAAAAAAAAAAAAAAAIQogACEFIAIhByAAIANqIQYDQCAF/QAEACEIIAkgCP2HASAH/QAEAP26Af2uASEJIAogCP2IASAH/QAEEP26Af2uASEK' +
  'IAVBEGohBSAHQSBqIQcgBSAGSQ0ACyAJIAr9rgEhCSAEIAn9GwAgCf0bAWogCf0bAiAJ/RsDamo2AgAgBEEEaiEEIAYhACABQQFrIQEMAAsLCw==';

/** The used part of the WebAssembly global, which Node's types do not declare. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly scan: unknown } };
};

export interface VectorTable {
  readonly rows: number;
  readonly dimensions: number;
  /** Row by row, `stride(dimensions)` codes each. */
  readonly codes: Int8Array;
  /** Factor by which the codes of a row are multiplied; 0 for a row of zeros. */
  readonly scales: Float32Array;
}

/** Minimum number of rows for a WebAssembly memory; smaller tables do not justify one. */
const FEWEST_ROWS = 500;
const PAGE = 65_536;
const CODE_LIMIT = 127;
/** Small enough that a sum of products of unit vectors never overflows 32 bits. */
const QUERY_LIMIT = 8_191;

type Scan = (row: number, rows: number, query: number, bytes: number, out: number) => void;

const module = new WebAssembly.Module(Buffer.from(CODE, 'base64'));
const scans = new WeakMap<ArrayBufferLike, Scan>();

const stride = (dimensions: number): number => Math.ceil(dimensions / 16) * 16;

/** Allocates a table of this size, filled with zeros. */
export function vectorTable(rows: number, dimensions: number): VectorTable {
  return { rows, dimensions, codes: codesFor(rows, stride(dimensions)), scales: new Float32Array(rows) };
}

function codesFor(rows: number, width: number): Int8Array {
  const size = rows * width;
  if (rows < FEWEST_ROWS) return new Int8Array(size);
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil((size + 2 * width + 4 * rows) / PAGE) });
    const { exports } = new WebAssembly.Instance(module, { '': { memory } });
    scans.set(memory.buffer, exports.scan as Scan);
    return new Int8Array(memory.buffer, 0, size);
  } catch {
    // The memory could not be allocated: the table works without it.
    return new Int8Array(size);
  }
}

/** Builds a table from stored codes and scales. */
export function storedTable(codes: Int8Array, scales: Float32Array, dimensions: number): VectorTable {
  const table = vectorTable(scales.length, dimensions);
  table.codes.set(codes);
  table.scales.set(scales);
  return table;
}

/** Builds a table from concatenated vectors. */
export function tableOf(values: Float32Array, dimensions: number): VectorTable {
  const rows = dimensions === 0 ? 0 : values.length / dimensions;
  const table = vectorTable(rows, dimensions);
  for (let row = 0; row < rows; row++) setRow(table, row, values.subarray(row * dimensions, (row + 1) * dimensions));
  return table;
}

/** Encodes a vector and stores it in a row. */
export function setRow({ codes, scales, dimensions }: VectorTable, row: number, vector: Float32Array): void {
  const scale = greatestOf(vector) / CODE_LIMIT;
  const at = row * stride(dimensions);
  scales[row] = scale;
  for (let i = 0; i < dimensions; i++) codes[at + i] = scale === 0 ? 0 : Math.round(vector[i]! / scale);
}

/** Returns the decoded vector of a row. */
export function rowOf({ codes, scales, dimensions }: VectorTable, row: number): Float32Array {
  const at = row * stride(dimensions);
  return Float32Array.from(codes.subarray(at, at + dimensions), (code) => code * scales[row]!);
}

/** Copies a row to another table with the same number of dimensions. */
export function copyRow(
  from: VectorTable,
  row: number,
  to: { readonly table: VectorTable; readonly row: number },
): void {
  const width = stride(from.dimensions);
  to.table.codes.set(from.codes.subarray(row * width, (row + 1) * width), to.row * width);
  to.table.scales[to.row] = from.scales[row]!;
}

/** Writes the dot product of each row with the vector to `into`; negative products become 0. */
export function scanVectors(table: VectorTable, vector: Float32Array, into: Float32Array): void {
  const { rows, codes, scales } = table;
  const width = stride(table.dimensions);
  const query = toQuery(vector, width);
  const scan = scans.get(codes.buffer);
  const products = scan ? scanAll(scan, codes, { query: query.codes, rows }) : null;
  for (let row = 0; row < rows; row++) {
    const product = products ? products[row]! : dot(codes, row * width, query.codes);
    into[row] = product > 0 ? product * scales[row]! * query.scale : 0;
  }
}

/** Writes the dot products of the given rows to `into`, in the order of `rows`; negative products become 0. */
export function scanSome(
  table: VectorTable,
  vector: Float32Array,
  { rows, into }: { readonly rows: Uint32Array; readonly into: Float32Array },
): void {
  const { codes, scales } = table;
  const width = stride(table.dimensions);
  const query = toQuery(vector, width);
  const scan = scans.get(codes.buffer);
  const one = scan && scanner(scan, codes, query.codes);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const product = one ? one(row) : dot(codes, row * width, query.codes);
    into[i] = product > 0 ? product * scales[row]! * query.scale : 0;
  }
}

function scanAll(
  scan: Scan,
  codes: Int8Array,
  { query, rows }: { readonly query: Int16Array; readonly rows: number },
): Int32Array {
  const end = codes.byteLength;
  new Int16Array(codes.buffer, end, query.length).set(query);
  scan(0, rows, end, query.length, end + query.byteLength);
  return new Int32Array(codes.buffer, end + query.byteLength, rows);
}

function scanner(scan: Scan, codes: Int8Array, query: Int16Array): (row: number) => number {
  const end = codes.byteLength;
  const width = query.length;
  new Int16Array(codes.buffer, end, width).set(query);
  const out = end + query.byteLength;
  const answer = new Int32Array(codes.buffer, out, 1);
  return (row) => {
    scan(row * width, 1, end, width, out);
    return answer[0]!;
  };
}

function toQuery(vector: Float32Array, width: number): { codes: Int16Array; scale: number } {
  const scale = greatestOf(vector) / QUERY_LIMIT;
  const codes = new Int16Array(width);
  for (let i = 0; i < vector.length; i++) codes[i] = scale === 0 ? 0 : Math.round(vector[i]! / scale);
  return { codes, scale };
}

function greatestOf(vector: Float32Array): number {
  let greatest = 0;
  for (let i = 0; i < vector.length; i++) greatest = Math.max(greatest, Math.abs(vector[i]!));
  return greatest;
}

function dot(codes: Int8Array, at: number, query: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += codes[at + i]! * query[i]!;
  return sum;
}
