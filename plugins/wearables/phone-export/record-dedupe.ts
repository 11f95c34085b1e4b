/** Detects duplicate records with a few bytes each: an export of 2 GB has six million. */

export interface RecordDedupe {
  /**
   * Returns whether the record was seen before. It has four parameters instead of an object, which saves an allocation for each
   * of millions of records.
   * @param kind combined number of type and source.
   */
  isAgain(kind: number, start: number, end: number, value: number): boolean;
}

/** Average size of a record in real exports, including metadata, in bytes; it determines only the size of the first table. */
const BYTES_OF_RECORD = 330;
const FULL = 0.75;
const FEWEST = 1 << 12;

interface Table {
  readonly slots: number;
  readonly low: Uint32Array;
  readonly high: Uint16Array;
  used: number;
}

const tableOf = (slots: number): Table => ({
  slots,
  low: new Uint32Array(slots),
  high: new Uint16Array(slots),
  used: 0,
});

/** One step of MurmurHash3. */
const mixed = (hash: number, word: number): number => {
  let k = Math.imul(word, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = hash ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
};

const finished = (hash: number): number => {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

const SEEDS = [0, 0x9747b28c] as const;

/** Returns a 32-bit hash of five words and a seed. */
const hashed = (seed: number, kind: number, start: number, end: number, first: number, second: number): number =>
  finished(mixed(mixed(mixed(mixed(mixed(seed, kind), start | 0), end | 0), first), second));

/**
 * Creates an empty set. It stores 64 bits per record, some of them by the slot: with six million records, two different ones
 * collide once in a million exports. A full table is kept and a new one is added, so that nothing is ever rehashed.
 * @param bytes size of the file, which determines the initial size.
 */
export const createSeen = (bytes: number): RecordDedupe => {
  const tables = [tableOf(Math.max(FEWEST, Math.ceil(bytes / BYTES_OF_RECORD / FULL)))];
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);

  /** Returns the slot of the record if present, otherwise the free slot as -1 - slot. */
  const slotIn = ({ slots, low, high }: Table, place: number, lower: number, upper: number): number => {
    let at = Math.floor((place / 0x1_0000_0000) * slots);
    while (low[at] !== 0 || high[at] !== 0) {
      if (low[at] === lower && high[at] === upper) return at;
      at = at + 1 === slots ? 0 : at + 1;
    }
    return -1 - at;
  };

  return {
    isAgain: (kind, start, end, value) => {
      number[0] = value;
      const [first, second] = [words[0] ?? 0, words[1] ?? 0];
      const place = hashed(SEEDS[0], kind, start, end, first, second);
      const lower = hashed(SEEDS[1], kind, start, end, first, second) || 1;
      const upper = place & 0xffff;
      let free = 0;
      for (const table of tables) {
        free = slotIn(table, place, lower, upper);
        if (free >= 0) return true;
      }
      let last = tables[tables.length - 1] as Table;
      if (last.used >= last.slots * FULL) {
        last = tableOf(Math.max(FEWEST, Math.ceil(last.slots / 2)));
        tables.push(last);
        free = slotIn(last, place, lower, upper);
      }
      last.low[-1 - free] = lower;
      last.high[-1 - free] = upper;
      last.used += 1;
      return false;
    },
  };
};
