/** Writes the index of a new build entry by entry; unchanged entries are copied from the previous index. */
import { mkdir } from 'node:fs/promises';
import {
  type About,
  AT,
  checksum,
  HASH_BYTES,
  HEADER_BYTES,
  hashOf,
  type IndexedEntry,
  type IndexedKind,
  type IndexedPack,
  type IndexNames,
  partsOf,
  RECORD_BYTES,
  ROLES,
  type Run,
  type SiteIndex,
  viewOf,
  writeHeader,
} from './site-index.ts';
import { buildDir, indexPath, replaceFile } from './site-layout.ts';

/** Maximum length of a version, in characters. Longer versions and those with other than ASCII are stored as a digest. */
export const LONGEST_VERSION = 120;

interface DraftOptions {
  readonly kinds: readonly IndexedKind[];
  readonly twins: boolean;
  readonly discovery?: string;
  /** Expected number of entries; growing beyond it costs a copy of the buffers. */
  readonly entries: number;
}

/** A range of entries of the previous index, with their kind in the new index. */
type Staying = Pick<Run, 'from' | 'to' | 'kind'>;

/** A version that no instance has, so that the next build renders the page again. */
export const STALE = '\u0001';

/** The fields that may differ between a copied entry and its previous version. */
export interface TakenOver {
  readonly kind: number;
  readonly version: string;
  readonly changedAt: number | null;
}

interface Whole {
  readonly about: About;
  readonly bytesOfPack: (name: string) => number;
}

export class IndexWriter {
  readonly #options: DraftOptions;
  readonly #packs = new Map<string, number>();
  readonly #types = new Map<string, number>();
  #records: Buffer;
  #view: DataView;
  #texts: Buffer;
  #count = 0;
  #textBytes = 0;

  constructor(options: DraftOptions) {
    this.#options = options;
    this.#records = Buffer.allocUnsafe(Math.max(16, options.entries + 32) * RECORD_BYTES);
    this.#view = viewOf(this.#records);
    this.#texts = Buffer.allocUnsafe(Math.max(16, options.entries) * 64);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds an entry. The path and version must be ASCII, and the version at most LONGEST_VERSION characters long. */
  add(entry: IndexedEntry): void {
    const { place, type, kind, path, version } = entry;
    const at = this.#next(path, version);
    const records = this.#view;
    records.setUint16(at + AT.type, numberOf(this.#types, type), true);
    records.setUint16(at + AT.kind, kind, true);
    records.setUint16(at + AT.pack, numberOf(this.#packs, place.pack), true);
    records.setUint8(at + AT.role, ROLES.indexOf(entry.role));
    records.setUint32(at + AT.offset, place.offset, true);
    records.setUint32(at + AT.identity, place.identity, true);
    records.setUint32(at + AT.gzip, place.gzip, true);
    records.setUint32(at + AT.br, place.br, true);
    this.#records.write(entry.hash, at + AT.hash, HASH_BYTES, 'base64url');
    records.setFloat64(at + AT.modified, entry.modified, true);
    records.setFloat64(at + AT.changedAt, entry.changedAt ?? Number.NaN, true);
  }

  /** Copies an entry of the previous index; its bytes stay in their pack. */
  takeOver(before: SiteIndex, number: number, path: string, { kind, version, changedAt }: TakenOver): void {
    const at = this.#next(path, version);
    const records = this.#records;
    before.record(number).copy(records, at + AT.type, AT.type);
    this.#renumber(before, at, kind);
    records.writeDoubleLE(changedAt ?? Number.NaN, at + AT.changedAt);
  }

  /** Copies consecutive entries of one kind in one operation, because a build leaves most of a site unchanged. */
  stay(before: SiteIndex, { from, to, kind }: Staying): void {
    const [source, texts] = [before.records(from, to), before.texts(from, to)];
    this.#makeRoom(to - from, texts.length);
    source.copy(this.#records, this.#count * RECORD_BYTES);
    texts.copy(this.#texts, this.#textBytes);
    const moved = this.#textBytes - source.readUInt32LE(AT.text);
    const { types, packs } = this.#numbersFrom(before);
    const records = this.#view;
    for (let number = this.#count; number < this.#count + to - from; number += 1) {
      const at = number * RECORD_BYTES;
      records.setUint32(at + AT.text, records.getUint32(at + AT.text, true) + moved, true);
      records.setUint16(at + AT.type, types.of(records.getUint16(at + AT.type, true)), true);
      records.setUint16(at + AT.kind, kind, true);
      records.setUint16(at + AT.pack, packs.of(records.getUint16(at + AT.pack, true)), true);
    }
    this.#count += to - from;
    this.#textBytes += texts.length;
  }

  path(number: number): string {
    const at = number * RECORD_BYTES;
    const text = this.#records.readUInt32LE(at + AT.text);
    return this.#texts.toString('latin1', text, text + this.#records.readUInt16LE(at + AT.pathLength));
  }

  /** Copies the bytes of a path into a buffer and returns the offset after them. */
  copyPath(number: number, into: Buffer, at: number): number {
    const record = number * RECORD_BYTES;
    const [text, length, texts] = [
      this.#view.getUint32(record + AT.text, true),
      this.#view.getUint16(record + AT.pathLength, true),
      this.#texts,
    ];
    for (let byte = 0; byte < length; byte += 1) into[at + byte] = texts[text + byte] as number;
    return at + length;
  }

  changedAt(number: number): number | null {
    const time = this.#view.getFloat64(number * RECORD_BYTES + AT.changedAt, true);
    return Number.isNaN(time) ? null : time;
  }

  #from: { readonly before: SiteIndex; readonly types: Renumbering; readonly packs: Renumbering } | null = null;
  #numbersFrom(before: SiteIndex): { readonly types: Renumbering; readonly packs: Renumbering } {
    if (this.#from?.before !== before) {
      const packs = before.names.packs.map(({ name }) => name);
      this.#from = {
        before,
        types: new Renumbering(before.names.types, this.#types),
        packs: new Renumbering(packs, this.#packs),
      };
    }
    return this.#from;
  }

  /** Translates the type and pack numbers of a record from the previous index to those of this index. */
  #renumber(before: SiteIndex, at: number, kind: number): void {
    const records = this.#records;
    const [type, pack] = [records.readUInt16LE(at + AT.type), records.readUInt16LE(at + AT.pack)];
    records.writeUInt16LE(numberOf(this.#types, before.names.types[type] ?? ''), at + AT.type);
    records.writeUInt16LE(kind, at + AT.kind);
    records.writeUInt16LE(numberOf(this.#packs, before.names.packs[pack]?.name ?? ''), at + AT.pack);
  }

  /** Adds an empty record and its texts; returns the offset of the record. */
  #next(path: string, version: string): number {
    this.#makeRoom(1, path.length + version.length);
    const at = this.#count * RECORD_BYTES;
    this.#records.fill(0, at, at + RECORD_BYTES);
    this.#view.setUint32(at + AT.text, this.#textBytes, true);
    this.#view.setUint16(at + AT.pathLength, path.length, true);
    this.#view.setUint16(at + AT.versionLength, version.length, true);
    this.#texts.write(path, this.#textBytes, 'latin1');
    this.#texts.write(version, this.#textBytes + path.length, 'latin1');
    this.#view.setUint32(at + AT.pathHash, hashOf(path), true);
    this.#textBytes += path.length + version.length;
    this.#count += 1;
    return at;
  }

  #makeRoom(entries: number, texts: number): void {
    const needed = (this.#count + entries) * RECORD_BYTES;
    if (needed > this.#records.length) {
      this.#records = grown(this.#records, needed - this.#records.length);
      this.#view = viewOf(this.#records);
    }
    if (this.#textBytes + texts > this.#texts.length) this.#texts = grown(this.#texts, texts);
  }

  /** Returns the names of the packs that contain entries. */
  packs(): readonly string[] {
    return [...this.#packs.keys()];
  }

  /** Writes the index of a build that is not public yet. */
  async write(siteDir: string, build: string, { about, bytesOfPack }: Whole): Promise<void> {
    const packs: IndexedPack[] = this.packs().map((name) => ({ name, bytes: bytesOfPack(name) }));
    const { kinds, twins, discovery = '' } = this.#options;
    const names = Buffer.from(
      JSON.stringify({ about, twins, discovery, packs, types: [...this.#types.keys()], kinds } satisfies IndexNames),
    );
    const slots = 2 ** Math.ceil(Math.log2(Math.max(8, this.#count * 2)));
    const layout = { records: this.#count, slots, names: names.length };
    const parts = [
      names,
      Buffer.alloc(partsOf(layout).recordsAt - HEADER_BYTES - names.length),
      this.#records.subarray(0, this.#count * RECORD_BYTES),
      this.#slots(slots),
      this.#texts.subarray(0, this.#textBytes),
    ];
    const bytes = parts.reduce((sum, { length }) => sum + length, HEADER_BYTES);
    const header = Buffer.alloc(HEADER_BYTES);
    // The checksum is computed over all parts in order, so it is that of the file after the header.
    writeHeader(header, { ...layout, bytes, crc: await checksum(parts) });
    await mkdir(buildDir(siteDir, build), { recursive: true });
    await replaceFile(indexPath(siteDir, build), [header, ...parts]);
  }

  #slots(count: number): Buffer {
    const slots = new Uint32Array(count);
    const mask = count - 1;
    for (let number = 0; number < this.#count; number += 1) {
      let slot = this.#view.getUint32(number * RECORD_BYTES + AT.pathHash, true) & mask;
      while (slots[slot]) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    return Buffer.from(slots.buffer);
  }
}

const numberOf = (numbers: Map<string, number>, name: string): number => {
  const known = numbers.get(name) ?? numbers.size;
  numbers.set(name, known);
  return known;
};

/** Maps numbers in one list of names to numbers in another; a name that is missing there is added on first use. */
class Renumbering {
  readonly #names: readonly string[];
  readonly #numbers: Map<string, number>;
  readonly #known: Int32Array;

  constructor(names: readonly string[], numbers: Map<string, number>) {
    this.#names = names;
    this.#numbers = numbers;
    this.#known = new Int32Array(names.length).fill(-1);
  }

  of(number: number): number {
    if ((this.#known[number] as number) < 0) this.#known[number] = numberOf(this.#numbers, this.#names[number] ?? '');
    return this.#known[number] as number;
  }
}

const grown = (buffer: Buffer, more: number): Buffer => {
  const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, buffer.length + more));
  buffer.copy(larger);
  return larger;
};
