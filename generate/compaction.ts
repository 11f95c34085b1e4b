/** Compacts packs: entries of packs that are mostly dead, or small and numerous, move into the new pack. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { PackWriter, Twins } from '#core/site/pack-writer.ts';
import type { IndexedPack, Place, SiteIndex } from '#core/site/site-index.ts';
import { packPath } from '#core/site/site-layout.ts';

/** A large pack is compacted when less than this share of it is in use. */
const LEAST_ALIVE = 0.5;
/** Number of packs that a server can open without a noticeable cost. */
const MANY_PACKS = 24;
/** Small packs (below SMALL bytes) are merged when there are many packs, or when they contain more than MOST_DEAD dead bytes. */
const SMALL = 32 * 1024 * 1024;
const MOST_DEAD = 128 * 1024 * 1024;

export interface Compaction {
  /** Whether any pack is compacted. */
  readonly isAny: boolean;
  /** Moves an entry of the previous build and returns its new place when its pack is compacted; otherwise returns null. */
  placeOf(number: number): Place | null;
}

/**
 * Returns the compaction of a build.
 * @param kept marks the entries of pages that are reused.
 */
export const compactor = (siteDir: string, index: SiteIndex | null, pack: PackWriter, kept: Uint8Array): Compaction => {
  const given = index ? givenUp(index, kept) : new Set<number>();
  if (!index || !given.size) return { isAny: false, placeOf: () => null };
  return {
    isAny: true,
    placeOf: (number) => (given.has(index.pack(number)) ? move(siteDir, index.place(number), pack) : null),
  };
};

/**
 * Returns the numbers of the packs to compact. Sitemaps and assets count as alive, because it is not yet known whether they are
 * reused.
 */
const givenUp = (index: SiteIndex, kept: Uint8Array): ReadonlySet<number> => {
  const alive = new Array<number>(index.names.packs.length).fill(0);
  for (const { from, to, role } of index.runs)
    for (let number = from; number < to; number += 1) {
      if (!kept[number] && role === 'page') continue;
      const at = index.pack(number);
      alive[at] = (alive[at] ?? 0) + index.bytes(number);
    }
  const { packs } = index.names;
  const dead = packs.reduce((sum, { bytes }, at) => sum + (bytes < SMALL ? bytes - (alive[at] ?? 0) : 0), 0);
  const isTime = packs.length > MANY_PACKS || dead > MOST_DEAD;
  const isGivenUp = ({ bytes }: IndexedPack, number: number): boolean =>
    bytes < SMALL ? isTime : (alive[number] ?? 0) < bytes * LEAST_ALIVE;
  // A pack without living entries needs no compaction.
  return new Set(packs.flatMap((of, number) => (alive[number] && isGivenUp(of, number) ? [number] : [])));
};

const move = (siteDir: string, place: Place, to: PackWriter): Place => {
  const { identity, ...twins } = readForms(siteDir, place);
  return to.add(identity, twins);
};

/** Reads the uncompressed and compressed forms at a place. */
export const readForms = (siteDir: string, { pack: from, offset, identity, gzip, br }: Place): Forms => {
  const bytes = Buffer.allocUnsafe(identity + gzip + br);
  const descriptor = openSync(packPath(siteDir, from), 'r');
  try {
    for (let done = 0; done < bytes.length; ) {
      const more = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
      if (!more) throw new Error(`${from} ends early`);
      done += more;
    }
  } finally {
    closeSync(descriptor);
  }
  const twin = (begin: number, length: number): Buffer | null =>
    length ? bytes.subarray(begin, begin + length) : null;
  return { identity: bytes.subarray(0, identity), gzip: twin(identity, gzip), br: twin(identity + gzip, br) };
};

interface Forms extends Twins {
  readonly identity: Buffer;
}
