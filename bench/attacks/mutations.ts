/** Mutates files while preserving the structure of their format, so that parsers get past their first checks. */
import { crc32, deflateSync } from 'node:zlib';

/** Returns a generator of numbers from 0 to 1 (Mulberry32); equal seeds give equal sequences. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export interface Chance {
  /** Returns an integer from 0 to below `end`. */
  below(end: number): number;
  pick<T>(all: readonly T[]): T;
}

export const chanceOf = (seed: number): Chance => {
  const next = seeded(seed);
  const below = (end: number): number => Math.floor(next() * end);
  return { below, pick: (all) => all[below(all.length)] as (typeof all)[number] };
};

export type Mutation = (bytes: Buffer, chance: Chance) => Buffer;

const NUMBERS = [
  '0',
  '-1',
  '1',
  '255',
  '65536',
  '2147483647',
  '-2147483648',
  '4294967295',
  '1e308',
  '0.00001',
  '99999999999',
];
const TEXTS = [
  '',
  '\u0000',
  '<',
  '"',
  '\\',
  '\ud800',
  '\u202e',
  'é'.repeat(50),
  'A'.repeat(100_000),
  '%s%n',
  '../../x',
  '__proto__',
];

const splice = (bytes: Buffer, at: number, removed: number, added: Buffer | string): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(added as string), bytes.subarray(at + removed)]);

/** Flips, cuts, duplicates or moves bytes at random positions. */
export const anyBytes: Mutation = (bytes, { below, pick }) => {
  const at = below(bytes.length);
  const length = 1 + below(pick([4, 64, 1_024]));
  switch (below(5)) {
    case 0: {
      const changed = Buffer.from(bytes);
      for (let turn = 0; turn < 1 + below(8); turn += 1) changed[below(changed.length)] = below(256);
      return changed;
    }
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return splice(bytes, at, length, '');
    case 3:
      return splice(bytes, below(bytes.length), 0, bytes.subarray(at, at + length));
    default:
      return splice(bytes, at, 0, Buffer.alloc(length, below(256)));
  }
};

/** Replaces one random match of a pattern. */
const replaceOne = (
  bytes: Buffer,
  pattern: RegExp,
  { pick }: Chance,
  replacement: (found: string) => string | Buffer,
): Buffer => {
  const all = [...bytes.toString('latin1').matchAll(pattern)];
  if (!all.length) return bytes;
  const found = pick(all);
  const made = replacement(found[0]);
  return splice(bytes, found.index, found[0].length, typeof made === 'string' ? Buffer.from(made, 'latin1') : made);
};

const chainOf = (filters: number): string => `/Filter [${Array(filters).fill('/FlateDecode').join(' ')}]`;

export const pdf: Mutation = (bytes, chance) => {
  const { below, pick } = chance;
  switch (below(8)) {
    case 0:
      return replaceOne(bytes, /(?<=[ [])-?\d+(?:\.\d+)?(?=[ \]\n/])/g, chance, () => pick(NUMBERS));
    case 1:
      return replaceOne(bytes, /\d+ 0 R/g, chance, () => `${below(20)} 0 R`);
    case 2:
      return replaceOne(bytes, /\/[A-Za-z]+/g, chance, () =>
        pick([
          '/Kids',
          '/Parent',
          '/Contents',
          '/Length',
          '/Font',
          '/JBIG2Decode',
          '/DCTDecode',
          '/LZWDecode',
          '/JPXDecode',
          '/Type0',
          '/Image',
          '/Form',
          '/ObjStm',
          '/XRef',
        ]),
      );
    case 3: {
      // Replaces a stream by another that is compressed once or many times.
      const depth = pick([1, 1, 2, 3, 8, 40]);
      let content = Buffer.from(
        pick(['BT /F1 12 Tf (x) Tj ET ', 'q ', '1 0 0 1 0 0 cm ', '/X1 Do ', '0 0 m 1 1 l S ']).repeat(
          1 + below(20_000),
        ),
      );
      for (let level = 0; level < depth; level += 1) content = deflateSync(content);
      const changed = replaceOne(bytes, /stream\r?\n[\s\S]*?endstream/g, chance, () =>
        Buffer.concat([Buffer.from('stream\n'), content, Buffer.from('\nendstream')]),
      );
      return replaceOne(changed, /\/Filter *(?:\/FlateDecode|\[[^\]]*\])/g, chance, () => chainOf(depth));
    }
    case 4:
      return replaceOne(bytes, /\/Filter *(?:\/FlateDecode|\[[^\]]*\])/g, chance, () =>
        chainOf(pick([0, 2, 5, 1_000])),
      );
    case 5:
      return replaceOne(bytes, /\d+ 0 obj[\s\S]*?endobj/g, chance, (found) => found.repeat(pick([0, 2, 200])));
    case 6:
      return replaceOne(
        bytes,
        /\[[^[\]]*\]|<<[^<>]*>>/g,
        chance,
        (found) => `${'['.repeat(pick([1, 50, 50_000]))}${found}`,
      );
    default:
      return anyBytes(bytes, chance);
  }
};

const SIGNATURE = 8;

const chunksOf = (bytes: Buffer): { type: string; data: Buffer }[] => {
  const all: { type: string; data: Buffer }[] = [];
  for (let at = SIGNATURE; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    all.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return all;
};

const pngOf = (signature: Buffer, chunks: readonly { type: string; data: Buffer }[]): Buffer =>
  Buffer.concat([
    signature,
    ...chunks.flatMap(({ type, data }) => {
      const [length, sum, body] = [
        Buffer.alloc(4),
        Buffer.alloc(4),
        Buffer.concat([Buffer.from(type, 'latin1'), data]),
      ];
      length.writeUInt32BE(data.length);
      sum.writeUInt32BE(crc32(body));
      return [length, body, sum];
    }),
  ]);

/** Mutates chunks and keeps their checksums valid. */
export const png: Mutation = (bytes, chance) => {
  const { below, pick } = chance;
  const chunks = chunksOf(bytes);
  const at = below(chunks.length);
  const chunk = chunks[at];
  if (!chunk?.data.length) return anyBytes(bytes, chance);
  const put = (...made: { type: string; data: Buffer }[]): Buffer =>
    pngOf(bytes.subarray(0, SIGNATURE), [...chunks.slice(0, at), ...made, ...chunks.slice(at + 1)]);
  switch (below(6)) {
    case 0: {
      const header = Buffer.from(chunks[0]?.data ?? Buffer.alloc(13));
      if (below(2)) header.writeUInt32BE(Number(pick(['0', '1', '40000', '2147483647', '4294967295'])), pick([0, 4]));
      else header[8 + below(5)] = below(20);
      return pngOf(bytes.subarray(0, SIGNATURE), [{ type: 'IHDR', data: header }, ...chunks.slice(1)]);
    }
    case 1:
      return put({ type: chunk.type, data: anyBytes(chunk.data, chance) });
    case 2:
      return put(...Array<typeof chunk>(pick([0, 2, 5_000])).fill(chunk));
    case 3:
      return put(chunk, {
        type: pick(['zTXt', 'iCCP', 'iTXt']),
        data: Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(30_000_000))]),
      });
    case 4:
      return put({ type: 'IDAT', data: deflateSync(Buffer.alloc(pick([0, 1, 50_000_000]))) });
    default:
      return anyBytes(bytes, chance);
  }
};

/** Splits a JPEG into segments; the last one contains everything from the first scan on. */
const segmentsOf = (bytes: Buffer): Buffer[] => {
  const all: Buffer[] = [];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    const length = 2 + bytes.readUInt16BE(at + 2);
    all.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...all, bytes.subarray(at)];
};

export const jpeg: Mutation = (bytes, chance) => {
  const { below, pick } = chance;
  const segments = segmentsOf(bytes);
  const at = below(segments.length);
  const segment = segments[at] ?? Buffer.alloc(0);
  const put = (...made: Buffer[]): Buffer =>
    Buffer.concat([bytes.subarray(0, 2), ...segments.slice(0, at), ...made, ...segments.slice(at + 1)]);
  switch (below(5)) {
    case 0: {
      const frame = segments.findIndex((one) => [0xc0, 0xc2].includes(one[1] ?? 0));
      const changed = Buffer.from(segments[frame] ?? Buffer.alloc(10));
      if (changed.length >= 9) changed.writeUInt16BE(Number(pick(['0', '1', '6000', '65535'])), pick([5, 7]));
      return Buffer.concat([bytes.subarray(0, 2), ...segments.map((one, index) => (index === frame ? changed : one))]);
    }
    case 1:
      return segment.length > 4
        ? put(Buffer.concat([segment.subarray(0, 4), anyBytes(segment.subarray(4), chance)]))
        : bytes;
    case 2:
      return put(...Array<Buffer>(pick([0, 2, 300])).fill(segment));
    case 3: {
      const exif = Buffer.alloc(60_000, below(256));
      exif.write('Exif\0\0MM\0*\0\0\0\b', 0, 'latin1');
      return put(segment, Buffer.from([0xff, 0xe1, 0xea, 0x62]), exif);
    }
    default:
      return anyBytes(bytes, chance);
  }
};

export const xml: Mutation = (bytes, chance) => {
  const { pick, below } = chance;
  switch (below(8)) {
    case 0:
      return replaceOne(bytes, /"[^"]*"/g, chance, () => `"${pick([...NUMBERS, ...TEXTS]).replace(/[<"&]/g, '')}"`);
    case 1:
      return replaceOne(bytes, /<[A-Z]\w* [^>]*\/>/g, chance, (found) => found.repeat(pick([0, 2, 5_000])));
    case 2:
      return replaceOne(
        bytes,
        /<[A-Z]\w*/g,
        chance,
        (found) => `${pick(['<Record>', '<Correlation>', '<a>']).repeat(pick([1, 60, 5_000]))}${found}`,
      );
    case 3:
      return replaceOne(
        bytes,
        /<HealthData/g,
        chance,
        (found) => `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(10)}">]>${found}`,
      );
    case 4:
      return replaceOne(
        bytes,
        /\/>/g,
        chance,
        () => ` ${Array.from({ length: pick([1, 500, 20_000]) }, (_, at) => `a${at}="1"`).join(' ')}/>`,
      );
    case 5:
      return replaceOne(bytes, /(?:19|20)\d\d-\d\d-\d\d/g, chance, () =>
        pick(['0000-00-00', '9999-12-31', '2026-02-30', '-1-1-1', '1970-01-01']),
      );
    case 6:
      return replaceOne(bytes, />/g, chance, () =>
        `>${pick(['<!--', '<![CDATA[', '&amp;', '&#0;', '<?x '])}`.repeat(pick([1, 2_000])),
      );
    default:
      return anyBytes(bytes, chance);
  }
};

/** Mutates fields of the central directory and of the local headers, so that they contradict the data. */
export const zip: Mutation = (bytes, chance) => {
  const { below, pick } = chance;
  const signature = pick(['PK\u0001\u0002', 'PK\u0003\u0004', 'PK\u0005\u0006']);
  const places = [...bytes.toString('latin1').matchAll(new RegExp(signature, 'g'))].map(({ index }) => index);
  if (!places.length || below(5) === 0) return anyBytes(bytes, chance);
  const changed = Buffer.from(bytes);
  const at = pick(places) + 4 + below(40);
  if (at + 4 > changed.length) return anyBytes(bytes, chance);
  changed.writeUInt32LE(Number(pick(['0', '1', '8', '65535', '4294967295', '1000000'])), at);
  return changed;
};

interface Slot {
  get(): unknown;
  set(value: unknown): void;
}

const DEEPEST = 50;

const slotsIn = (value: unknown, slots: Slot[] = [], depth = 0): Slot[] => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return slots;
  for (const name of Object.keys(value)) {
    const holder = value as Record<string, unknown>;
    slots.push({
      get: () => holder[name],
      set: (made) => {
        holder[name] = made;
      },
    });
    slotsIn(holder[name], slots, depth + 1);
  }
  return slots;
};

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Serializes a value; returns "" when it is nested too deeply for JSON.stringify. */
const textOf = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
};

/** Replaces values of a JSON text by values that have another type, are huge, repeated or deeply nested. */
export const json: Mutation = (bytes, chance) => {
  const { below, pick } = chance;
  if (below(8) === 0) return anyBytes(bytes, chance);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return anyBytes(bytes, chance);
  }
  const slots = slotsIn(value);
  if (!slots.length) return anyBytes(bytes, chance);
  const slot = pick(slots);
  const before = slot.get();
  const MARK = 'put-here';
  switch (below(6)) {
    case 0:
      slot.set(pick([null, true, -1, 1e308, '', [], {}, [null], { coding: 1 }]));
      break;
    case 1:
      slot.set(pick(TEXTS));
      break;
    case 2:
      slot.set(Array(pick([2, 100, 20_000])).fill(before));
      break;
    case 3:
      slot.set(Array.isArray(before) ? before[0] : [before, [before]]);
      break;
    case 4:
      slot.set(Object.fromEntries(Array.from({ length: pick([10, 5_000]) }, (_, at) => [`k${at}`, before])));
      break;
    default:
      slot.set(MARK);
      return Buffer.from(textOf(value).replace(`"${MARK}"`, nested(pick([10, 100_000]))));
  }
  const text = textOf(value);
  // A file that is doubled repeatedly would exceed the limit of an upload.
  return text.length > 8_000_000 ? bytes : Buffer.from(text);
};
