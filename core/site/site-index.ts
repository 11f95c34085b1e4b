/**
 * Reads the index of a build: the published addresses, the version each was built from, and the location of its bytes.
 * The file is read whole into one buffer and searched there; only the names are parsed, as JSON.
 *
 * Layout, little-endian: header, names as JSON, records of a fixed size, slots of a hash table, texts.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const MAGIC = 'EKBSITE2';
export const HEADER_BYTES = 64;
export const RECORD_BYTES = 72;
/** Bytes of a content hash that are stored: 120 bits, which are exactly 20 characters in base64url. */
export const HASH_BYTES = 15;
/** Maximum number of bytes that are processed before yielding to the event loop. */
const SLICE = 4 * 1024 * 1024;

/** Offset of each field within a record, in bytes. */
export const AT = {
  text: 0,
  pathLength: 4,
  versionLength: 6,
  type: 8,
  kind: 10,
  pack: 12,
  role: 14,
  offset: 16,
  identity: 20,
  gzip: 24,
  br: 28,
  hash: 32,
  modified: 48,
  changedAt: 56,
  pathHash: 64,
} as const;

export type Role = 'page' | 'discovery' | 'asset';
export const ROLES: readonly Role[] = ['page', 'discovery', 'asset'];

/** A page definition, as the index stores it. */
export interface IndexedKind {
  readonly plugin: string;
  readonly page: string;
  /** Digest of everything that the pages of this kind have in common. */
  readonly digest: string;
  /** State from which the next build continues, for kinds that support incremental builds; "" for others. */
  readonly state?: string;
}

export interface IndexedPack {
  readonly name: string;
  /** Size of the whole file, by which a truncated file is detected. */
  readonly bytes: number;
}

/** Summary of a build. */
export interface About {
  /** RFC 3339 timestamp. */
  readonly madeAt: string;
  readonly pages: number;
  readonly rendered: number;
  /** Total size of all published forms. */
  readonly bytes: number;
}

export interface IndexNames {
  readonly about: About;
  /** Whether compressed forms are stored where they save enough. */
  readonly twins: boolean;
  /** Digest of everything that sitemaps contain apart from the pages. */
  readonly discovery?: string;
  readonly packs: readonly IndexedPack[];
  readonly types: readonly string[];
  readonly kinds: readonly IndexedKind[];
}

/** The data stored for one address. */
export interface IndexedEntry {
  readonly path: string;
  readonly role: Role;
  readonly type: string;
  /** Index into `kinds`. */
  readonly kind: number;
  /** Version of the instance, as its page reported it. */
  readonly version: string;
  /** Milliseconds since 1970; null when unknown. */
  readonly changedAt: number | null;
  /** `contentHash` of the identity bytes. */
  readonly hash: string;
  /** When these bytes were first published, in milliseconds since 1970. */
  readonly modified: number;
  readonly place: Place;
}

/** Location of the bytes of an address: the identity form, followed by the gzip form and the Brotli form. */
export interface Place {
  readonly pack: string;
  readonly offset: number;
  readonly identity: number;
  readonly gzip: number;
  readonly br: number;
}

/** Returns the content hash: the ETag of a page, by which changes are detected. */
export const contentHash = (bytes: Buffer): string => hash('sha256', bytes, 'base64url').slice(0, (HASH_BYTES * 4) / 3);

/** Computes the FNV-1a hash of the characters of an address. */
export const hashOf = (path: string): number => {
  let sum = 0x811c9dc5;
  for (let at = 0; at < path.length; at += 1) sum = Math.imul(sum ^ path.charCodeAt(at), 0x01000193);
  return sum >>> 0;
};

/** Returns a DataView of the same bytes: V8 reads numbers faster through it. */
export const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

export class DamagedIndex extends Error {}

interface Layout {
  readonly records: number;
  readonly slots: number;
  readonly names: number;
}

/** Returns where the parts begin, computed from the counts in the header. */
export const partsOf = ({ names, records, slots }: Layout) => {
  const recordsAt = HEADER_BYTES + Math.ceil(names / 8) * 8;
  const slotsAt = recordsAt + records * RECORD_BYTES;
  return { recordsAt, slotsAt, textsAt: slotsAt + slots * 4 };
};

export const writeHeader = (into: Buffer, layout: Layout & { readonly bytes: number; readonly crc: number }): void => {
  into.write(MAGIC, 0, 'latin1');
  into.writeUInt32LE(layout.names, 8);
  into.writeUInt32LE(layout.records, 12);
  into.writeUInt32LE(layout.slots, 16);
  into.writeUInt32LE(layout.crc, 20);
  into.writeDoubleLE(layout.bytes, 24);
};

/** Computes the CRC-32 of everything after the header, yielding to the event loop between slices. */
export const checksum = async (parts: readonly Buffer[]): Promise<number> => {
  let sum = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; from += SLICE) {
      sum = crc32(part.subarray(from, from + SLICE), sum);
      if (part.length > SLICE) await new Promise(setImmediate);
    }
  }
  return sum;
};

/**
 * Opens an index and verifies its size and checksum.
 * @throws DamagedIndex when the bytes are not those that were written.
 */
export const openIndex = async (bytes: Buffer): Promise<SiteIndex> => {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC)
    throw new DamagedIndex('it is no index of this version');
  const layout = { names: bytes.readUInt32LE(8), records: bytes.readUInt32LE(12), slots: bytes.readUInt32LE(16) };
  if (bytes.readDoubleLE(24) !== bytes.length) throw new DamagedIndex('it was cut short');
  if ((await checksum([bytes.subarray(HEADER_BYTES)])) !== bytes.readUInt32LE(20))
    throw new DamagedIndex('it does not match its checksum');
  return new SiteIndex(bytes, layout);
};

/** A range of entries with the same role and kind; `to` is exclusive. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly role: Role;
  readonly kind: number;
}

/** A read-only index. Entries are numbered from 0 in the order in which they were added, which is that of the plan. */
export class SiteIndex {
  readonly names: IndexNames;
  readonly count: number;
  #runs: readonly Run[] | null = null;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #parts: ReturnType<typeof partsOf>;
  readonly #mask: number;

  constructor(bytes: Buffer, layout: Layout) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#parts = partsOf(layout);
    this.#mask = layout.slots - 1;
    this.count = layout.records;
    this.names = JSON.parse(bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + layout.names));
  }

  /** Returns the number of an address; -1 when the index does not contain it. */
  find(path: string): number {
    const { slotsAt } = this.#parts;
    for (let slot = hashOf(path) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = this.#view.getUint32(slotsAt + slot * 4, true) - 1;
      if (number < 0) return -1;
      if (this.#isAt(number, path)) return number;
    }
  }

  #isAt(number: number, path: string): boolean {
    const record = this.#recordAt(number);
    if (this.#view.getUint16(record + AT.pathLength, true) !== path.length) return false;
    const text = this.#parts.textsAt + this.#view.getUint32(record + AT.text, true);
    for (let at = 0; at < path.length; at += 1) if (this.#bytes[text + at] !== path.charCodeAt(at)) return false;
    return true;
  }

  #recordAt(number: number): number {
    return this.#parts.recordsAt + number * RECORD_BYTES;
  }

  /** Returns the bytes of one record, so that a new index can copy it. */
  record(number: number): Buffer {
    return this.#bytes.subarray(this.#recordAt(number), this.#recordAt(number) + RECORD_BYTES);
  }

  /** Returns the bytes of consecutive records, which lie in the order of the entries. */
  records(from: number, to: number): Buffer {
    return this.#bytes.subarray(this.#recordAt(from), this.#recordAt(to));
  }

  /** Returns the texts of consecutive entries: each path is followed by its version. */
  texts(from: number, to: number): Buffer {
    const { textsAt } = this.#parts;
    const last = this.#recordAt(to - 1);
    const lengths =
      this.#view.getUint16(last + AT.pathLength, true) + this.#view.getUint16(last + AT.versionLength, true);
    const end = this.#view.getUint32(last + AT.text, true) + lengths;
    return this.#bytes.subarray(textsAt + this.#view.getUint32(this.#recordAt(from) + AT.text, true), textsAt + end);
  }

  path(number: number): string {
    const record = this.#recordAt(number);
    const text = this.#parts.textsAt + this.#view.getUint32(record + AT.text, true);
    return this.#bytes.toString('latin1', text, text + this.#view.getUint16(record + AT.pathLength, true));
  }

  /** Returns whether the entry was built from this version of an instance. */
  isOfVersion(number: number, version: string): boolean {
    const record = this.#recordAt(number);
    const length = this.#view.getUint16(record + AT.versionLength, true);
    return length === version.length && this.version(number) === version;
  }

  version(number: number): string {
    const record = this.#recordAt(number);
    const text =
      this.#parts.textsAt +
      this.#view.getUint32(record + AT.text, true) +
      this.#view.getUint16(record + AT.pathLength, true);
    return this.#bytes.toString('latin1', text, text + this.#view.getUint16(record + AT.versionLength, true));
  }

  kind(number: number): number {
    return this.#view.getUint16(this.#recordAt(number) + AT.kind, true);
  }

  /** Returns all entries as ranges of consecutive entries with the same role and kind. */
  get runs(): readonly Run[] {
    this.#runs ??= [...this.#findRuns()];
    return this.#runs;
  }

  *#findRuns(): Iterable<Run> {
    for (let from = 0, to = 0; from < this.count; from = to) {
      to = this.#endOfRun(from);
      yield { from, to, role: this.role(from), kind: this.kind(from) };
    }
  }

  #endOfRun(from: number): number {
    const [role, kind] = [this.#bytes[this.#recordAt(from) + AT.role], this.kind(from)];
    let to = from + 1;
    for (let at = this.#recordAt(to); to < this.count; to += 1, at += RECORD_BYTES)
      if (this.#bytes[at + AT.role] !== role || this.#view.getUint16(at + AT.kind, true) !== kind) break;
    return to;
  }

  role(number: number): Role {
    return ROLES[this.#bytes[this.#recordAt(number) + AT.role] ?? 0] ?? 'page';
  }

  hash(number: number): string {
    const at = this.#recordAt(number) + AT.hash;
    return this.#bytes.toString('base64url', at, at + HASH_BYTES);
  }

  modified(number: number): number {
    return this.#view.getFloat64(this.#recordAt(number) + AT.modified, true);
  }

  changedAt(number: number): number | null {
    const at = this.#view.getFloat64(this.#recordAt(number) + AT.changedAt, true);
    return Number.isNaN(at) ? null : at;
  }

  /** Returns the index of the pack in `names.packs`. */
  pack(number: number): number {
    return this.#view.getUint16(this.#recordAt(number) + AT.pack, true);
  }

  /** Returns the total size of all forms of an entry, in bytes. */
  bytes(number: number): number {
    const record = this.#recordAt(number);
    return (
      this.#view.getUint32(record + AT.identity, true) +
      this.#view.getUint32(record + AT.gzip, true) +
      this.#view.getUint32(record + AT.br, true)
    );
  }

  place(number: number): Place {
    const record = this.#recordAt(number);
    return {
      pack: this.names.packs[this.pack(number)]?.name ?? '',
      offset: this.#view.getUint32(record + AT.offset, true),
      identity: this.#view.getUint32(record + AT.identity, true),
      gzip: this.#view.getUint32(record + AT.gzip, true),
      br: this.#view.getUint32(record + AT.br, true),
    };
  }

  entry(number: number): IndexedEntry {
    return {
      path: this.path(number),
      role: this.role(number),
      type: this.names.types[this.#view.getUint16(this.#recordAt(number) + AT.type, true)] ?? '',
      kind: this.kind(number),
      version: this.version(number),
      changedAt: this.changedAt(number),
      hash: this.hash(number),
      modified: this.modified(number),
      place: this.place(number),
    };
  }
}
