/** Makes the index of a new build, entry by entry; unchanged entries are copied from the index before. */
import { mkdir } from 'node:fs/promises';
import {
  type About,
  AT,
  checksum,
  HASH_BYTES,
  HEADER_BYTES,
  hashOf,
  hashOfBytes,
  type IndexedEntry,
  type IndexedKind,
  type IndexedPack,
  type IndexNames,
  partsOf,
  RECORD_BYTES,
  ROLES,
  type SiteIndex,
  writeHeader,
} from './site-index.ts';
import { buildDir, indexPath, replaceFile } from './site-layout.ts';

/** Longer versions, and those beyond ASCII, are kept by their digest. */
export const LONGEST_VERSION = 120;

interface DraftOptions {
  readonly kinds: readonly IndexedKind[];
  readonly twins: boolean;
  readonly discovery?: string;
  /** Entries that are expected: an index grows beyond them at a cost. */
  readonly entries: number;
}

/** A version that no instance has: the next build makes the page anew. */
export const STALE = '\u0001';

/** What may differ between an entry and the one of before that it is taken from. */
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
  #texts: Buffer;
  /** Of the addresses, in the order of the entries. */
  readonly #hashes: number[] = [];
  #count = 0;
  #textBytes = 0;

  constructor(options: DraftOptions) {
    this.#options = options;
    this.#records = Buffer.alloc(Math.max(16, options.entries + 32) * RECORD_BYTES);
    this.#texts = Buffer.alloc(Math.max(16, options.entries) * 64);
  }

  get count(): number {
    return this.#count;
  }

  /** The path and version must be ASCII, the version at most LONGEST_VERSION long. */
  add(entry: IndexedEntry): void {
    const { place, type, kind, path, version } = entry;
    const at = this.#next(path, version);
    const records = this.#records;
    records.writeUInt16LE(numberOf(this.#types, type), at + AT.type);
    records.writeUInt16LE(kind, at + AT.kind);
    records.writeUInt16LE(numberOf(this.#packs, place.pack), at + AT.pack);
    records[at + AT.role] = ROLES.indexOf(entry.role);
    records.writeUInt32LE(place.offset, at + AT.offset);
    records.writeUInt32LE(place.identity, at + AT.identity);
    records.writeUInt32LE(place.gzip, at + AT.gzip);
    records.writeUInt32LE(place.br, at + AT.br);
    records.write(entry.hash, at + AT.hash, HASH_BYTES, 'base64url');
    records.writeDoubleLE(entry.modified, at + AT.modified);
    records.writeDoubleLE(entry.changedAt ?? Number.NaN, at + AT.changedAt);
  }

  /** Copies an entry of the index before, bytes where they are. */
  takeOver(before: SiteIndex, number: number, path: string, { kind, version, changedAt }: TakenOver): void {
    const at = this.#next(path, version);
    const records = this.#records;
    before.record(number).copy(records, at + AT.type, AT.type);
    this.#renumber(before, at, kind);
    records.writeDoubleLE(changedAt ?? Number.NaN, at + AT.changedAt);
  }

  /** Copies an entry as it is, without looking at its texts. @param isStale the next build is to make it anew. */
  stay(before: SiteIndex, number: number, { kind, isStale }: { kind: number; isStale: boolean }): void {
    if (isStale) {
      this.takeOver(before, number, before.path(number), { kind, version: STALE, changedAt: before.changedAt(number) });
      return;
    }
    const texts = before.texts(number);
    const at = this.#room(texts.length);
    const records = this.#records;
    before.record(number).copy(records, at);
    records.writeUInt32LE(this.#textBytes, at + AT.text);
    texts.copy(this.#texts, this.#textBytes);
    this.#renumber(before, at, kind);
    this.#hashes.push(hashOfBytes(texts, records.readUInt16LE(at + AT.pathLength)));
    this.#textBytes += texts.length;
    this.#count += 1;
  }

  /** Numbers of types and packs are those of this index. */
  #renumber(before: SiteIndex, at: number, kind: number): void {
    const records = this.#records;
    const type = before.names.types[records.readUInt16LE(at + AT.type)] ?? '';
    records.writeUInt16LE(numberOf(this.#types, type), at + AT.type);
    records.writeUInt16LE(kind, at + AT.kind);
    const pack = before.names.packs[records.readUInt16LE(at + AT.pack)]?.name ?? '';
    records.writeUInt16LE(numberOf(this.#packs, pack), at + AT.pack);
  }

  /** Room for one more, with its texts; answers where its record begins. */
  #next(path: string, version: string): number {
    const length = path.length + version.length;
    const at = this.#room(length);
    this.#records.writeUInt32LE(this.#textBytes, at + AT.text);
    this.#records.writeUInt16LE(path.length, at + AT.pathLength);
    this.#records.writeUInt16LE(version.length, at + AT.versionLength);
    this.#texts.write(path, this.#textBytes, 'latin1');
    this.#texts.write(version, this.#textBytes + path.length, 'latin1');
    this.#hashes.push(hashOf(path));
    this.#textBytes += length;
    this.#count += 1;
    return at;
  }

  #room(texts: number): number {
    if ((this.#count + 1) * RECORD_BYTES > this.#records.length) this.#records = grown(this.#records, RECORD_BYTES);
    if (this.#textBytes + texts > this.#texts.length) this.#texts = grown(this.#texts, texts);
    return this.#count * RECORD_BYTES;
  }

  /** Names of the packs that entries lie in. */
  packs(): readonly string[] {
    return [...this.#packs.keys()];
  }

  /** Writes the index of a build that nobody reads yet. */
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
    // One sum over all parts is the sum over the file.
    const whole = Buffer.concat(parts);
    const header = Buffer.alloc(HEADER_BYTES);
    writeHeader(header, { ...layout, bytes: HEADER_BYTES + whole.length, crc: await checksum([whole]) });
    await mkdir(buildDir(siteDir, build), { recursive: true });
    await replaceFile(indexPath(siteDir, build), [header, whole]);
  }

  #slots(count: number): Buffer {
    const slots = new Uint32Array(count);
    const mask = count - 1;
    for (let number = 0; number < this.#count; number += 1) {
      let slot = (this.#hashes[number] ?? 0) & mask;
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

const grown = (buffer: Buffer, more: number): Buffer => {
  const larger = Buffer.alloc(Math.max(buffer.length * 2, buffer.length + more));
  buffer.copy(larger);
  return larger;
};
