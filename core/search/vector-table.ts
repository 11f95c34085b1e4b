/**
 * Tables of vectors, a byte per number: each row is scaled by its greatest number, which costs a cosine less than 0.002
 * and saves three quarters of the memory. They lie where WebAssembly can reach them, which makes the dot products of all
 * rows with one vector sixteen numbers at a time. `vector-scan.wat` is the source of CODE (`wat2wasm`, base64). Small
 * tables, and those for which there is no such memory, are scanned by a loop, to the same numbers.
 */

const CODE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIMAQAGbWVtb3J5AgABAwIBAAcIAQRzY2FuAAAKzgEBywECA38DewJAA0AgAUUNAf0MAAAAAAAAAAAAAAAAAAAAACEJ' +
  '/QwAAAAAAAAAAAAAAAAAAAAAIQogACEFIAIhByAAIANqIQYDQCAF/QAEACEIIAkgCP2HASAH/QAEAP26Af2uASEJIAogCP2IASAH/QAEEP26Af2uASEK' +
  'IAVBEGohBSAHQSBqIQcgBSAGSQ0ACyAJIAr9rgEhCSAEIAn9GwAgCf0bAWogCf0bAiAJ/RsDamo2AgAgBEEEaiEEIAYhACABQQFrIQEMAAsLCw==';

/** The part of the global that is used here; it is not among the types of Node. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly scan: unknown } };
};

export interface VectorTable {
  readonly rows: number;
  readonly dimensions: number;
  /** Rows of `stride(dimensions)` codes. */
  readonly codes: Int8Array;
  /** What the codes of a row are multiplied by; 0 for a row of zeros. */
  readonly scales: Float32Array;
}

/** Smaller tables are not worth a memory of their own. */
const FEWEST_ROWS = 500;
const PAGE = 65_536;
const CODE_LIMIT = 127;
/** So small that no sum of products of unit vectors leaves 32 bits. */
const QUERY_LIMIT = 8_191;

type Scan = (row: number, rows: number, query: number, bytes: number, out: number) => void;

const module = new WebAssembly.Module(Buffer.from(CODE, 'base64'));
const scans = new WeakMap<ArrayBufferLike, Scan>();

const stride = (dimensions: number): number => Math.ceil(dimensions / 16) * 16;

/** Room for so many vectors, all zero. */
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
    // No room for another such memory: the table works without.
    return new Int8Array(size);
  }
}

/** The table of codes and scales that were kept elsewhere. */
export function storedTable(codes: Int8Array, scales: Float32Array, dimensions: number): VectorTable {
  const table = vectorTable(scales.length, dimensions);
  table.codes.set(codes);
  table.scales.set(scales);
  return table;
}

/** The table of vectors that follow each other. */
export function tableOf(values: Float32Array, dimensions: number): VectorTable {
  const rows = dimensions === 0 ? 0 : values.length / dimensions;
  const table = vectorTable(rows, dimensions);
  for (let row = 0; row < rows; row++) setRow(table, row, values.subarray(row * dimensions, (row + 1) * dimensions));
  return table;
}

/** Puts a vector into a row. */
export function setRow({ codes, scales, dimensions }: VectorTable, row: number, vector: Float32Array): void {
  const scale = greatestOf(vector) / CODE_LIMIT;
  const at = row * stride(dimensions);
  scales[row] = scale;
  for (let i = 0; i < dimensions; i++) codes[at + i] = scale === 0 ? 0 : Math.round(vector[i]! / scale);
}

/** The vector of a row. */
export function rowOf({ codes, scales, dimensions }: VectorTable, row: number): Float32Array {
  const at = row * stride(dimensions);
  return Float32Array.from(codes.subarray(at, at + dimensions), (code) => code * scales[row]!);
}

/** Copies a row from one table to another of the same dimensions. */
export function copyRow(
  from: VectorTable,
  row: number,
  to: { readonly table: VectorTable; readonly row: number },
): void {
  const width = stride(from.dimensions);
  to.table.codes.set(from.codes.subarray(row * width, (row + 1) * width), to.row * width);
  to.table.scales[to.row] = from.scales[row]!;
}

/** The dot product of each row with the vector in `into`; those below zero as zero. */
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

/** The same for some rows, in the order of their numbers. */
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
