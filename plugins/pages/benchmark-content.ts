/** content/benchmark.yaml: what was measured here, with what, when and how to measure it again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { readYaml } from '#core/content-file.ts';

const text = Type.String({ minLength: 3 });
const strict = { additionalProperties: false };

const Peer = Type.Object(
  {
    name: text,
    value: Type.Number(),
    /** Who says so: a paper or page, or our own run of their program. */
    source: text,
    address: Type.Optional(Type.String({ pattern: '^https://' })),
    measured: Type.String({
      enum: ['here', 'published'],
      description: '`here`: in one run with ours; `published`: by somebody else, on their machine.',
    }),
  },
  strict,
);

const Figure = Type.Object(
  {
    measure: text,
    better: Type.String({ enum: ['higher', 'lower'] }),
    unit: Type.Optional(Type.String()),
    /** Left out where we cannot measure it: then the others stand alone, and the text says why. */
    ours: Type.Optional(Type.Number()),
    /** Which part of ours, where there are several: "words and meaning". */
    variant: Type.Optional(text),
    peers: Type.Array(Peer),
  },
  strict,
);

const DataSet = Type.Object(
  {
    slug: Type.String({ pattern: '^[a-z0-9-]+$' }),
    name: text,
    /** What it is, and what it is not: both are shown before any figure. */
    is: text,
    is_not: text,
    address: Type.Optional(Type.String({ pattern: '^https://' })),
    command: text,
    machine: text,
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    retrieval_version: Type.Optional(text),
    /** In words: where this is bad, and why. */
    reading: Type.Optional(text),
    figures: Type.Array(Figure, { minItems: 1 }),
  },
  strict,
);

const BenchmarkFile = Type.Object(
  {
    part: Type.Array(Type.Object({ title: text, about: text, sets: Type.Array(DataSet, { minItems: 1 }) }, strict), {
      minItems: 1,
    }),
    known_failures: Type.Array(text),
  },
  strict,
);
export type Benchmark = Static<typeof BenchmarkFile>;
export type MeasuredSet = Static<typeof DataSet>;

/**
 * The file as it is now; empty where a folder of content has none.
 * @throws ContentError naming file, line and field.
 */
export const readBenchmark = async (contentDir: string): Promise<Benchmark> => {
  const file = await readFile(join(contentDir, 'benchmark.yaml'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return { part: [], known_failures: [] };
  return readYaml({ path: 'benchmark.yaml', text: file, digest: '' }, BenchmarkFile);
};
