/** Reads and writes files of one JSON header and some arrays of numbers; a reader never sees a partly written file. */
import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

const TYPES = { Int8Array, Uint8Array, Uint16Array, Uint32Array, Float32Array } as const;
type TypeName = keyof typeof TYPES;
export type Numbers = Int8Array | Uint8Array | Uint16Array | Uint32Array | Float32Array;

interface Header {
  readonly meta: unknown;
  readonly arrays: readonly { readonly name: string; readonly type: TypeName; readonly length: number }[];
}

/** Size and checksum of a file as recorded in a manifest, to detect damage. */
export interface FileMark {
  readonly bytes: number;
  readonly crc32: number;
}

/** Writes `path` atomically: writes and flushes a temporary file next to it, then renames that file. */
export async function writeWhole(path: string, chunks: readonly Uint8Array[]): Promise<FileMark> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx');
  let bytes = 0;
  let sum = 0;
  try {
    for (const chunk of chunks) {
      await file.writeFile(chunk);
      bytes += chunk.byteLength;
      sum = crc32(chunk, sum);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  return { bytes, crc32: sum };
}

/** Flushes a folder's entries to disk, so that a rename survives a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a header and arrays; every array starts at a multiple of 8 bytes. */
export async function writeBinary(
  path: string,
  meta: unknown,
  arrays: Readonly<Record<string, Numbers>>,
): Promise<FileMark> {
  const described = Object.entries(arrays).map(([name, array]) => ({
    name,
    type: array.constructor.name as TypeName,
    length: array.length,
  }));
  const header = Buffer.from(JSON.stringify({ meta, arrays: described } satisfies Header));
  const size = new Uint8Array(Uint32Array.of(header.length, 0).buffer);
  const chunks: Uint8Array[] = [size, header, padding(header.length)];
  for (const array of Object.values(arrays)) {
    chunks.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), padding(array.byteLength));
  }
  const mark = await writeWhole(path, chunks);
  await syncFolder(dirname(path));
  return mark;
}

function padding(length: number): Uint8Array {
  return new Uint8Array((8 - (length % 8)) % 8);
}

/** Reads a file and verifies its size and checksum; throws an Error that describes the damage. */
export async function readBinary(
  path: string,
  mark: FileMark,
): Promise<{ meta: unknown; arrays: Readonly<Record<string, Numbers>> }> {
  const bytes = new Uint8Array(mark.bytes);
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size !== mark.bytes) throw new Error(`${path} has ${size} bytes instead of ${mark.bytes}`);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(size - at, 2 ** 26), at);
      if (bytesRead === 0) throw new Error(`${path} ended early`);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  if (crc32(bytes) !== mark.crc32) throw new Error(`${path} does not match its checksum`);
  const headerLength = new Uint32Array(bytes.buffer, 0, 1)[0]!;
  const header = JSON.parse(Buffer.from(bytes.buffer, 8, headerLength).toString()) as Header;
  let at = 8 + headerLength + padding(headerLength).length;
  const arrays: Record<string, Numbers> = {};
  for (const { name, type, length } of header.arrays) {
    const array = new TYPES[type](bytes.buffer, at, length);
    arrays[name] = array;
    at += array.byteLength + padding(array.byteLength).length;
  }
  return { meta: header.meta, arrays };
}
